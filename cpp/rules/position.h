// Stones on a board: play, undo, key, outcome and legality, renju's forbidden points included.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rules/patterns.h"
#include "rules/types.h"

namespace tengen {

// Where each cell lies on its four lines; built once for each board size and shared.
struct Geometry {
  struct Place {
    std::uint8_t line;    // which line of its direction
    std::uint8_t bit;     // bit offset of the cell in the line word
    std::uint8_t before;  // cells of the line before this one
    std::uint8_t after;   // cells of the line behind it
  };

  static const Geometry& get(int width, int height);

  int width, height, cells;
  std::array<int, kDirections> step;  // index difference of neighbours along each direction
  std::array<std::array<Place, kDirections>, kMaxCells> place;
  std::array<std::array<std::uint64_t, 2>, kMaxCells> zobrist;  // [cell][colour]
};

class Position {
 public:
  Position(int width, int height, int k, Rule rule);

  int width() const { return geometry_->width; }
  int height() const { return geometry_->height; }
  int cells() const { return geometry_->cells; }
  int k() const { return k_; }
  Rule rule() const { return rule_; }
  const Geometry& geometry() const { return *geometry_; }
  const Patterns& patterns() const { return *patterns_; }

  Color turn() const { return turn_; }
  int stones() const { return stones_; }
  int empties() const { return cells() - stones_; }
  bool empty(Move m) const { return cell_[m] == kEmpty; }
  bool holds(Move m, Color c) const { return cell_[m] == index(c); }
  // Zobrist key of stones and side to move.
  std::uint64_t key() const { return key_ ^ (turn_ == Color::White ? kTurnKey : 0); }
  // The same after `m` will have been played.
  std::uint64_t key_after(Move m) const {
    return key_ ^ geometry_->zobrist[m][index(turn_)] ^ (turn_ == Color::Black ? kTurnKey : 0);
  }
  // Moves in the order played; stones set up beforehand are not moves.
  int ply() const { return ply_; }
  Move move_at(int i) const { return moves_[i]; }
  Move last() const { return ply_ ? moves_[ply_ - 1] : kNoMove; }

  // Set-up, only before the first move: stones of any colour, then who is to move.
  void place(Move m, Color c);
  void set_turn(Color c) { turn_ = c; }

  // `m` must be empty, on the board and the game undecided; forbidden points are the caller's to refuse.
  void play(Move m) { play(m, makes_five(turn_, m)); }
  // The same where the caller already knows whether `m` makes five.
  void play(Move m, bool five);
  void undo();
  // Hands the turn over without a stone. Undone by a second call.
  void pass() { turn_ = ~turn_; }

  bool won() const { return won_; }        // the last move made five
  Color winner() const { return ~turn_; }  // meaningful when won()
  bool full() const { return stones_ == cells(); }
  std::vector<Move> winning_line() const;  // empty unless won()

  // Shape a stone of `c` on the empty cell `m` would make along `d`.
  Shape shape(Color c, Move m, int d) const { return patterns_->shape(c, window(m, d)); }
  std::uint64_t window(Move m, int d) const {
    const auto& p = geometry_->place[m][d];
    return lines_[d][p.line] >> (p.bit - 2 * patterns_->radius());
  }
  std::uint64_t line(Move m, int d) const { return lines_[d][geometry_->place[m][d].line]; }
  // Some stone on the board stands in a winning row; for checking set-up positions.
  bool holds_five() const;
  bool makes_five(Color c, Move m) const;

  // Why black may not play the empty cell `m` under renju; No for white and for other rules.
  Forbidden forbidden(Color c, Move m) const;
  bool legal(Move m) const { return empty(m) && forbidden(turn_, m) == Forbidden::No; }

  // Everything derivable agrees with the stones. For tests and asserts.
  bool is_ok() const;

 private:
  static constexpr std::uint8_t kEmpty = 2;
  static constexpr std::uint64_t kTurnKey = 0x9d39247e33776d41ull;

  void put(Move m, Color c);
  void take(Move m, Color c);
  Forbidden forbidden_in_place(Move m);
  bool real_three(Move m, int d);

  const Geometry* geometry_;
  const Patterns* patterns_;
  int k_;
  Rule rule_;
  Color turn_ = Color::Black;
  bool won_ = false;
  int stones_ = 0;
  int ply_ = 0;
  std::uint64_t key_ = 0;
  std::array<std::uint8_t, kMaxCells> cell_;
  std::array<Move, kMaxCells> moves_;
  std::array<std::array<std::uint64_t, 2 * kMaxSize - 1>, kDirections> lines_;
};

}  // namespace tengen

// Random games to the end, fast: the whole game is drawn at once and its first five is found afterwards.
//
// A random game is a random order of the empty cells, the two sides taking turns. Write into every cell when its
// stone comes; then a row of k cells of one colour is complete at the latest of its times, and the game is won by the
// row that is complete first. Maxima and minima over shifted arrays find it without following the game move by move.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rules/position.h"
#include "rules/rng.h"
#include "rules/types.h"

namespace tengen {

// A position from which random games are played.
class RolloutBoard {
 public:
  explicit RolloutBoard(const Position& position);

  const Position& position() const { return position_; }
  void play(Move m);
  void undo();

  // Plays a random game of at most `limit` moves from here; the board stays as it is. Gives +1 when the side to move
  // wins, -1 when it loses and 0 for a draw. The game must not be won yet.
  int rollout(Rng& random, int limit);

  // The empty cells, in no particular order.
  const std::vector<Move>& empties() const { return empties_; }

 private:
  // When a stone of one colour comes to each cell: 0 stands already, kNever not at all.
  using Time = std::int16_t;
  static constexpr Time kNever = 0x7fff;
  // Rows lie one behind the other with room for a row of k stones to run off the board between them.
  static constexpr int kMaxStride = kMaxSize + kMaxK;
  static constexpr int kLanes = (1 + kMaxSize + kMaxK + 1) * kMaxStride + 32;
  using Times = std::array<Time, kLanes>;

  int rollout_renju(Rng& random, int limit) const;
  void shuffle(Rng& random);
  Time first_win(int color) const;
  template <int K>
  Time first_win_of(int color) const;
  int lane(Move m) const { return lane_[m]; }

  Position position_;
  int stride_, first_lane_, lanes_;
  std::array<int, kDirections> step_;
  std::array<std::int16_t, kMaxCells> lane_;
  std::vector<Move> empties_;
  std::array<Times, 2> stones_;  // what stands
  std::array<Times, 2> times_;   // the game drawn last
};

}  // namespace tengen

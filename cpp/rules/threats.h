// A position with the shapes of every empty cell kept up to date for both sides as stones come and go.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "rules/codes.h"
#include "rules/position.h"
#include "rules/types.h"

namespace tengen {

// A set of cells.
class CellSet {
 public:
  void flip(Move m) { words_[m >> 6] ^= 1ull << (m & 63); }
  void add(Move m) { words_[m >> 6] |= 1ull << (m & 63); }
  bool has(Move m) const { return words_[m >> 6] >> (m & 63) & 1; }
  bool any() const {
    for (auto w : words_)
      if (w) return true;
    return false;
  }
  int count() const {
    int n = 0;
    for (auto w : words_) n += std::popcount(w);
    return n;
  }
  Move first() const {  // kNoMove when empty
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (words_[i]) return static_cast<Move>(64 * i + std::countr_zero(words_[i]));
    return kNoMove;
  }
  template <class F>
  void each(F&& visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (auto w = words_[i]; w; w &= w - 1) visit(static_cast<Move>(64 * i + std::countr_zero(w)));
  }
  CellSet& operator|=(const CellSet& o) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= o.words_[i];
    return *this;
  }
  CellSet& operator&=(const CellSet& o) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= o.words_[i];
    return *this;
  }
  bool operator==(const CellSet&) const = default;

 private:
  std::array<std::uint64_t, (kMaxCells + 63) / 64> words_{};
};

// Groups of threats that searches ask for as sets of cells.
enum class Group : std::uint8_t {
  Five,   // Threat::Five
  Four,   // Four .. OpenFour: forces an answer
  Three,  // Three .. DoubleThree: threatens an open four
};
constexpr int kGroups = 3;

class ThreatBoard {
 public:
  explicit ThreatBoard(const Position& position);

  const Position& position() const { return position_; }
  Color turn() const { return position_.turn(); }

  void play(Move m);
  void undo();
  void pass() { position_.pass(); }  // undone by a second call

  // What a stone of `c` on the empty cell `m` would make along one line, and over its four lines.
  Shape shape(Color c, Move m, int d) const { return kShapeOfGrade[code_[m] >> (16 * index(c) + 4 * d) & 0xf]; }
  Threat threat(Color c, Move m) const { return threat_[index(c)][m]; }
  // The grades of the cell, and their number: an index into tables over them.
  Code code(Color c, Move m) const { return static_cast<Code>(code_[m] >> 16 * index(c)); }
  std::uint16_t number(Color c, Move m) const { return static_cast<std::uint16_t>(number_[m] >> 16 * index(c)); }

  // Cells of each threat; Threat::None counts occupied cells too.
  int count(Color c, Threat t) const { return sums_.count[index(c)][static_cast<int>(t)]; }
  // Cells where `c` makes such a threat. Renju: black's cells in Threat::Forbidden belong to no group.
  const CellSet& cells(Color c, Group g) const { return sums_.groups[index(c)][static_cast<int>(g)]; }
  // Renju black's cells that may be forbidden (and may be good moves): see Position::forbidden.
  const CellSet& doubtful() const { return sums_.doubtful; }
  // Sum over the empty cells of what a stone of `c` there would be worth: cell_value, or the caller's own weights.
  int score(Color c) const { return sums_.score[index(c)]; }
  // From now on score() adds up the colour's `weights[number]`, kCodeNumbers of them, which outlive the board.
  void weigh(const std::int32_t* black, const std::int32_t* white);

  // The game is over: five, a full board, or (renju) no legal move for the side to move.
  bool over() const;

  bool is_ok() const;  // equals a board built from scratch

 private:
  struct Change {
    std::uint32_t code, number;
    Move cell;
    Threat black, white;
  };
  // What all cells add up to. It is small, so that a move keeps it for undo instead of counting back.
  struct Sums {
    std::array<std::array<CellSet, kGroups>, 2> groups{};
    CellSet doubtful;
    std::array<std::array<std::int16_t, kThreats>, 2> count{};
    std::array<int, 2> score{};
    bool operator==(const Sums&) const = default;
  };
  struct Mark {
    Mark(std::size_t length, const Sums& before) : changes(static_cast<std::uint32_t>(length)), sums(before) {}
    std::uint32_t changes;  // length of changes_ before the move
    Sums sums;
  };

  struct Recoded {
    std::uint32_t code;
    Move cell;
  };

  std::uint32_t code_from_lines(Move m) const;
  Recoded* recode_around(Move m, Recoded* out) const;
  void change(Move m, std::uint32_t code);  // set_code that undo will take back
  void set_code(Move m, std::uint32_t code);
  void recount(Move m, Color c, std::uint32_t from, std::uint32_t to);

  Position position_;
  const Threat* threat_table_[2];                           // number -> threat, for each side under this rule
  const std::int32_t* value_table_[2];                      // number -> cell_value, or what weigh() was given
  std::array<std::uint32_t, kMaxCells> code_{}, number_{};  // black's in the low half, white's in the high
  std::array<std::array<Threat, kMaxCells>, 2> threat_{};
  Sums sums_;
  std::vector<Change> changes_;
  std::vector<Mark> marks_;  // one for each move
  std::size_t weighed_ = 0;  // moves played when weigh() was last called
};

// Worth of a cell by the number of its code, for move ordering and as the simplest evaluation.
int cell_value(std::uint16_t number);

}  // namespace tengen

// What a position is worth at first sight, and which of its moves look good. The numbers are learned from games, for
// each rule by itself: see docs/alphabeta.md.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "rules/threats.h"
#include "search/weights/weights.h"

namespace tengen {

constexpr int kMaxEval = 20000;  // no evaluation goes beyond; proven results do
constexpr int kEvalUnit = 200;   // evaluation for each factor of e in the odds of winning
constexpr int kCellUnit = 800;   // the same for the parts it is summed from, which are many and small
constexpr int kMoveUnit = 256;   // move value for each factor of e in the odds that a move is the one to play

// The same shapes in another order of directions: the four nibbles sorted, largest first.
std::uint16_t sorted_code(int code);

// Which threats stand for the side to move and for the other, one bit each.
int threat_mask(const ThreatBoard& board);

// The evaluation as an expected result in [-1, 1].
double expected_result(int evaluation);

class Evaluation {
 public:
  static const Evaluation& get(Rule rule);

  // A board to be evaluated carries these weights: both halves of what a cell is worth, to the side to move and to the
  // side that waits, are kept in one sum.
  void weigh(ThreatBoard& board) const { board.weigh(sides_[0]->cells.data(), sides_[1]->cells.data()); }

  // For the side to move, neither side being able to make five at once. The board must have been weighed.
  int operator()(const ThreatBoard& board) const;

  // How promising a stone of `own` looks by what it makes for its side and takes from the other.
  int move_value(const ThreatBoard& board, Color own, Move m) const {
    return sides_[index(own)]->own_move[board.number(own, m)] +
           sides_[index(~own)]->opponent_move[board.number(~own, m)];
  }

 private:
  // Tables by the numbers of codes.
  struct Side {
    explicit Side(const weights::Side& learned);
    std::vector<std::int32_t> cells;  // waiting part in the high half, moving part in the low
    std::vector<std::int16_t> own_move, opponent_move;
    const std::int16_t* threats;  // that stand when this side is to move
  };

  explicit Evaluation(const weights::Side& both);
  Evaluation(const weights::Side& black, const weights::Side& white);

  std::array<std::shared_ptr<const Side>, 2> sides_;  // by colour; one for both where the rule treats them alike
};

}  // namespace tengen

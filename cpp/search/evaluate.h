// What a position is worth at first sight, and which of its moves look good. The numbers are learned from games: see
// benchmarks/tune_alphabeta.py.
#pragma once

#include <cstdint>

#include "rules/threats.h"

namespace tengen {

constexpr int kMaxEval = 20000;  // no evaluation goes beyond; proven results do
constexpr int kEvalUnit = 200;   // evaluation for each factor of e in the odds of winning
constexpr int kThreatBits = 11;

// A board to be evaluated carries these weights: both halves of what a cell is worth, to the side to move and to the
// side that waits, are kept in one sum.
const std::int32_t* evaluation_weights();

// For the side to move, neither side being able to make five at once. The board must carry evaluation_weights().
int evaluate(const ThreatBoard& board);

// Which threats stand for the side to move and for the other, one bit each.
int threat_mask(const ThreatBoard& board);

// How promising a stone looks by what it makes for its own side and takes from the other: kMoveUnit for each factor
// of e in the odds that it is the move to play.
constexpr int kMoveUnit = 256;
class MoveValues {
 public:
  static const MoveValues& get();
  int operator()(std::uint16_t own_code, std::uint16_t opponent_code) const { return own_[own_code] + opponent_[opponent_code]; }

 private:
  MoveValues();
  std::array<std::int16_t, 1 << 16> own_, opponent_;
};

// The evaluation as an expected result in [-1, 1].
double expected_result(int evaluation);

}  // namespace tengen

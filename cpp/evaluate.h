// What a position is worth at first sight, and which of its moves look good.
#pragma once

#include <cstdint>

#include "threats.h"

namespace tengen {

constexpr int kMaxEval = 20000;  // no evaluation goes beyond; proven results do

// For the side to move. The side to move must not be able to make five at once.
int evaluate(const ThreatBoard& board);

// How promising a stone looks by what it makes for its own side and takes from the other. About 1000 for each factor
// of e in the odds that it is the move to play.
int move_value(std::uint16_t own_code, std::uint16_t opponent_code);

// The evaluation as an expected result in [-1, 1].
double expected_result(int evaluation);

}  // namespace tengen

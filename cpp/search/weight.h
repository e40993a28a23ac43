// The score table: every cell is worth what a stone there would make for us, plus what it would deny the opponent.
#pragma once

#include <array>
#include <vector>

#include "rules/threats.h"

namespace tengen {

// Both ends open / one end open: one 15/10, two 100/10, three 500/30, four 5000/400, five 100000. Summed over the four
// lines and both sides. Whole lines are scored, so a row with a gap counts as what it can become.
constexpr std::array<int, kShapes> kWeights = {0, 10, 15, 10, 100, 30, 500, 400, 5000, 5000, 100'000, 0};

// The legal cells of the largest sum; of equal ones those with the larger share of our own, then those nearest to the
// centre. A five of our own comes before everything. The game must not be over.
std::vector<Move> weight_moves(const ThreatBoard& board);

}  // namespace tengen

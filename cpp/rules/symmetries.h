// The turns and reflections of a board: the one table that encodings, plans, openings and training share.
#pragma once

#include <vector>

#include "rules/types.h"

namespace tengen {

// Bit 0 mirrors columns, bit 1 mirrors rows, bit 2 (square boards only) then swaps rows and columns.
constexpr int symmetries(int width, int height) { return width == height ? 8 : 4; }
// Cell -> its image. Built once for each board size and shared.
const std::vector<Move>& symmetry_map(int width, int height, int symmetry);

}  // namespace tengen

// Shapes that stand on a board, counted by its rule: labels for networks that learn to see them.
#pragma once

#include "rules/position.h"

namespace tengen {

// Named for k = 5; in general a "four" is k - 1 stones and a "three" k - 2.
struct ShapeCounts {
  int open_fours = 0;   // k - 1 stones in a row that a stone at either end makes five
  int fours = 0;        // further cells that complete five, each line by itself
  int open_threes = 0;  // sets of k - 2 stones that one more stone makes an open four
};

ShapeCounts count_shapes(const Position& position, Color color);

}  // namespace tengen

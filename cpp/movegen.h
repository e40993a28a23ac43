// Which cells are worth considering.
#pragma once

#include <vector>

#include "position.h"
#include "threats.h"

namespace tengen {

// Empty cells at most `radius` steps of a king away from a stone; the centre of an empty board. Legality under renju
// is not looked at.
CellSet cells_near_stones(const Position& position, int radius);

// Any legal move, preferring the centre; kNoMove when there is none.
Move any_legal_move(const Position& position);

}  // namespace tengen

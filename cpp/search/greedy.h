// The greedy rule: look one stone ahead at every line of both sides and play in the first layer that is not empty.
#pragma once

#include <vector>

#include "rules/rng.h"
#include "rules/threats.h"

namespace tengen {

// Cells of the first non-empty layer, in the order: make five; stop a five; make a four; stop a four; make a three;
// make a two; any legal cell. The game must not be over.
void greedy_moves(const ThreatBoard& board, std::vector<Move>& out);

// A random one of them; `scratch` saves the allocation.
Move greedy_move(const ThreatBoard& board, Rng& random, std::vector<Move>& scratch);

// Cells of the first non-empty layer, in the order: make five; stop a five; stop an open four; any cell beside a stone
// (legal, the game not over). Unlike the greedy rule it keeps its fours.
void forced_moves(const ThreatBoard& board, std::vector<Move>& out);

// The best shape a stone of `c` on `m` makes over its lines; Overline counts as nothing.
Shape best_shape(const ThreatBoard& board, Color c, Move m);

}  // namespace tengen

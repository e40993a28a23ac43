// Balanced random openings: stones near each other, then a move that leaves neither side ahead.
#pragma once

#include <vector>

#include "rules/rng.h"
#include "rules/threats.h"
#include "solve/tactics.h"

namespace tengen {

// Plays random moves near the centre and near each other until `moves` stand, none of them deciding the game by what
// shapes prove. Returns false when chance led nowhere; the board is then as it was.
bool play_random_opening(ThreatBoard& board, int moves, Rng& rng);

// Up to `count` different moves near the stones (the centre of an empty board) that neither end the game nor leave
// anything proven.
std::vector<Move> quiet_moves(ThreatBoard& board, int count, Rng& rng);

}  // namespace tengen

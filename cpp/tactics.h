// What shapes alone prove about a position: a win now, a forced answer, a lost cause. Exact under every rule.
#pragma once

#include <vector>

#include "threats.h"
#include "types.h"

namespace tengen {

enum class Proof : std::uint8_t { None, Win, Loss, Draw };  // for the side to move

struct Tactics {
  Proof proof = Proof::None;
  int distance = 0;         // plies to the end with best play, as far as seen
  bool restricted = false;  // `moves` holds every move that does not lose at once (or, proven, the moves to play)
  std::vector<Move> moves;

  void clear() { proof = Proof::None, distance = 0, restricted = false, moves.clear(); }
};

// The game must not be over. Looks at fives, fours and open fours of both sides; leaves the board as it was.
void look(ThreatBoard& board, Tactics& out);

}  // namespace tengen

// Feature planes of a position for networks, for the side to move, under any symmetry of the board.
#pragma once

#include "rules/symmetries.h"
#include "rules/threats.h"
#include "rules/types.h"

namespace tengen {

enum class Encoding : std::uint8_t {
  Stones,  // own stones, opponent's stones, last move, 1 when black is to move
  Shapes,  // mask, the four above, five shape maps for each side, cells forbidden for the side to move
};

constexpr int planes(Encoding e) { return e == Encoding::Stones ? 4 : 16; }

// Writes planes(Encoding::Stones) * cells floats.
void encode_stones(const Position& position, int symmetry, float* out);
// Writes planes(Encoding::Shapes) * cells floats.
void encode_shapes(const ThreatBoard& board, int symmetry, float* out);

inline void encode(const ThreatBoard& board, Encoding e, int symmetry, float* out) {
  if (e == Encoding::Stones)
    encode_stones(board.position(), symmetry, out);
  else
    encode_shapes(board, symmetry, out);
}

}  // namespace tengen

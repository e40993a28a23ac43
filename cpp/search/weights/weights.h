// The form of the learned numbers: one header for each rule holds them, written by `tengen data --fit`.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "rules/types.h"

namespace tengen {

constexpr int kThreatBits = 11;

namespace weights {

struct Correction {
  std::uint16_t code;
  std::int16_t value;
};

// A number for every code: the sum over its shapes, corrected for the combinations that were met.
struct Codes {
  const std::array<int, kGrades>& shapes;
  std::span<const Correction> corrections;
};

// What one colour goes by: its cells when it is to move and when it waits, its moves and those of the opponent that it
// takes, and the threats that stand when it is to move.
struct Side {
  Codes moving, waiting, own_move, opponent_move;
  const std::array<std::int16_t, 1 << kThreatBits>& threats;
};

}  // namespace weights
}  // namespace tengen

// The grades of an empty cell for one side as one number: four nibbles, one for each direction.
//
// What a cell is worth does not depend on the order of its directions. Tables over codes are therefore indexed by a
// code's number, which many orders of the same grades share: they are a seventh of the size and stay in the cache.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "rules/types.h"

namespace tengen {

using Code = std::uint16_t;
constexpr int kCodes = 1 << 4 * kDirections;

constexpr int kGradePairs = kGrades * (kGrades + 1) / 2;
constexpr int kCodeNumbers = kGradePairs * kGradePairs;

// [two nibbles] the number of the pair of grades, whichever comes first, times `unit`.
constexpr auto pair_numbers(int unit) {
  std::array<std::uint16_t, kGrades * kGrades> numbers{};
  for (int a = 0; a < kGrades; ++a)
    for (int b = 0; b < kGrades; ++b) {
      const int more = std::max(a, b), less = std::min(a, b);
      numbers[a * kGrades + b] = static_cast<std::uint16_t>(unit * (more * (more + 1) / 2 + less));
    }
  return numbers;
}
inline constexpr auto kLowPairs = pair_numbers(1), kHighPairs = pair_numbers(kGradePairs);

constexpr std::uint16_t code_number(Code code) {
  return static_cast<std::uint16_t>(kLowPairs[code & 0xff] + kHighPairs[code >> 8]);
}

}  // namespace tengen

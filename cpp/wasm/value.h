// A score of the engine as a value in [-1, 1], as the Python players report it: only a proven end reaches one.
#pragma once

#include <algorithm>
#include <cmath>

#include "search/evaluate.h"
#include "search/pvs.h"

namespace tengen::wasm {

inline double value_of(int score) {
  if (std::abs(score) > kSureWin) return score > 0 ? 1 : -1;
  return std::clamp(expected_result(score), -0.99, 0.99);
}

}  // namespace tengen::wasm

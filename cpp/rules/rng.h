// Random numbers that are the same on every machine: xoshiro256** with the few distributions searches draw from.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace tengen {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) {
    for (auto& word : state_) word = mix(seed += 0x9e3779b97f4a7c15ull);
  }

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform in [0, n), n > 0.
  int below(int n) { return static_cast<int>((next() >> 32) * static_cast<std::uint64_t>(n) >> 32); }
  // Uniform in (0, 1).
  double uniform() { return (static_cast<double>(next() >> 12) + 0.5) * 0x1p-52; }
  double gumbel() { return -std::log(-std::log(uniform())); }
  double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * 3.14159265358979323846 * uniform()); }
  // Marsaglia and Tsang's method; shapes under one are raised by one and scaled back.
  double gamma(double shape) {
    if (shape < 1) return gamma(shape + 1) * std::pow(uniform(), 1 / shape);
    const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
    for (;;) {
      const double x = normal(), v = 1 + c * x;
      if (v <= 0) continue;
      const double cube = v * v * v;
      if (std::log(uniform()) < 0.5 * x * x + d - d * cube + d * std::log(cube)) return d * cube;
    }
  }

  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_[4];
};

}  // namespace tengen

#include "bench/yardstick.h"

#include <array>
#include <chrono>
#include <cstdint>

namespace tengen {

double reference_rounds_per_second(double seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr int kBatch = 1 << 14;
  std::array<std::uint64_t, 4096> table{};  // fits the first-level cache
  std::uint64_t state = 0x9e3779b97f4a7c15ull;
  std::uint64_t rounds = 0;
  const auto start = Clock::now();
  std::chrono::duration<double> spent{};
  do {
    for (int i = 0; i < kBatch; ++i) {
      state ^= state >> 12;
      state ^= state << 25;
      state ^= state >> 27;
      state += table[state & 4095]++;
      state *= 0x2545f4914f6cdd1dull;
    }
    rounds += kBatch;
    spent = Clock::now() - start;
  } while (spent.count() < seconds);
  return state ? static_cast<double>(rounds) / spent.count() : 0;
}

}  // namespace tengen

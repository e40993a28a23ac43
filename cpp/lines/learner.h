// Learns a line network from a pool of games: Adam on batches, one thread, the same numbers for the same seed.
#pragma once

#include <cstdint>
#include <vector>

#include "lines/gradient.h"
#include "lines/network.h"
#include "lines/samples.h"

namespace tengen {

struct LearnOptions {
  int steps = 1, batch = 1024;
  float rate = 1e-3f;
  float decay = 0;         // weights shrink by rate * decay a step
  float average = 0.999f;  // of the averaged weights stays a step
  float value_weight = 1, value_mix = 0.3f;
  std::uint64_t seed = 0;
};

class LineLearner {
 public:
  using Numbers = std::vector<float, CacheAligned<float>>;

  LineLearner(const LineShape& shape, std::uint64_t seed);  // random weights

  // Mean losses a sample; throws std::runtime_error when they are no longer numbers.
  LineLoss learn(const LinePool& pool, const LearnOptions& options);
  // Mean losses of `average` on random samples, without learning.
  LineLoss measure(const LinePool& pool, int samples, float value_weight, float value_mix, std::uint64_t seed) const;

  const LineShape& shape() const { return shape_; }
  // All that a checkpoint must hold: weights, average, and the two moments of Adam, and the steps done.
  Numbers weights, average, mean, square;
  std::int64_t steps = 0;

 private:
  void bound();

  LineShape shape_;
  Numbers gradient_, scratch_;
};

}  // namespace tengen

// What a network said about positions seen before, in a table of fixed size. Keys include the last move, which networks
// see, so a hit returns what the network would have said (to the precision of the table).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "rules/types.h"

namespace tengen {

class EvalCache {
 public:
  // `entries` is rounded up to a power of two; 0 makes a cache that never hits.
  EvalCache(int entries, int cells) : cells_(cells) {
    if (entries <= 0) return;
    const auto size = std::bit_ceil(static_cast<std::size_t>(entries));
    heads_.resize(size);
    logits_.resize(size * cells);
  }

  bool find(std::uint64_t key, float* logits, float& value) const {
    if (heads_.empty()) return false;
    const std::size_t slot = key & (heads_.size() - 1);
    if (!heads_[slot].used || heads_[slot].key != key) return false;
    value = heads_[slot].value;
    const std::int16_t* from = logits_.data() + slot * cells_;
    for (int i = 0; i < cells_; ++i) logits[i] = from[i] / kUnit;
    return true;
  }

  void store(std::uint64_t key, const float* logits, float value) {
    if (heads_.empty()) return;
    const std::size_t slot = key & (heads_.size() - 1);
    heads_[slot] = {key, value, true};
    const float top = *std::max_element(logits, logits + cells_);
    std::int16_t* to = logits_.data() + slot * cells_;
    for (int i = 0; i < cells_; ++i) to[i] = static_cast<std::int16_t>(std::max(logits[i] - top, -31.0f) * kUnit);
  }

 private:
  static constexpr float kUnit = 1024.0f;
  struct Head {
    std::uint64_t key = 0;
    float value = 0;
    bool used = false;
  };
  int cells_;
  std::vector<Head> heads_;
  std::vector<std::int16_t> logits_;  // under the largest one
};

}  // namespace tengen

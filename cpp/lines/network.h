// The line network, ready to play: integer features of the cells, and two small heads.
//
//   features of an empty cell = clip(row[window 1] + ... + row[window 4] + bias, 0, kFeatureMax), for both colours
//   sums = features of all empty cells added up
//   value = heads.value(own sums, the opponent's sums); move score of a cell = its features * heads.gate(sums)
//
// A row is all zero for the window without stones and no bias is positive, so cells far from every stone add nothing.
// Such a cell's move score is one number that the gate gives. The network does not change under the symmetries of the
// board, fits boards of every size, and under rules that treat both colours alike it has one table for both.
#pragma once

#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "lines/kernels.h"
#include "lines/windows.h"
#include "rules/types.h"

namespace tengen {

struct LineShape {
  int k = 5;
  Rule rule = Rule::Freestyle;
  int channels = 32;
  int hidden = 32;  // units of each hidden layer

  // Black and white need tables of their own where the rule treats them differently.
  int views() const { return rule == Rule::Renju ? 2 : 1; }
  int row() const { return 2 * channels; }
  int windows() const { return Windows::get(k, rule).count(); }
  std::string fault() const;  // what is wrong with it, or ""
  void check() const;         // throws std::invalid_argument
};

// One array of a network: its name and extents. Files, trainers and torch agree on this list.
struct LineTensor {
  std::string name;
  std::vector<int> extents;
  std::size_t size() const {
    std::size_t n = 1;
    for (const int e : extents) n *= static_cast<std::size_t>(e);
    return n;
  }
};

// table, bias, then the heads, in the order in which one flat array holds them.
//   table [views, windows, channels], bias [views, channels]
//   value_1 [2 channels, hidden], value_1_bias [hidden], value_1_black [hidden] (added when black is to move),
//   value_2 [hidden, hidden], value_2_bias, value_3 [hidden], value_3_bias [1]
//   gate_1, gate_1_bias, gate_1_black as value_1; gate_2 [hidden, 2 channels], gate_2_bias,
//   far [hidden], far_bias [1]: the move score of cells that see no stone
std::vector<LineTensor> line_tensors(const LineShape& shape);

// The sums enter the heads divided by kFeatureUnit * kSumScale, a gate of 1 is kGateUnit.
constexpr int kSumScale = 16, kGateUnit = 1024, kGateMax = 8191;
constexpr float kTableMax = 12.0f;  // |table|, |bias| at most: four rows and a bias stay within a short

// Rows begin at cache lines.
template <class T>
struct CacheAligned {
  using value_type = T;
  CacheAligned() = default;
  template <class U>
  CacheAligned(const CacheAligned<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t{64})); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t{64}); }
  bool operator==(const CacheAligned&) const = default;
};

struct LineGate {
  alignas(64) std::int16_t weights[kMaxRow];  // black's channels, then white's
  float far;
};

class LineNetwork {
 public:
  // What is wrong with the weights of a sound shape, or "".
  static std::string fault(const LineShape& shape, std::span<const float> weights);
  // `weights`: the tensors of line_tensors in one array. Throws std::invalid_argument for a wrong length, for numbers
  // that are not finite, and for a table that breaks the bounds above.
  LineNetwork(const LineShape& shape, std::span<const float> weights, const LineKernels& kernels = line_kernels());

  const LineShape& shape() const { return shape_; }
  const Windows& windows() const { return *windows_; }
  const LineKernels& kernels() const { return *kernels_; }
  int row() const { return shape_.row(); }
  const std::int16_t* table() const { return table_.data(); }
  const std::int16_t* bias() const { return bias_.data(); }

  // In (-1, 1) for the side to move. `sums`: black's channels, then white's.
  float value(const std::int32_t* sums, Color turn) const;
  float logit(const std::int32_t* sums, Color turn) const;  // log of the odds of winning: value = tanh(logit / 2)
  void gate(const std::int32_t* sums, Color turn, LineGate& out) const;
  static float score_of(std::int32_t product) { return static_cast<float>(product) / (kFeatureUnit * kGateUnit); }

 private:
  const float* at(const char* name) const;
  void head(const std::int32_t* sums, Color turn, const float* weights, const float* bias, const float* black,
            float* out) const;

  LineShape shape_;
  const Windows* windows_;
  const LineKernels* kernels_;
  std::vector<std::int16_t, CacheAligned<std::int16_t>> table_, bias_;
  std::vector<float> heads_;
  std::vector<LineTensor> tensors_;
  const float *v1_, *v1b_, *v1c_, *v2_, *v2b_, *v3_, *v3b_, *g1_, *g1b_, *g1c_, *g2_, *g2b_, *far_, *farb_;
};

}  // namespace tengen

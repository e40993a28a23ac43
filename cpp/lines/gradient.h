// The inner loops of learning, in one version for each instruction set. All floats; versions agree to rounding only.
#pragma once

#include <cstdint>
#include <vector>

#include "lines/kernels.h"
#include "lines/network.h"

namespace tengen {

// A position as the network sees it, with what it should have said.
struct LineSample {
  static constexpr int kMost = kMaxCells;
  int cells = 0;                  // empty cells that see a stone
  std::uint16_t own[kMost][4];    // their windows for the side to move
  std::uint16_t other[kMost][4];  // and for the opponent
  float target[kMost];            // share of each cell in the policy to learn
  int far = 0;                    // empty cells that see none
  float far_target = 0;           // their share together
  float value = 0;                // chance that the side to move wins, 0 to 1
  float weight = 1, policy_weight = 1;
  bool black = true;  // to move
};

// Pointers into one flat array of weights (or of gradients), in the order of line_tensors.
struct LineArrays {
  float *table[2], *bias[2];  // black's view, white's view; the same where the rule treats both alike
  float *v1, *v1b, *v1c, *v2, *v2b, *v3, *v3b, *g1, *g1b, *g1c, *g2, *g2b, *far, *farb;
};
LineArrays line_arrays(const LineShape& shape, float* flat);

struct LineLoss {
  double policy = 0, value = 0, entropy = 0, error = 0, weight = 0;  // sums over samples, by weight
};

struct LearnKernels {
  // Adds the gradient of the sample's loss to `gradient`.
  void (*sample)(const LineShape& shape, const LineArrays& weights, const LineArrays& gradient,
                 const LineSample& sample, float value_weight, float* scratch, LineLoss& loss);
  // One step of Adam on `count` numbers; the average follows by `keep`. Clears the gradient.
  void (*adam)(float* weights, float* gradient, float* mean, float* square, float* average, std::size_t count,
               float scale, float rate, float decay, float keep, int step);
};
const LearnKernels& learn_kernels();
constexpr std::size_t kLearnScratch = static_cast<std::size_t>(kMaxCells) * (kMaxRow + 2) + 2048;

}  // namespace tengen

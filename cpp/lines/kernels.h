// The inner loops of the line network, in one version for each instruction set, chosen when the program runs.
//
// Every version gives the same bits: features and move scores are integers, and in the dense layers each output adds up
// its inputs in their order, whatever the width of the registers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lines/windows.h"

namespace tengen {

// A feature of one cell is at most kFeatureMax; kFeatureUnit stands for 1.
constexpr int kFeatureUnit = 512, kFeatureMax = 2047;
// Channels may be 16, 32 or 64; a row holds black's channels, then white's.
constexpr int kMaxRow = 128;

struct LineKernels {
  const char* name;
  // sums[i] += sign * the features of every cell in `sights`. `row` is the length of a row of the table.
  void (*add)(const std::int16_t* table, const std::int16_t* bias, int row, const Sight* sights, int count, int sign,
              std::int32_t* sums);
  // out[n] = product of the features of cell n with `gate`.
  void (*score)(const std::int16_t* table, const std::int16_t* bias, int row, const Sight* sights, int count,
                const std::int16_t* gate, std::int32_t* out);
  // out = bias + weights^T in, weights [inputs][outputs]; outputs is a multiple of 16.
  void (*dense)(const float* in, int inputs, const float* weights, const float* bias, int outputs, float* out);
};

// The best version this processor runs.
const LineKernels& line_kernels();
// Every version this processor runs, plainest first.
const std::vector<const LineKernels*>& all_line_kernels();

}  // namespace tengen

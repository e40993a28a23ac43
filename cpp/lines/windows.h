// The windows of a line network: what an empty cell sees along one line, numbered.
//
// A window is two halves of `radius` cells, one to each side of the cell. A half is read from the cell outwards and
// ends at the edge of the board, or behind the first stone of the second colour: no row through the cell reaches
// further. Mirrored windows are one window, windows without a stone are number 0. Freestyle five in a row has 79 halves
// and 3,146 windows; rules that must see one cell further have 172 and 14,858.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/types.h"

namespace tengen {

class Windows {
 public:
  // Built once for each (k, rule) and shared.
  static const Windows& get(int k, Rule rule);

  int radius() const { return radius_; }
  int count() const { return static_cast<int>(swapped_.size()); }

  // `word` is a line (rules/patterns.h) shifted so that bit 0 is the cell `radius` steps before the centre.
  std::uint16_t number(std::uint64_t word) const {
    return pair_[left_[word & mask_] + right_[(word >> right_shift_) & mask_]];
  }
  // The window with the colours exchanged.
  std::uint16_t swapped(std::uint16_t window) const { return swapped_[window]; }
  // A stone of `c` in the middle makes five.
  bool five(Color c, std::uint16_t window) const { return five_[window] >> index(c) & 1; }

 private:
  Windows(int k, Rule rule);

  int radius_, right_shift_;
  std::uint64_t mask_;
  std::vector<std::uint32_t> left_;   // bits of a half -> its number times the number of halves
  std::vector<std::uint16_t> right_;  // bits of a half -> its number
  std::vector<std::uint16_t> pair_, swapped_;
  std::vector<std::uint8_t> five_;
};

// The windows of one cell along its four lines, 16 bits each. 0: nothing to see, or the cell is taken.
using Sight = std::uint64_t;

inline std::uint16_t window_of(Sight sight, int d) { return static_cast<std::uint16_t>(sight >> 16 * d); }

inline bool makes_five(const Windows& windows, Color c, Sight sight) {
  for (int d = 0; d < kDirections; ++d)
    if (windows.five(c, window_of(sight, d))) return true;
  return false;
}

}  // namespace tengen

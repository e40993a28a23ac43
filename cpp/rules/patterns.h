// From the cells of one line to the shape a stone would make there, by two table look-ups.
//
// A line is a word of two bits per cell: 00 off the board, 01 black, 10 white, 11 empty. Around a cell the line is cut
// into two halves of `radius` cells. From one side's point of view a half ends at the first cell it can never own, so
// few halves differ: each gets a small class number, and one byte table over (left class, right class) gives the
// shape. For k = 5 all tables take 4 KB under freestyle, 16 KB under standard and renju, 40 KB under caro.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/types.h"

namespace tengen {

class Patterns {
 public:
  // Tables are built once for each (k, rule) and shared.
  static const Patterns& get(int k, Rule rule);

  int radius() const { return radius_; }

  // `word` is shifted so that bit 0 is the cell `radius` steps before the centre.
  Shape shape(Color color, std::uint64_t word) const {
    const std::uint32_t left = left_[word & mask_];
    const std::uint32_t right = right_[(word >> right_shift_) & mask_];
    return kShapeOfGrade[color == Color::Black ? black_[(left & 0xffff) + (right & 0xffff)]
                                               : white_[(left >> 16) + (right >> 16)]];
  }

  // Both sides at once: black's grade in the low byte, white's in the high byte.
  std::uint32_t grades(std::uint64_t word) const {
    const std::uint32_t left = left_[word & mask_];
    const std::uint32_t right = right_[(word >> right_shift_) & mask_];
    return static_cast<std::uint32_t>(black_[(left & 0xffff) + (right & 0xffff)]) |
           static_cast<std::uint32_t>(white_[(left >> 16) + (right >> 16)]) << 8;
  }

 private:
  Patterns(int k, Rule rule);

  int radius_;
  int right_shift_;
  std::uint64_t mask_;
  // Class of a half for black (low 16 bits) and white (high 16 bits); the left one is multiplied by the row length.
  std::vector<std::uint32_t> left_, right_;
  std::vector<Grade> black_, white_;
};

}  // namespace tengen

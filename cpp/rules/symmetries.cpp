#include "rules/symmetries.h"

#include <tuple>
#include <utility>

#include "rules/threading.h"

namespace tengen {

namespace {

std::vector<Move> build_map(int width, int height, int symmetry) {
  std::vector<Move> map(static_cast<std::size_t>(width) * height);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) {
      int r = symmetry & 2 ? height - 1 - row : row;
      int c = symmetry & 1 ? width - 1 - col : col;
      if (symmetry & 4) std::swap(r, c);
      map[row * width + col] = static_cast<Move>(r * width + c);
    }
  return map;
}

}  // namespace

const std::vector<Move>& symmetry_map(int width, int height, int symmetry) {
  return shared<std::vector<Move>>(std::tuple(width, height, symmetry),
                                   [&] { return build_map(width, height, symmetry); });
}

}  // namespace tengen

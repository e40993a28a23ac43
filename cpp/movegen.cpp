#include "movegen.h"

#include <algorithm>
#include <cstdlib>

namespace tengen {

CellSet cells_near_stones(const Position& position, int radius) {
  const int width = position.width(), height = position.height();
  CellSet cells;
  if (!position.stones()) {
    cells.add(static_cast<Move>(height / 2 * width + width / 2));
    return cells;
  }
  for (Move m = 0; m < position.cells(); ++m) {
    if (position.empty(m)) continue;
    const int row = m / width, col = m % width;
    for (int r = std::max(0, row - radius); r <= std::min(height - 1, row + radius); ++r)
      for (int c = std::max(0, col - radius); c <= std::min(width - 1, col + radius); ++c)
        if (const auto cell = static_cast<Move>(r * width + c); position.empty(cell)) cells.add(cell);
  }
  return cells;
}

Move any_legal_move(const Position& position) {
  const int width = position.width(), height = position.height();
  Move best = kNoMove;
  int nearest = 0;
  for (Move m = 0; m < position.cells(); ++m) {
    if (!position.legal(m)) continue;
    const int away = std::max(std::abs(2 * (m / width) - height + 1), std::abs(2 * (m % width) - width + 1));
    if (best == kNoMove || away < nearest) best = m, nearest = away;
  }
  return best;
}

}  // namespace tengen

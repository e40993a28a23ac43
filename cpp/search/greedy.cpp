#include "search/greedy.h"

#include <algorithm>
#include <array>

#include "search/movegen.h"

namespace tengen {
namespace {

constexpr int kLayers = 7;

// The layer of a cell from the best shape each side makes there, 0 first.
int layer(Shape mine, Shape theirs) {
  if (mine == Shape::Five) return 0;
  if (theirs == Shape::Five) return 1;
  if (mine >= Shape::Four) return 2;
  if (theirs >= Shape::Four) return 3;
  if (mine >= Shape::ClosedThree) return 4;
  return mine >= Shape::ClosedTwo ? 5 : 6;
}

}  // namespace

Shape best_shape(const ThreatBoard& board, Color c, Move m) {
  Shape best = Shape::None;
  for (int d = 0; d < kDirections; ++d)
    if (const Shape s = board.shape(c, m, d); s != Shape::Overline) best = std::max(best, s);
  return best;
}

void greedy_moves(const ThreatBoard& board, std::vector<Move>& out) {
  const Position& p = board.position();
  const Color me = board.turn();
  int first = kLayers;
  for (int i = 0; i < p.cells(); ++i) {
    const auto m = static_cast<Move>(i);
    if (!p.empty(m)) continue;
    const int at = layer(best_shape(board, me, m), best_shape(board, ~me, m));
    if (at > first || !p.legal(m)) continue;
    if (at < first) out.clear();
    first = at;
    out.push_back(m);
  }
}

void forced_moves(const ThreatBoard& board, std::vector<Move>& out) {
  const Position& p = board.position();
  const Color me = board.turn();
  int first = 4;
  const CellSet near = cells_near_stones(p, 1);
  for (Move m = 0; m < p.cells(); ++m) {
    if (!p.legal(m)) continue;
    const Shape mine = best_shape(board, me, m), theirs = best_shape(board, ~me, m);
    const int at = mine == Shape::Five         ? 0
                   : theirs == Shape::Five     ? 1
                   : theirs == Shape::OpenFour ? 2
                   : near.has(m)               ? 3
                                               : 4;
    if (at > first) continue;
    if (at < first) out.clear();
    first = at;
    out.push_back(m);
  }
}

Move greedy_move(const ThreatBoard& board, Rng& random, std::vector<Move>& scratch) {
  scratch.clear();
  greedy_moves(board, scratch);
  return scratch[random.below(static_cast<int>(scratch.size()))];
}

}  // namespace tengen

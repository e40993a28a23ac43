#include "search/weight.h"

#include <compare>

namespace tengen {
namespace {

struct Worth {
  bool five = false;
  int sum = 0;
  int attack = 0;
  int nearness = 0;
  auto operator<=>(const Worth&) const = default;
};

int weight(const ThreatBoard& board, Color c, Move m) {
  int sum = 0;
  for (int d = 0; d < kDirections; ++d) sum += kWeights[static_cast<int>(board.shape(c, m, d))];
  return sum;
}

// Minus the squared distance from the centre, in half cells.
int nearness(const Position& p, Move m) {
  const int row = 2 * (m / p.width()) - p.height() + 1, col = 2 * (m % p.width()) - p.width() + 1;
  return -(row * row + col * col);
}

Worth worth(const ThreatBoard& board, Move m) {
  const Color me = board.turn();
  const int attack = weight(board, me, m);
  return {board.threat(me, m) == Threat::Five, attack + weight(board, ~me, m), attack, nearness(board.position(), m)};
}

}  // namespace

std::vector<Move> weight_moves(const ThreatBoard& board) {
  const Position& p = board.position();
  std::vector<Move> best;
  Worth most;
  for (int i = 0; i < p.cells(); ++i) {
    const auto m = static_cast<Move>(i);
    if (!p.empty(m)) continue;
    const Worth w = worth(board, m);
    if ((!best.empty() && w < most) || !p.legal(m)) continue;
    if (best.empty() || w > most) best.clear();
    most = w;
    best.push_back(m);
  }
  return best;
}

}  // namespace tengen

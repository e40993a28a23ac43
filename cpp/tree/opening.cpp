#include "tree/opening.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tengen {

namespace {

constexpr int kReach = 2;  // how far from another stone an opening stone may stand

bool near_stone(const Position& p, Move m) {
  const int row = m / p.width(), col = m % p.width();
  for (int r = std::max(0, row - kReach); r <= std::min(p.height() - 1, row + kReach); ++r)
    for (int c = std::max(0, col - kReach); c <= std::min(p.width() - 1, col + kReach); ++c)
      if (!p.empty(static_cast<Move>(r * p.width() + c))) return true;
  return false;
}

// Normally distributed around the middle of [0, size).
int central(int size, Rng& rng) {
  const double x = (size - 1) / 2.0 + rng.normal() * size / 5.0;
  return std::clamp(static_cast<int>(std::lround(x)), 0, size - 1);
}

Move first_stone(const Position& p, Rng& rng) {
  const int row = central(p.height(), rng), col = central(p.width(), rng);
  return static_cast<Move>(row * p.width() + col);
}

// After the move the game goes on and shapes prove nothing.
bool quiet(ThreatBoard& board, Move m) {
  if (!board.position().legal(m)) return false;
  board.play(m);
  Tactics tactics;
  bool calm = !board.over();
  if (calm) {
    look(board, tactics);
    calm = tactics.proof == Proof::None;
  }
  board.undo();
  return calm;
}

void shuffle(std::vector<Move>& moves, Rng& rng) {
  for (int i = static_cast<int>(moves.size()) - 1; i > 0; --i) std::swap(moves[i], moves[rng.below(i + 1)]);
}

}  // namespace

std::vector<Move> quiet_moves(ThreatBoard& board, int count, Rng& rng) {
  const Position& p = board.position();
  std::vector<Move> moves, chosen;
  for (Move m = 0; m < p.cells(); ++m)
    if (p.empty(m) && p.stones() && near_stone(p, m)) moves.push_back(m);
  if (!p.stones()) moves.push_back(first_stone(p, rng));
  shuffle(moves, rng);
  for (const Move m : moves) {
    if (static_cast<int>(chosen.size()) == count) break;
    if (quiet(board, m)) chosen.push_back(m);
  }
  return chosen;
}

bool play_random_opening(ThreatBoard& board, int moves, Rng& rng) {
  for (int played = 0; played < moves; ++played) {
    const auto options = quiet_moves(board, 1, rng);
    if (options.empty()) {
      while (played--) board.undo();
      return false;
    }
    board.play(options[0]);
  }
  return true;
}

}  // namespace tengen

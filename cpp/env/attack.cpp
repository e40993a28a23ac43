#include "env/attack.h"

#include <algorithm>
#include <vector>

#include "search/greedy.h"

namespace tengen {
namespace {

// Fours first, then open threes. With the opponent about to make five, only its cell counts.
std::vector<Move> forcing_moves(const ThreatBoard& board) {
  const Position& p = board.position();
  const Color me = board.turn();
  std::vector<Move> fours, threes, blocks;
  for (Move m = 0; m < p.cells(); ++m) {
    if (!p.legal(m)) continue;
    if (best_shape(board, ~me, m) == Shape::Five) blocks.push_back(m);
    const Shape own = best_shape(board, me, m);
    if (own >= Shape::Four)
      fours.push_back(m);
    else if (own == Shape::OpenThree)
      threes.push_back(m);
  }
  if (!blocks.empty()) return blocks;
  fours.insert(fours.end(), threes.begin(), threes.end());
  return fours;
}

Move five(const ThreatBoard& board) {
  const Position& p = board.position();
  for (Move m = 0; m < p.cells(); ++m)
    if (p.legal(m) && best_shape(board, board.turn(), m) == Shape::Five) return m;
  return kNoMove;
}

bool wins(ThreatBoard& board, Move m, int stones, const Answers& answers) {
  board.play(m);
  bool won = !board.over();
  if (won)
    for (const Move answer : answers(board)) {
      board.play(answer);
      won = !board.over() && attack_move(board, stones - 1, answers) != kNoMove;
      board.undo();
      if (!won) break;
    }
  board.undo();
  return won;
}

}  // namespace

Move attack_move(ThreatBoard& board, int stones, const Answers& answers) {
  if (const Move m = five(board); m != kNoMove || stones <= 1) return m;
  for (const Move m : forcing_moves(board))
    if (wins(board, m, stones, answers)) return m;
  return kNoMove;
}

}  // namespace tengen

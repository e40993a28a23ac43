#include "env/plan.h"

#include <algorithm>

#include "rules/symmetries.h"
#include "search/greedy.h"

namespace tengen {
namespace {

constexpr int kDraws = 16;  // a new answer and the same ones again, so often in a row: very likely there are no others

}  // namespace

Move Planner::View::back(Move m) const {
  return static_cast<Move>(std::find(image->begin(), image->end(), m) - image->begin());
}

Planner::View Planner::look(const Position& p) {
  View view{0, nullptr};
  for (int s = 0; s < symmetries(p.width(), p.height()); ++s) {
    const auto& image = symmetry_map(p.width(), p.height(), s);
    std::uint64_t key = 0;
    for (Move m = 0; m < p.cells(); ++m)
      if (!p.empty(m)) key ^= p.geometry().zobrist[image[m]][p.holds(m, Color::White)];
    if (!view.image || key < view.key) view = {key, &image};
  }
  return view;
}

Move Planner::move(ThreatBoard board, int quiet) {
  for (int few = 0; few <= quiet; ++few)
    if (const Move m = search(board, few); m != kNoMove) return m;
  return kNoMove;
}

Move Planner::search(ThreatBoard& board, int quiet) {
  const View view = look(board.position());
  Known& known = known_[view.key];
  if (known.win != kNoMove) return view.back(known.win);
  if (known.failed >= quiet) return kNoMove;
  Move m = known.failed < 0 ? forced_win(board) : kNoMove;
  if (m == kNoMove && quiet > 0) m = quiet_win(board, quiet);
  if (m == kNoMove)
    known.failed = quiet;
  else
    known.win = (*view.image)[m];
  return m;
}

// Against one answer a move first, which is cheap and mostly tells that there is no such win.
Move Planner::forced_win(ThreatBoard& board) {
  if (attack_move(board, stones_, [this](const ThreatBoard& b) { return std::vector{ask(b)}; }) == kNoMove)
    return kNoMove;
  return attack_move(board, stones_, [this](const ThreatBoard& b) { return replies(b); });
}

Move Planner::quiet_win(ThreatBoard& board, int quiet) {
  std::vector<Move> moves;
  forced_moves(board, moves);
  const auto found = std::find_if(moves.begin(), moves.end(), [&](Move m) { return beats_all(board, m, quiet); });
  return found == moves.end() ? kNoMove : *found;
}

bool Planner::beats_all(ThreatBoard& board, Move m, int quiet) {
  board.play(m);
  bool wins = !board.over();
  if (wins)
    for (const Move reply : replies(board)) {
      board.play(reply);
      wins = !board.over() && search(board, quiet - 1) != kNoMove;
      board.undo();
      if (!wins) break;
    }
  board.undo();
  return wins;
}

std::vector<Move> Planner::replies(const ThreatBoard& board) {
  const View view = look(board.position());
  auto entry = replies_.find(view.key);
  if (entry == replies_.end()) {
    std::vector<Move> drawn;
    for (int known = 0; known < kDraws; ++known) {
      const Move m = (*view.image)[ask(board)];
      if (std::find(drawn.begin(), drawn.end(), m) != drawn.end()) continue;
      drawn.push_back(m);
      known = 0;
    }
    entry = replies_.emplace(view.key, std::move(drawn)).first;
  }
  std::vector<Move> out = entry->second;
  for (Move& m : out) m = view.back(m);
  return out;
}

Move Planner::ask(const ThreatBoard& board) {
  pause_();
  return answer_(board);
}

}  // namespace tengen

#include "study/verdicts.h"

#include <algorithm>

namespace tengen::study {

namespace {

std::optional<Color> winner(const Look& look) {
  return look.proof ? std::optional<Color>(look.proof->winner) : std::nullopt;
}

Verdict still_wins(Move m, const Look& before, const Look& after) {
  const Proof& win = *after.proof;
  const bool as_fast = !before.proof || win.moves < before.proof->moves;
  return {m == before.best || as_fast ? Mark::Best : Mark::Good, 0,
          Reason{Why::Wins, win.line, false, {}, win.moves + 1, win.force}};
}

// The stones that stand already of the row that wins, when a single row does it in one move or in two.
std::vector<Move> shape_left(const ThreatBoard& reply, const Proof& win) {
  if (win.line.size() > 3 || win.winner != reply.turn()) return {};
  ThreatBoard board = reply;
  for (Move m : win.line) {
    if (board.over() || !board.position().legal(m)) return {};
    board.play(m);
  }
  const auto row = board.position().winning_line();
  std::vector<Move> standing;
  for (Move cell : row)
    if (std::find(win.line.begin(), win.line.end(), cell) == win.line.end()) standing.push_back(cell);
  const std::size_t placed = (win.line.size() + 1) / 2;
  return standing.size() + placed == row.size() ? standing : std::vector<Move>{};
}

// The four or the open three that stayed open, or how the opponent wins.
Reason why_lost(const ThreatBoard& reply, const Proof& win) {
  const auto shape = shape_left(reply, win);
  const Why why = shape.empty() ? Why::Allows : win.line.size() == 1 ? Why::LeavesFour : Why::LeavesThree;
  return {why, win.line, false, shape, win.moves, win.force};
}

// To lose at once where one could have resisted is a fault; to lose slowly is none.
Verdict in_a_lost_position(const ThreatBoard& reply, const Look& before, const Proof& win) {
  const Reason reason = why_lost(reply, win);
  const bool left = reason.why == Why::LeavesFour || reason.why == Why::LeavesThree;
  if (left && win.moves < before.proof->moves) return {Mark::Blunder, 0, reason};
  return {Mark::Lost, 0, Reason{Why::NoDefence, win.line}};
}

Reason missed(const Proof& win) {
  return {win.force == Force::Five ? Why::MissesFive : Why::Misses, win.line, true, {}, win.moves, win.force};
}

Mark by_size(double drop) {
  if (drop >= kBlunder) return Mark::Blunder;
  if (drop >= kMistake) return Mark::Mistake;
  return drop >= kInaccuracy ? Mark::Inaccuracy : Mark::Good;
}

Verdict quiet(Move m, const Look& before, double drop) {
  if (m == before.best) return {Mark::Best};
  const Mark mark = by_size(drop);
  if (!is_fault(mark) || before.best == kNoMove) return {mark, drop};
  return {mark, drop, Reason{Why::Better, before.line.empty() ? std::vector{before.best} : before.line, true}};
}

}  // namespace

Verdict judge(const ThreatBoard& board, Move m, const Look& before, const Look& after) {
  const Color mover = board.turn();
  ThreatBoard reply = board;
  reply.play(m);
  const double drop = std::max(0.0, before.of(mover) - after.of(mover));
  if (reply.position().won())
    return {Mark::Best, 0, Reason{Why::MakesFive, {}, false, reply.position().winning_line()}};
  if (reply.over()) return quiet(m, before, drop);
  const auto won_before = winner(before), won_after = winner(after);
  if (won_after == mover) return still_wins(m, before, after);
  if (won_after && won_before == won_after) return in_a_lost_position(reply, before, *after.proof);
  if (won_after) return {Mark::AllowedWin, drop, why_lost(reply, *after.proof)};
  if (won_before == mover) return {Mark::MissedWin, drop, missed(*before.proof)};
  if (won_before) return {Mark::Lost, 0, Reason{Why::NoDefence}};
  return quiet(m, before, drop);
}

}  // namespace tengen::study

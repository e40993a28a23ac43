#include "study/trainer.h"

#include <algorithm>

namespace tengen::study {

using State = Answer::State;

Answer Trainer::attacked(const ThreatBoard& board, Move m, bool known) {
  const ThreatBoard after = played(board, m);
  if (after.over()) return {after.position().won() ? State::Solved : State::Wrong};
  if (!known && !starts_a_win(board, m)) return refuted(board, m);
  const auto replies = forced_.replies(after, Mode::Threats).value_or(std::vector<Move>{});
  if (replies.empty()) return {State::Solved};
  Move longest = kNoMove;
  std::size_t most = 0;
  for (Move reply : replies)
    if (const std::size_t length = line(played(after, reply)).size(); longest == kNoMove || length > most)
      longest = reply, most = length;
  return {State::Right, longest};
}

Answer Trainer::defended(const ThreatBoard& board, Move m, bool known) {
  constexpr int kMostFours = 2;
  std::optional<bool> held = true;
  if (!known) held = forced_.holds(board, m, kMostFours);
  if (!held) held = deeper_.holds(board, m, kMostFours);
  if (held.value_or(false)) return {State::Solved};
  const ThreatBoard after = played(board, m);
  return {State::Wrong, kNoMove, after.over() ? std::vector<Move>{} : quick_line(after), true};
}

std::vector<Move> Trainer::line(const ThreatBoard& board) {
  auto found = quick_line(board);
  return found.empty() ? deeper_.line(board, Mode::Threats) : found;
}

std::vector<Move> Trainer::quick_line(const ThreatBoard& board) {
  auto fours = forced_.line(board, Mode::Fours);
  return fours.empty() ? forced_.line(board, Mode::Threats) : fours;
}

// The solver's own first move is proven against every reply; any other is asked about reply by reply.
bool Trainer::starts_a_win(const ThreatBoard& board, Move m) {
  for (Mode mode : {Mode::Fours, Mode::Threats})
    if (const auto found = forced_.line(board, mode); !found.empty() && found.front() == m) return true;
  if (const auto found = forced_.settled(board, m, Mode::Threats)) return *found;
  return deeper_.is_winning(board, m, Mode::Threats);
}

Answer Trainer::refuted(const ThreatBoard& board, Move m) {
  const ThreatBoard after = played(board, m);
  if (auto win = quick_line(after); !win.empty()) return {State::Wrong, kNoMove, win, true};
  for (Move reply : forced_.replies(after, Mode::Threats).value_or(std::vector<Move>{}))
    if (!forced_.wins(played(after, reply), Mode::Threats)) return {State::Wrong, kNoMove, {reply}};
  return {State::Wrong};
}

Idea idea_of(const ThreatBoard& board, Move m, bool defence) {
  const Color side = board.turn();
  const ThreatBoard after = played(board, m);
  if (after.over()) return Idea::Five;
  const auto own = fives(after, side).size();
  const auto other = fives(board, ~side);
  if (std::find(other.begin(), other.end(), m) != other.end()) return Idea::BlockFive;
  if (own >= 2) return Idea::DoubleFour;
  if (own == 1) return defence ? Idea::CounterFour : Idea::Four;
  if (defence) return Idea::Block;
  int threes = 0;
  for (int d = 0; d < kDirections; ++d) threes += board.shape(side, m, d) == Shape::OpenThree;
  return threes >= 2 ? Idea::DoubleThree : threes ? Idea::Three : Idea::Quiet;
}

}  // namespace tengen::study

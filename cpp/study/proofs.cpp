#include "study/proofs.h"

#include <algorithm>

namespace tengen::study {

namespace {

// The stones of a position and those of a line that `side` begins, but for its last; `side` is who plays that one.
Position with_line(const Position& from, Color& side, const std::vector<Move>& line) {
  Position position(from.width(), from.height(), from.k(), from.rule());
  for (Move m = 0; m < from.cells(); ++m)
    if (!from.empty(m)) position.place(m, from.holds(m, Color::Black) ? Color::Black : Color::White);
  for (std::size_t i = 0; i + 1 < line.size(); ++i, side = ~side) position.place(line[i], side);
  return position;
}

bool ends_in_five(const Position& position, Color winner, const std::vector<Move>& line) {
  Color side = winner;
  const Position before = with_line(position, side, line);
  return side == winner && before.makes_five(winner, line.back());
}

// Under renju a line may end with a four that black is forbidden to stop: five comes one move later.
Proof make_proof(const Position& position, Color winner, const std::vector<Move>& line, Force force) {
  const bool unstopped =
      position.rule() == Rule::Renju && winner == Color::White && !ends_in_five(position, winner, line);
  return {winner, line, force, static_cast<int>(line.size() + 1) / 2 + unstopped};
}

// Every legal move, those that stand in the way of a threat first: they tell soonest that nothing is lost.
std::vector<Move> defences_first(const Position& position, const std::vector<Move>& threat) {
  std::vector<Move> first, rest;
  for (Move m : threat)
    if (position.legal(m) && std::find(first.begin(), first.end(), m) == first.end()) first.push_back(m);
  for (Move m = 0; m < position.cells(); ++m)
    if (position.legal(m) && std::find(first.begin(), first.end(), m) == first.end()) rest.push_back(m);
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

}  // namespace

std::optional<Proof> carried_on(const Proof& proof, Move m, Color mover) {
  if (proof.line.size() < 2 || proof.line.front() != m) return std::nullopt;
  const bool own = proof.winner == mover;
  const Force force = !own && proof.moves == 1 ? Force::Five : proof.force;
  return Proof{proof.winner, {proof.line.begin() + 1, proof.line.end()}, force, proof.moves - own};
}

std::optional<Proof> carried_back(const Proof& proof, Move m, Color mover) {
  if (proof.winner != mover) return std::nullopt;
  Proof before{mover, {m}, proof.line.empty() ? Force::Five : Force::Threats, proof.moves + 1};
  before.line.insert(before.line.end(), proof.line.begin(), proof.line.end());
  return before;
}

Prover::Prover(std::size_t hash_entries) : vcf_(hash_entries), vct_(std::size_t{1} << 20, hash_entries) {}

std::optional<Proof> Prover::prove(const ThreatBoard& board, const Effort& effort, const Stopped& stopped) {
  auto proof = win(board, effort, board.turn());
  return proof ? proof : loss(board, effort, stopped);
}

std::optional<Proof> Prover::win(const ThreatBoard& board, const Effort& effort, Color attacker) {
  ThreatBoard copy = board;
  const auto found = [&](const std::vector<Move>& line, Force force) {
    return make_proof(board.position(), attacker, line, line.size() == 1 ? Force::Five : force);
  };
  if (vcf_.solve(copy, attacker, {.nodes = effort.fours}).win) return found(vcf_.line(), Force::Fours);
  if (vct_.solve(copy, attacker, {.nodes = effort.threats}).win) return found(vct_.line(), Force::Threats);
  return std::nullopt;
}

std::optional<Proof> Prover::loss(const ThreatBoard& board, const Effort& effort, const Stopped& stopped) {
  const Color other = ~board.turn();
  const auto threat = win(board, effort, other);
  if (!threat) return std::nullopt;
  std::optional<Proof> longest;
  for (Move m : defences_first(board.position(), threat->line)) {
    if (stopped && stopped()) return std::nullopt;
    ThreatBoard after = board;
    after.play(m);
    const auto answer = after.over() ? std::nullopt : win(after, effort, other);
    if (!answer) return std::nullopt;
    if (longest && answer->moves <= longest->moves) continue;
    longest = Proof{other, {m}, answer->force, answer->moves};
    longest->line.insert(longest->line.end(), answer->line.begin(), answer->line.end());
  }
  return longest;
}

}  // namespace tengen::study

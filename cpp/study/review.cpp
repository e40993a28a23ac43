#include "study/review.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace tengen::study {

namespace {

constexpr double kNear = 0.08;   // a drop of value is looked at again when it is this near to a class, or over it
constexpr double kSharp = 0.6;   // a value this far from even may hide a forced win
constexpr double kSure = 0.9;    // from here on a player's claim to win is put to the proof
constexpr double kClaim = 0.99;  // what a player claims at most: only a proof is certain

Look proven(const Proof& proof) { return {1, proof.winner, proof.line.front(), proof.line, proof}; }

bool doubtful(const std::optional<Verdict>& verdict) {
  if (!verdict) return false;
  const Mark mark = verdict->mark;
  return mark == Mark::MissedWin || mark == Mark::AllowedWin || mark == Mark::Lost ||
         verdict->drop >= kInaccuracy - kNear;
}

// The proof of what a player claims: that every answer to its move loses.
std::optional<Proof> proof_of_claim(const ThreatBoard& board, Move m, Prover& prover, const Effort& most,
                                    const Stopped& stopped) {
  ThreatBoard after = board;
  after.play(m);
  if (after.over()) return std::nullopt;
  const Effort effort{std::min(most.fours, kThorough.fours), std::min(most.threats, kThorough.threats)};
  const auto proof = prover.prove(after, effort, stopped);
  return proof ? carried_back(*proof, m, board.turn()) : std::nullopt;
}

}  // namespace

Look look_at(const ThreatBoard& board, Prover& prover, const Pass& pass, const Ask& ask, const Stopped& stopped) {
  if (board.position().won()) {
    const Color winner = board.position().winner();
    return {winner == Color::Black ? 1.0 : -1.0, Color::Black, kNoMove, {}, Proof{winner, {}, Force::Five, 0}};
  }
  if (board.over()) return {0, Color::Black};
  if (const auto proof = prover.prove(board, pass.effort, stopped)) return proven(*proof);
  Opinion opinion = ask(board, pass.nodes);
  if (opinion.value >= kSure)
    if (const auto proof = proof_of_claim(board, opinion.move, prover, pass.effort, stopped)) return proven(*proof);
  if (opinion.line.empty()) opinion.line = {opinion.move};
  return {std::clamp(opinion.value, -kClaim, kClaim), board.turn(), opinion.move, opinion.line};
}

Verdict second_try(const ThreatBoard& board, Move m, const Look& before, const Ask& ask, const Stopped& stopped) {
  const auto& known = before.proof;
  if (const auto proof = known ? carried_on(*known, m, board.turn()) : std::nullopt)
    return judge(board, m, before, proven(*proof));
  ThreatBoard after = board;
  after.play(m);
  Prover prover;
  const bool winning = known && known->winner == board.turn();
  return judge(board, m, before, look_at(after, prover, kPasses[winning ? 2 : 1], ask, stopped));
}

Review::Review(const ThreatBoard& start, const std::vector<Move>& moves, Ask ask, std::vector<Pass> passes)
    : boards_{start}, moves_(moves), ask_(std::move(ask)), passes_(std::move(passes)) {
  for (Move m : moves_) {
    boards_.push_back(boards_.back());
    boards_.back().play(m);
  }
  looks_.resize(boards_.size());
  verdicts_.resize(boards_.size());
}

std::vector<Finding> Review::step(const Stopped& stopped) {
  const int ply = ply_;
  Look look = better_look(ply, passes_[sweep_], stopped);
  std::vector<Finding> found;
  if (looks_[ply] != look) {
    looks_[ply] = std::move(look);
    found = news(ply);
  }
  if (++ply_ == static_cast<int>(boards_.size())) ply_ = 0, ++sweep_;
  return found;
}

// A better look at a position; the one we have where there is nothing to gain.
Look Review::better_look(int ply, const Pass& pass, const Stopped& stopped) {
  const auto& known = looks_[ply];
  if (known && (known->proof || boards_[ply].over())) return *known;  // a proof is for ever
  if (const auto given = given_.find(ply); given != given_.end()) return proven(given->second);
  if (const auto proof = handed_on(ply)) return proven(*proof);
  if (!known || unsettled(ply)) return look_at(boards_[ply], prover_, pass, ask_, stopped);
  const auto proof = pass.everywhere ? prover_.prove(boards_[ply], pass.effort, stopped) : std::nullopt;
  return proof ? proven(*proof) : *known;
}

// The proof of the position before, when the move played is the one it goes on with.
std::optional<Proof> Review::handed_on(int ply) const {
  if (!ply || !looks_[ply - 1] || !looks_[ply - 1]->proof) return std::nullopt;
  return carried_on(*looks_[ply - 1]->proof, moves_[ply - 1], boards_[ply - 1].turn());
}

// What a look at `ply` changes: proofs wander back along the line, and verdicts follow.
std::vector<Finding> Review::news(int ply) {
  std::vector<int> changed = carry_back(ply);
  changed.push_back(ply);
  std::set<int> touched;
  for (int at : changed) touched.insert({at, at + 1});
  std::vector<Finding> found;
  for (int at : touched) {
    if (at >= static_cast<int>(boards_.size()) || !looks_[at]) continue;
    auto now = verdict(at);
    const bool is_new = std::find(changed.begin(), changed.end(), at) != changed.end();
    if (!is_new && now == verdicts_[at]) continue;
    verdicts_[at] = now;
    found.push_back({at, *looks_[at], now, static_cast<int>(sweep_)});
  }
  return found;
}

// A move into a position that is won for its player proves the position before it.
std::vector<int> Review::carry_back(int ply) {
  std::vector<int> changed;
  for (; ply > 0; --ply) {
    const auto &here = looks_[ply], &before = looks_[ply - 1];
    if (!here || !before || !here->proof || before->proof) break;
    const auto proof = carried_back(*here->proof, moves_[ply - 1], boards_[ply - 1].turn());
    if (!proof) break;
    looks_[ply - 1] = proven(*proof);
    changed.push_back(ply - 1);
  }
  return changed;
}

std::optional<Verdict> Review::verdict(int ply) const {
  if (!ply || !looks_[ply - 1] || !looks_[ply]) return std::nullopt;
  return judge(boards_[ply - 1], moves_[ply - 1], *looks_[ply - 1], *looks_[ply]);
}

// May this position be won or lost without a proof yet, or is it next to a move that looks bad?
bool Review::unsettled(int ply) const {
  if (looks_[ply] && std::abs(looks_[ply]->value) >= kSharp) return true;
  if (doubtful(verdicts_[ply])) return true;
  return ply + 1 < static_cast<int>(verdicts_.size()) && doubtful(verdicts_[ply + 1]);
}

}  // namespace tengen::study

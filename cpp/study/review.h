// A whole game looked at move by move: a first pass at once, then deeper where it matters until the verdicts stand.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "study/proofs.h"
#include "study/verdicts.h"

namespace tengen::study {

// One sweep: nodes of the player's search for a position, and the effort for proofs.
struct Pass {
  std::uint64_t nodes;
  Effort effort;
  bool everywhere;  // search for proofs in all positions, not only in those that are not settled
};
constexpr Pass kPasses[] = {{4'000, kQuick, true}, {40'000, kThorough, true}, {200'000, kDeep, false}};

// What a player thinks of a position: its move, the value for the side to move, how it goes on.
struct Opinion {
  Move move;
  double value;
  std::vector<Move> line;
};
using Ask = std::function<Opinion(const ThreatBoard& board, std::uint64_t nodes)>;

// What is known of the position after `ply` moves, and the verdict on the move that led there.
struct Finding {
  int ply;
  Look look;
  std::optional<Verdict> verdict;
  int sweep;
};

// A position: its result, else a proof, else the opinion of the player. Where the player is sure to win, its move is
// put to the proof too: it may be a quiet one, which the solvers do not begin with.
Look look_at(const ThreatBoard& board, Prover& prover, const Pass& pass, const Ask& ask, const Stopped& stopped = {});

// The verdict on the legal move `m`, tried at a position of a review that has `before` of it. It goes by what the
// review knows, so that the two agree; where a win is to be kept it is looked for as hard as the review does.
Verdict second_try(const ThreatBoard& board, Move m, const Look& before, const Ask& ask, const Stopped& stopped = {});

class Review {
 public:
  // `moves` are legal from `start` on.
  Review(const ThreatBoard& start, const std::vector<Move>& moves, Ask ask, std::vector<Pass> passes);

  // What was proven before of the position after `ply` moves. To be told before the first step.
  void know(int ply, const Proof& proof) { given_[ply] = proof; }
  bool done() const { return sweep_ == passes_.size(); }
  // Looks at one position. Every position comes once in each pass; what it changes is told, each finding in place of
  // the one before it.
  std::vector<Finding> step(const Stopped& stopped = {});

 private:
  Look better_look(int ply, const Pass& pass, const Stopped& stopped);
  std::optional<Proof> handed_on(int ply) const;
  std::vector<int> carry_back(int ply);
  std::vector<Finding> news(int ply);
  std::optional<Verdict> verdict(int ply) const;
  bool unsettled(int ply) const;

  std::vector<ThreatBoard> boards_;
  std::vector<Move> moves_;
  Ask ask_;
  std::vector<Pass> passes_;
  std::map<int, Proof> given_;
  std::vector<std::optional<Look>> looks_;
  std::vector<std::optional<Verdict>> verdicts_;
  Prover prover_;
  std::size_t sweep_ = 0;
  int ply_ = 0;
};

}  // namespace tengen::study

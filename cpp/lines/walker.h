// A board that follows one thread through the tree of a line search: it judges positions and lists their moves.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lines/edges.h"
#include "lines/features.h"
#include "lines/network.h"
#include "rules/threats.h"
#include "solve/tactics.h"
#include "solve/vct.h"

namespace tengen {

struct LineSearchOptions {
  float c_puct = 1.0f;       // weight of the prior against the value ...
  float c_growth = 0.4f;     // ... times 1 + c_growth * log(1 + visits / 500)
  float fpu = 0.1f;          // an untried move counts as its node minus this
  float temperature = 1.0f;  // of the network's policy; above 1 makes it flatter
  int children = 40;         // moves a node keeps at most; the root keeps all
  bool solver = true;
  int vcf_nodes = 16;   // at each leaf; 0: shapes alone
  int vct_nodes = 400;  // of a search for continuous threats at a position visited often; 0: none
  bool graph = true;    // all ways into a position share what is known of it
  double memory_mb = 256;
};

class LineWalker {
 public:
  LineWalker(const LineNetwork& network, const ThreatBoard& root, const LineSearchOptions& options);

  const Position& position() const { return solver_ ? threats_.position() : plain_; }
  void go(std::span<const Move> path);  // from the root
  void play(Move m);
  void undo();
  void advance(Move m);  // the root moves on for good
  float value() { return features_.value(position().turn()); }
  // A win that the solver sees for the side to move, or a loss.
  const Tactics& attack();
  // A win by continuous threats for the side to move: its first move and its length, or kNoMove.
  Move win_by_threats(std::int64_t nodes, int& length);
  // Moves of the position with their shares of the policy, likeliest first. At most `most`; `complete` tells whether
  // these are all that matter.
  struct Choice {
    Move move;
    float prior;
  };
  const std::vector<Choice>& choices(int most, bool& complete);

 private:
  const Tactics& hints();
  friend class LineTree;
  bool legal(Move m) const { return !renju_ || position().legal(m); }

  const LineSearchOptions* options_;
  bool solver_, renju_;
  ThreatBoard threats_;  // with the solver
  Position plain_;       // without
  LineFeatures features_;
  std::vector<Move> played_;
  std::vector<LineEdge*> path_;
  std::vector<char> shared_;  // for each edge of the path: others lead to the same position, and were searched
  std::uint64_t key_ = 0;     // of the end of the path
  std::vector<Move> moves_;
  Solver solve_;
  std::unique_ptr<Vct> vct_;  // made when first needed
  Tactics tactics_;
  std::vector<float> scores_;
  std::vector<Choice> choices_;
  int depth_ = 0;
};

}  // namespace tengen

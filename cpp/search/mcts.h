// Pure Monte Carlo tree search: UCB1 down the tree, one random game from each new leaf, results averaged on the way up.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "rules/position.h"
#include "rules/rng.h"
#include "rules/types.h"
#include "search/rollout.h"

namespace tengen {

struct MctsOptions {
  double exploration = 1.4142135623730951;  // c in mean + c * sqrt(ln N / n), means in [0, 1]; sqrt 2 is UCB1
  int rollout_limit = 0;                    // a random game longer than this is a draw; 0: no limit
  std::uint64_t seed = 0;
  int max_edges = 3'000'000;  // the tree stops growing there (26 bytes each); playouts go on
};

class Mcts {
 public:
  struct Candidate {
    Move move;
    std::uint32_t visits;
    double value;  // for the side to move at the root, in [-1, 1]
  };

  // The position must not be over.
  Mcts(const Position& position, const MctsOptions& options);

  // Adds playouts to the tree until there are `playouts` in all, `seconds` have passed or stop() is called; 0 means no
  // such limit, but at least one must be given. A win at once and an only move need no search: one playout is made.
  // At least one playout has been made when it returns. Gives the number of playouts so far.
  std::int64_t run(std::int64_t playouts, double seconds);
  // Ends the search for good, whether it runs already or not; from any thread.
  void stop() { stop_ = true; }

  std::int64_t playouts() const { return playouts_; }
  // Moves tried at the root, most visited first, equals by value.
  std::vector<Candidate> candidates() const;
  // Most visited moves from the root on.
  std::vector<Move> pv() const;

 private:
  using Edge = std::int32_t;
  static constexpr std::int32_t kNoNode = -1;

  // The moves of a position: edges first .. first + count, of which `tried` were visited, in random order.
  struct Node {
    Edge first;
    std::int32_t count, tried;
    std::uint32_t visits;
  };

  void playout();
  int descend();
  std::int32_t expand(bool root);
  Edge next_edge(Node& node);
  Edge best_by_ucb(const Node& node);
  void back_up(double reward);
  Edge most_visited(const Node& node) const;

  RolloutBoard board_;
  MctsOptions options_;
  Rng random_;
  std::atomic<bool> stop_{false};
  std::int64_t playouts_ = 0;
  bool settled_ = false;
  std::vector<Node> nodes_;
  std::vector<Edge> path_;
  std::vector<Move> moves_;           // scratch of expand
  std::vector<std::int32_t> scores_;  // scratch of best_by_ucb

  // Edges, one array a field so that UCB1 runs over them in vectors.
  Edge edges_ = 0;
  std::unique_ptr<Move[]> move_;
  std::unique_ptr<std::uint32_t[]> visits_;
  std::unique_ptr<double[]> reward_;       // sum for the side that moves
  std::unique_ptr<float[]> mean_;          // reward / visits
  std::unique_ptr<float[]> inverse_root_;  // 1 / sqrt(visits)
  std::unique_ptr<std::int32_t[]> child_;
};

// Playouts a second of searches of 10,000 playouts from the empty board.
double playouts_per_second(int width, double seconds);

}  // namespace tengen

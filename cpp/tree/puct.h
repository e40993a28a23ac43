// One search tree: descent by PUCT, expansion with a network's policy, backing up of values and of proofs.
//
// A node lists its moves as packed edges of four bytes; statistics exist only for moves that were tried, so a node
// costs about a kilobyte on 15x15. Values in a node's arrays are for the side to move at that node. A tree can be
// asked for several leaves before the first is evaluated: moves on their way count as lost for the time being.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rules/threats.h"
#include "solve/tactics.h"
#include "tree/encode.h"
#include "tree/evaluation_cache.h"
#include "tree/node_memory.h"
#include "tree/search_options.h"

namespace tengen {

// A move and its prior as a cost, -log(prior) * 4096, so that the least word is the likeliest move.
class Edge {
 public:
  Edge() = default;
  Edge(Move m, std::uint16_t cost) : word_(static_cast<std::uint32_t>(cost) << 16 | static_cast<std::uint16_t>(m)) {}
  Move move() const { return static_cast<Move>(word_ & 0xffff); }
  std::uint16_t cost() const { return static_cast<std::uint16_t>(word_ >> 16); }
  float log_prior() const { return -static_cast<float>(cost()) / kCostUnit; }
  std::uint32_t word() const { return word_; }

  static constexpr float kCostUnit = 4096.0f;

 private:
  std::uint32_t word_;
};

struct Node {
  enum class State : std::uint8_t { New, Waiting, Open };

  Edge* edges = nullptr;  // [edge_count]: tried moves in order of trial, then the likeliest other move, then the rest
  std::byte* block = nullptr;
  std::uint16_t edge_count = 0;
  std::uint16_t tried = 0;
  std::uint16_t capacity = 0;  // of the statistics in `block`
  std::uint16_t settled = 0;   // tried moves whose result is proven
  std::uint16_t distance = 0;  // plies to the end when proven
  State state = State::New;
  Proof proof = Proof::None;
  bool counted = false;    // the parent knows of the proof
  bool evaluated = false;  // `value` came from the network
  float value = 0;
  float next_prior = 0;  // prior of edges[tried]
  float mass = 0;        // prior of the tried moves together

  // Statistics of the tried moves, for the side to move here. A refuted move has q = kRefuted and p = 0.
  Node** child() const { return reinterpret_cast<Node**>(block); }
  float* n() const { return reinterpret_cast<float*>(block + capacity * sizeof(Node*)); }
  float* q() const { return n() + capacity; }
  float* p() const { return n() + 2 * capacity; }
  std::uint16_t* waiting() const { return reinterpret_cast<std::uint16_t*>(n() + 3 * capacity); }
};

constexpr float kRefuted = -2.0f;

inline float proven_value(Proof p) { return p == Proof::Win ? 1.0f : p == Proof::Loss ? -1.0f : 0.0f; }

struct TreeStats {
  std::int64_t simulations = 0;
  std::int64_t evaluations = 0;
  std::int64_t cache_hits = 0;
};

// A leaf on its way to the network and back.
struct PendingLeaf {
  struct Step {
    Node* node;
    int child;
  };
  std::vector<Step> path;  // from the root
  Node* leaf = nullptr;
  std::vector<Move> moves;  // what the leaf will be expanded with
  std::vector<Move> hints;  // not empty: moves to prefer among them
  std::uint64_t key = 0;
};

class Tree {
 public:
  // `shapes`: the board keeps threats at the leaves (needed by the solver, by renju and by shape planes).
  Tree(const ThreatBoard& root, const SearchOptions& options, bool shapes, EvalCache* cache);

  enum class Result {
    Leaf,      // `pending` waits for expand(); the board stands at its leaf until the next call
    Done,      // the simulation ended inside: end of the game, a proof, the cache
    Collided,  // the way leads to a leaf already waiting; nothing was changed
  };
  // One simulation. `first`: index of the tried root move to begin with, or -1 to let PUCT choose.
  Result select(PendingLeaf& pending, int first = -1);
  // Logits of every cell and the value for the side to move at the leaf.
  void expand(PendingLeaf& pending, const float* logits, float value);
  // Gives a waiting leaf back unevaluated.
  void abandon(PendingLeaf& pending);

  // The board at the leaf last selected.
  const Position& leaf_position() const { return shapes_ ? threats_.position() : plain_; }
  const ThreatBoard& leaf_threats() const { return threats_; }

  // Makes `m` the root's move for good, keeping what is known below it when `keep`.
  void advance(Move m, bool keep);
  void restart(const ThreatBoard& root);

  Node& root() { return *root_; }
  const Node& root() const { return *root_; }
  const ThreatBoard& board() const { return board_; }
  float root_visits() const { return root_n_; }
  float root_value() const { return root_->proof == Proof::None ? root_q_ : proven_value(root_->proof); }
  // Index of the tried move `m` at `node`, trying it when it was not; -1 when the move is not among the edges.
  int try_move(Node& node, Move m);
  // Replaces the priors of the root's moves, given in the order of its edges.
  void set_root_priors(std::span<const float> priors);
  // The likeliest continuation from the root, or below its tried move `first`.
  std::vector<Move> line(int first = -1) const;

  const SearchOptions& options() const { return options_; }
  const TreeStats& stats() const { return stats_; }
  std::size_t bytes() const { return memory_.held() + spare_.held(); }
  int depth() const { return depth_; }

 private:
  void go(const std::vector<PendingLeaf::Step>& path);
  void rewind();
  void play(Move m);
  void undo();
  int pick(const Node& node, float visits, float value) const;
  int best_tried(const Node& node, float scale, float& score) const;
  bool visit(PendingLeaf& pending);
  bool visit_forced(Node& leaf, PendingLeaf& pending);
  void legal_moves(std::vector<Move>& out) const;
  void open(Node& node, std::span<const Move> moves, const float* logits);
  const float* hinted(const PendingLeaf& pending, const float* logits);
  void find_next(Node& node);
  int try_next(Node& node);
  void resize(Node& node, int capacity);
  void backup(PendingLeaf& pending, float value);
  bool settle(Node& node, int i, const Node& child);
  void conclude(Node& node);
  static float mean(const Node& node);
  Node* make_node();
  Node* copy(const Node& from);

  SearchOptions options_;
  bool shapes_;
  EvalCache* cache_;
  ThreatBoard board_;         // the root
  ThreatBoard threats_;       // the leaf, when shapes_
  Position plain_;            // the leaf, when not
  std::vector<Move> played_;  // from the root to the leaf
  NodeMemory memory_, spare_;
  Node* root_;
  float root_n_ = 0, root_q_ = 0;
  int pending_ = 0;
  int depth_ = 0;
  Solver solver_;
  Tactics tactics_;
  std::vector<float> logits_, hinted_;
  TreeStats stats_;
};

}  // namespace tengen

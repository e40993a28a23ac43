// Tree search on the line network, wholly in the core: PUCT, proofs, several threads on one tree.
//
// A node is an edge of 32 bytes: the move that leads to it and what is known about it, for the side that makes the move.
// Children lie side by side, likeliest first, so the tried ones come first. A position is evaluated at its first visit
// and opened at its second. Ends of the game, and with the solver wins and losses by shapes and fours, are exact and
// are carried up the tree. Sums are integers: the order in which threads add to them does not matter.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "lines/features.h"
#include "lines/network.h"
#include "rules/rng.h"
#include "rules/threats.h"
#include "solve/tactics.h"
#include "solve/vct.h"

namespace tengen {

struct LineSearchOptions {
  float c_puct = 1.6f;       // weight of the prior against the value ...
  float c_growth = 0.4f;     // ... times 1 + c_growth * log(1 + visits / 500)
  float fpu = 0.1f;          // an untried move counts as its node minus this
  float temperature = 1.0f;  // of the network's policy; above 1 makes it flatter
  int children = 40;         // moves a node keeps at most; the root keeps all
  bool solver = true;
  int vcf_nodes = 16;        // at each leaf; 0: shapes alone
  int vct_nodes = 400;       // of a search for continuous threats at a position visited often; 0: none
  double memory_mb = 256;
};

struct LineEdge {
  static constexpr std::int64_t kUnit = 1 << 20;
  enum State : std::uint8_t { Closed, Busy, Open };

  std::atomic<std::int64_t> sum{0};      // values in kUnit; a visit under way counts as lost
  std::atomic<std::uint64_t> kids{0};    // first child, their number << 32, every move is there << 63
  std::atomic<std::uint32_t> visits{0};
  float prior = 0;
  Move move = kNoMove;
  std::uint16_t distance = 0;            // plies to the end when proven
  std::atomic<std::uint8_t> state{Closed};
  std::atomic<Proof> proof{Proof::None};
  bool forced = false;                   // the solver has something to say about the answers

  std::uint32_t first() const { return static_cast<std::uint32_t>(kids.load(std::memory_order_acquire)); }
  int count() const { return static_cast<int>(kids.load(std::memory_order_acquire) >> 32 & 0xffff); }
  bool complete() const { return kids.load(std::memory_order_acquire) >> 63; }
  float q() const {
    const auto n = visits.load(std::memory_order_relaxed);
    return n ? static_cast<float>(sum.load(std::memory_order_relaxed)) / (static_cast<float>(kUnit) * static_cast<float>(n)) : 0.0f;
  }
  void copy(const LineEdge& o);
};
static_assert(sizeof(LineEdge) == 32);

// A fixed piece of memory for edges; index 0 is the root. The system gives pages only when they are touched.
class EdgeMemory {
 public:
  explicit EdgeMemory(std::size_t capacity);
  LineEdge& operator[](std::uint32_t i) { return edges_[i]; }
  const LineEdge& operator[](std::uint32_t i) const { return edges_[i]; }
  std::uint32_t take(int n);  // 0: full
  void clear();
  std::size_t used() const { return used_.load(std::memory_order_relaxed); }

 private:
  struct Free {
    void operator()(LineEdge* p) const { ::operator delete(p, std::align_val_t{64}); }
  };
  std::unique_ptr<LineEdge, Free> memory_;
  LineEdge* edges_;
  std::size_t capacity_;
  std::atomic<std::size_t> used_{1};
};

// A board that follows one thread through the tree.
class LineWalker {
 public:
  LineWalker(const LineNetwork& network, const ThreatBoard& root, const LineSearchOptions& options);

  const Position& position() const { return solver_ ? threats_.position() : plain_; }
  void go(std::span<const Move> path);  // from the root
  void play(Move m);
  void undo();
  void advance(Move m);  // the root moves on for good
  float value() { return features_.value(position().turn()); }
  // What the solver says about the position.
  const Tactics& solve();
  // A win by continuous threats for the side to move: its first move and its length, or kNoMove.
  Move win_by_threats(std::int64_t nodes, int& length);
  // Moves of the position with their shares of the policy, likeliest first. At most `most`; `complete` tells whether
  // these are all that matter.
  struct Choice {
    Move move;
    float prior;
  };
  const std::vector<Choice>& choices(bool forced, int most, bool& complete);

 private:
  friend class LineTree;
  bool legal(Move m) const { return !renju_ || position().legal(m); }

  const LineSearchOptions* options_;
  bool solver_, renju_;
  ThreatBoard threats_;  // with the solver
  Position plain_;       // without
  LineFeatures features_;
  std::vector<Move> played_;
  std::vector<LineEdge*> path_;
  std::vector<Move> moves_;
  Solver solve_;
  std::unique_ptr<Vct> vct_;  // made when first needed
  Tactics tactics_;
  std::vector<float> scores_;
  std::vector<Choice> choices_;
  int depth_ = 0;
};

struct LineLimit {
  std::int64_t sims = 0;  // 0: none
  double seconds = 0;
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;
};

class LineTree {
 public:
  // The game must not be over; the network must outlive the tree.
  LineTree(const LineNetwork& network, const ThreatBoard& root, const LineSearchOptions& options);

  // Searches until a limit is reached or the root is proven; returns the simulations done.
  std::int64_t think(const LineLimit& limit);
  // Makes sure that the root's moves are there.
  void open_root();

  void advance(Move m);          // plays a move at the root and keeps what is known below it
  void restart(const ThreatBoard& root);

  const ThreatBoard& board() const { return board_; }
  const LineEdge& root() const { return (*memory_)[0]; }
  std::span<LineEdge> moves() { return children(root()); }
  std::span<const LineEdge> moves() const { return const_cast<LineTree*>(this)->children(root()); }
  // For the side to move at the root.
  float value() const;
  Proof proof() const;
  int depth() const { return depth_; }
  std::size_t bytes() const { return (memory_->used() + spare_->used()) * sizeof(LineEdge); }
  // The move to play: a proven win, else most visits among those not lost; kNoMove when nothing was tried.
  Move best() const;
  std::vector<Move> line(Move first = kNoMove) const;
  // A share for every cell: visits of moves that are not lost; when the root is won, its winning moves.
  void policy(float temperature, float* out) const;
  void mix_noise(Rng& rng, float alpha, float fraction);

 private:
  std::span<LineEdge> children(const LineEdge& e) {
    const std::uint64_t kids = e.kids.load(std::memory_order_acquire);
    return {&(*memory_)[static_cast<std::uint32_t>(kids)], static_cast<std::size_t>(kids >> 32 & 0xffff)};
  }
  void simulate(LineWalker& walker);
  LineEdge* select(LineEdge& e, bool root);
  bool visit(LineEdge& e, LineWalker& walker, float& value);
  bool open(LineEdge& e, LineWalker& walker, int most);
  void widen(LineEdge& e, LineWalker& walker);
  bool look_far(std::span<LineEdge* const> path, LineWalker& walker, int nodes);
  void backup(LineWalker& walker, float value);
  void prove(std::span<LineEdge* const> path);
  bool conclude(LineEdge& e);
  void copy_below(const EdgeMemory& from, const LineEdge& source, LineEdge& to);

  const LineNetwork& network_;
  LineSearchOptions options_;
  ThreatBoard board_;
  std::unique_ptr<EdgeMemory> memory_, spare_;
  std::vector<std::unique_ptr<LineWalker>> walkers_;
  int depth_ = 0;
};

}  // namespace tengen

// Tree search on the line network, wholly in the core: PUCT, proofs, several threads on one tree.
//
// A node is an edge of 32 bytes: the move that leads to it and what is known about it, for the side that makes the
// move. Children lie side by side, likeliest first, so the tried ones come first. A position is evaluated at its first
// visit and opened at its second. Ends of the game, and with the solver wins and losses by shapes and fours, are exact
// and are carried up the tree. Sums are integers: the order in which threads add to them does not matter.
//
// Different orders of moves reach the same position. The edges into it share its children, and with them everything
// found below it; each edge keeps its own visits, and takes as its value the mean of the children. The search is then a
// graph, without cycles because stones stay on the board.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lines/edges.h"
#include "lines/network.h"
#include "lines/positions.h"
#include "lines/walker.h"
#include "rules/rng.h"
#include "rules/threats.h"
#include "solve/tactics.h"

namespace tengen {

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

  void advance(Move m);  // plays a move at the root and keeps what is known below it
  void restart(const ThreatBoard& root);

  const ThreatBoard& board() const { return board_; }
  const LineEdge& root() const { return (*memory_)[0]; }
  std::span<LineEdge> moves() { return children(root()); }
  std::span<const LineEdge> moves() const { return const_cast<LineTree*>(this)->children(root()); }
  // For the side to move at the root.
  float value() const;
  Proof proof() const;
  int depth() const { return depth_; }
  std::size_t bytes() const { return memory_->bytes() + spare_->bytes() + positions_.bytes(); }
  // The move to play: a proven win, else most visits among those not lost; kNoMove when nothing was tried.
  Move best() const;
  // The root's moves that are tried or proven: wins, then by visits, losses last.
  std::vector<const LineEdge*> tried() const;
  std::vector<Move> line(Move first = kNoMove) const;
  // The moves that are known after others, played from the root.
  std::span<const LineEdge> moves_after(std::span<const Move> played) const;
  // A share for every cell: visits of moves that are not lost; when the root is won, its winning moves.
  void policy(float temperature, float* out) const;
  void mix_noise(Rng& rng, float alpha, float fraction);

 private:
  std::span<LineEdge> children(const LineEdge& e) {
    const std::uint64_t kids = e.kids.load(std::memory_order_acquire);
    return {&(*memory_)[static_cast<std::uint32_t>(kids)], static_cast<std::size_t>(kids >> 32 & 0xffff)};
  }
  struct Total {
    std::int64_t sum = 0;
    std::uint32_t visits = 0;
  };
  Total below(const LineEdge& e);
  std::uint64_t key_after(std::uint64_t key, Move m, Color mover) const;
  void simulate(LineWalker& walker);
  void enter(LineEdge& e, LineWalker& walker);
  bool join(LineEdge& e, const LineWalker& walker);
  std::uint32_t visits_by_all(const LineEdge& e, LineWalker& walker);
  LineEdge* select(LineEdge& e, std::uint32_t visits, bool root);
  bool visit(LineEdge& e, LineWalker& walker, float& value);
  bool open(LineEdge& e, LineWalker& walker, int most);
  void widen(LineEdge& e, LineWalker& walker);
  bool look_far(std::span<LineEdge* const> path, LineWalker& walker);
  void backup(LineWalker& walker, float value);
  void prove(std::span<LineEdge* const> path);
  bool conclude(LineEdge& e);
  void inherit(LineEdge& root);
  void copy_below(const LineEdge& source, LineEdge& to);

  const LineNetwork& network_;
  LineSearchOptions options_;
  ThreatBoard board_;
  PositionTable positions_;
  std::unique_ptr<EdgeMemory> memory_, spare_;
  std::vector<std::unique_ptr<LineWalker>> walkers_;
  int depth_ = 0;
};

}  // namespace tengen

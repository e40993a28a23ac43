// Victory by continuous threats: threes, fours and quiet moves that threaten to win, every sound defence considered.
//
// A depth-first proof-number search over an AND/OR graph. The attacker plays moves that threaten to win by fours; the
// defender plays every legal move that may stop that win (defences.h says why no other can). A proof is checked again,
// node by node, before it is handed out, so neither the numbers nor the table of positions can make a false win.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "rules/threats.h"
#include "rules/types.h"
#include "solve/vcf.h"

namespace tengen {

struct VctLimit {
  std::int64_t nodes = 10'000'000;  // stones played, those of the inner searches by fours included
  double seconds = 0;               // 0: no limit
  const std::atomic<bool>* stop = nullptr;
  std::int64_t vcf_nodes = 2'000;  // most for each inner search by fours
};

struct VctResult {
  bool win = false;
  bool exhausted = false;  // no win by the threats considered, and no limit cut anything off
  std::int64_t nodes = 0;
};

// One position of a proof, the attacker to move. The tree is a flat list, root first; positions reached by several
// orders of moves are shared.
struct WinNode {
  struct Answer {
    Move move;
    int node;
  };
  std::vector<Move> fours;  // not empty: this line of fours wins, and the rest is unused
  Move attack = kNoMove;
  std::vector<Move> threat;     // the line of fours that wins if the attack is not answered; empty when it is a four
  std::vector<Answer> answers;  // every other legal move of the defender loses to `threat`, or to five
};

// Attack, answer, ... from one position of a proof along its longest defence.
std::vector<Move> longest_defence(const std::vector<WinNode>& tree, int at);

// One for each thread; it may be used again and again.
class Vct {
 public:
  // `max_positions` bounds the memory of a proof: about 60 bytes each.
  explicit Vct(std::size_t max_positions = std::size_t{1} << 20, std::size_t vcf_entries = std::size_t{1} << 18);

  // As Vcf::solve. The board may be on either side's turn and is left as it was.
  VctResult solve(ThreatBoard& board, Color attacker, const VctLimit& limit);

  const std::vector<WinNode>& tree() const { return tree_; }
  std::vector<Move> line() const { return tree_.empty() ? std::vector<Move>{} : longest_defence(tree_, 0); }
  void clear() { vcf_.clear(); }  // forgets its table; needed only for reproducible node counts

 private:
  using Index = std::uint32_t;
  struct Edge {
    Move move;
    Index node;
  };
  static constexpr Index kNoIndex = ~Index{0};
  struct Node {
    std::uint64_t key = 0;  // 0: the root or a place holder, which nothing else leads to
    std::uint32_t pn = 1, dn = 1;
    std::uint32_t first_edge = 0;
    std::uint16_t edges = 0;
    std::uint16_t threat_length = 0;  // moves of the threatened line, in lines_
    std::uint32_t threat = 0;
    bool expanded = false;
  };

  struct Quiet {
    std::uint32_t pn;
    Move move;
  };

  struct Choice {
    Index edge;
    std::uint32_t second;  // the number of the next best child
    std::uint32_t open;    // children not yet settled against the side to move
  };

  enum class Standing : std::uint8_t { Refuted, Open, Won };

  void begin(ThreatBoard& board, Color attacker, const VctLimit& limit);
  void search_root(bool lean);
  void search(Index node, std::uint32_t pn_limit, std::uint32_t dn_limit);
  void descend(const Choice& choice, std::uint32_t pn_limit, std::uint32_t dn_limit);
  Choice choose(const Node& node) const;
  std::uint32_t toll(const Edge& edge) const;
  std::uint32_t own_number(const Edge& edge) const;
  void imitate_against_others(Index node, Index model);
  bool imitate(Index node, Index model);
  void imitate_replies(Index node, Index model);
  template <class F>
  const Edge* find_edge(Index node, F&& fits) const {
    const Edge* first = edges_.data() + nodes_[node].first_edge;
    const Edge* last = first + nodes_[node].edges;
    const Edge* found = std::find_if(first, last, fits);
    return found == last ? nullptr : found;
  }
  void update(Index node);
  void settle(Index node, bool win);
  void expand(Index node);
  void expand_attack(Index node);
  void expand_defence(Index node);
  void expand_answers(Index node);
  void expand_after(const Edge& edge);
  void add_attacks(Index node);
  bool is_quiet(Move m) const;
  Quiet quiet_after(Quiet last) const;
  void try_next_quiet(Index node);
  void replace_edges(Index node, const std::vector<Edge>& edges);
  std::vector<Move> in_order(const CellSet& answers) const;
  Standing defences(std::vector<Move>& threat, CellSet& answers);
  Index child_node(Move m, std::uint32_t pn, std::uint32_t dn);
  void grow_slots();
  void add_edge(Move m, std::uint32_t pn, std::uint32_t dn);
  VcfResult fours(bool lean);
  bool attacking() const { return board_->turn() == attacker_; }
  bool out_of_budget();

  int build(Index node);
  bool build_attack(Index node, int at);
  bool build_defence(Index node, int at);
  bool build_answer(const Node& node, int at, Move answer);

  std::size_t max_positions_;
  Vcf vcf_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<Move> lines_;
  std::vector<Index> slots_;  // open addressing from a position's key to its node
  std::vector<WinNode> tree_;
  std::unordered_map<Index, int> built_;

  ThreatBoard* board_ = nullptr;
  Color attacker_ = Color::Black;
  VctLimit limit_;
  std::chrono::steady_clock::time_point deadline_;
  std::uint64_t turn_key_ = 0;
  std::int64_t played_ = 0;
  bool lean_ = true;  // short searches by fours
  bool stopped_ = false, cut_ = false;
};

}  // namespace tengen

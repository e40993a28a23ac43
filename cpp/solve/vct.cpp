#include "solve/vct.h"

#include <algorithm>

#include "solve/defences.h"
#include "solve/fours.h"
#include "solve/promise.h"

namespace tengen {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kInfinite = 1u << 30;
// Nodes for each inner search by fours, a lean one. Most wins by fours are short; where nothing else is left, the
// search is done again with every four and as many nodes as the caller grants.
constexpr std::int64_t kShortFours = 24;

// Added to the proof number of an attack that has been looked into: a four that makes nothing else, another four, any
// other attack.
constexpr std::uint32_t kPlainFourToll = 3, kFourToll = 1, kAttackToll = 1;

constexpr int kFoursLast = 1 << 20;  // more than any cell is worth

std::uint32_t capped(std::uint64_t n) { return static_cast<std::uint32_t>(std::min<std::uint64_t>(n, kInfinite)); }

}  // namespace

Vct::Vct(std::size_t max_positions, std::size_t vcf_entries) : max_positions_(max_positions), vcf_(vcf_entries) {}

VctResult Vct::solve(ThreatBoard& board, Color attacker, const VctLimit& limit) {
  tree_.clear();
  if (board.position().won()) return {.exhausted = true};
  begin(board, attacker, limit);
  const bool pass = board.turn() != attacker;
  if (pass) board.pass();
  search_root(true);
  if (nodes_[0].dn == 0 && cut_ && !stopped_) search_root(false);
  const bool win = nodes_[0].pn == 0 && build(0) == 0;
  if (pass) board.pass();
  if (!win) tree_.clear();
  return {.win = win, .exhausted = nodes_[0].dn == 0 && !cut_ && !stopped_, .nodes = played_};
}

void Vct::begin(ThreatBoard& board, Color attacker, const VctLimit& limit) {
  board_ = &board;
  attacker_ = attacker;
  limit_ = limit;
  deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit.seconds));
  built_.clear();
  played_ = 0;
  stopped_ = false;
  turn_key_ = board.position().key();
  board.pass();
  turn_key_ ^= board.position().key();
  board.pass();
}

void Vct::search_root(bool lean) {
  nodes_.clear();
  edges_.clear();
  lines_.clear();
  slots_.clear();
  cut_ = false;
  lean_ = lean;
  nodes_.emplace_back();
  search(0, kInfinite, kInfinite);
}

// Works below `node` until one of its numbers reaches its limit. Proof and disproof numbers of siblings are combined
// by the maximum plus their number, not by the sum: positions reached by several orders would be counted twice.
void Vct::search(Index node, std::uint32_t pn_limit, std::uint32_t dn_limit) {
  if (!nodes_[node].expanded) expand(node);
  update(node);
  while (nodes_[node].pn && nodes_[node].dn && nodes_[node].pn < pn_limit && nodes_[node].dn < dn_limit &&
         !out_of_budget()) {
    const Choice choice = choose(nodes_[node]);
    const Edge edge = edges_[choice.edge];
    if (nodes_[edge.node].key == 0)
      try_next_quiet(node);
    else
      descend(choice, pn_limit, dn_limit);
    if (!attacking() && nodes_[edge.node].pn == 0) imitate_against_others(node, edge.node);
    update(node);
  }
}

// One answer has been refuted: the same attack often refutes the others.
void Vct::imitate_against_others(Index node, Index model) {
  const Index first = nodes_[node].first_edge, last = first + nodes_[node].edges;
  for (Index e = first; e < last && !out_of_budget(); ++e) {
    const Edge edge = edges_[e];
    if (nodes_[edge.node].pn == 0 || nodes_[edge.node].dn == 0) continue;
    board_->play(edge.move);
    ++played_;
    imitate(edge.node, model);
    board_->undo();
  }
}

// The attacker is to move. Follows the proof of `model`, a like position, as far as it goes; true: it proves `node`.
bool Vct::imitate(Index node, Index model) {
  if (!nodes_[node].expanded) expand(node);
  update(node);
  if (nodes_[node].pn == 0 || nodes_[node].dn == 0 || out_of_budget()) return nodes_[node].pn == 0;
  const Edge* won = find_edge(model, [&](const Edge& e) { return nodes_[e.node].pn == 0; });
  if (!won) return false;
  const Edge shown = *won;
  const Edge* own = find_edge(node, [&](const Edge& e) { return e.move == shown.move && nodes_[e.node].key; });
  if (!own) return false;
  const Index reply = own->node;
  board_->play(shown.move);
  ++played_;
  imitate_replies(reply, shown.node);
  board_->undo();
  update(node);
  return nodes_[node].pn == 0;
}

void Vct::imitate_replies(Index node, Index model) {
  if (!nodes_[node].expanded) expand(node);
  update(node);
  if (nodes_[node].pn == 0 || nodes_[node].dn == 0) return;
  const Index first = nodes_[node].first_edge, last = first + nodes_[node].edges;
  bool going = true;
  for (Index e = first; e < last && going; ++e) {
    const Edge edge = edges_[e];
    if (nodes_[edge.node].pn == 0) continue;
    const Edge* shown = find_edge(model, [&](const Edge& m) { return m.move == edge.move; });
    if (!shown) shown = find_edge(model, [](const Edge&) { return true; });
    if (!shown || nodes_[shown->node].pn != 0) return;
    const Index next = shown->node;
    board_->play(edge.move);
    ++played_;
    going = imitate(edge.node, next);
    board_->undo();
  }
  update(node);
}

// A child may work until it is no longer the best (by some margin, against going to and fro) or exceeds what its
// parent may spend.
void Vct::descend(const Choice& choice, std::uint32_t pn_limit, std::uint32_t dn_limit) {
  const Edge edge = edges_[choice.edge];
  const bool attack = attacking();
  const std::uint32_t own = attack ? pn_limit : dn_limit, sum = attack ? dn_limit : pn_limit;
  const std::uint32_t own_child = std::min(own, choice.second + choice.second / 16 + 1) - (attack ? toll(edge) : 0);
  const std::uint32_t sum_child = sum >= kInfinite ? sum : sum - (choice.open - 1);
  board_->play(edge.move);
  ++played_;
  search(edge.node, attack ? own_child : sum_child, attack ? sum_child : own_child);
  board_->undo();
}

// A useless four hands the position on as it was: without a toll every attack would be searched again behind every such
// four.
std::uint32_t Vct::toll(const Edge& edge) const {
  const Node& child = nodes_[edge.node];
  if (!child.expanded || child.pn == 0 || child.pn >= kInfinite) return 0;
  const Threat threat = board_->threat(attacker_, edge.move);
  if (threat == Threat::Four) return kPlainFourToll;
  return threat > Threat::Four && threat < Threat::Five ? kFourToll : kAttackToll;
}

// Of a child: what the side to move wants small.
std::uint32_t Vct::own_number(const Edge& edge) const {
  return attacking() ? nodes_[edge.node].pn + toll(edge) : nodes_[edge.node].dn;
}

// The child that is nearest to a proof (attacker to move) or a disproof (defender to move).
Vct::Choice Vct::choose(const Node& node) const {
  const bool attack = attacking();
  std::uint32_t best = kInfinite + 1, other = kInfinite;
  Choice choice{node.first_edge, kInfinite, 0};
  for (Index e = node.first_edge; e < node.first_edge + node.edges; ++e) {
    const Node& child = nodes_[edges_[e].node];
    const std::uint32_t own = own_number(edges_[e]), rest = attack ? child.dn : child.pn;
    if (rest == 0) continue;  // settled against the side to move
    ++choice.open;
    if (own < best || (own == best && rest < other)) {
      choice.second = std::min(choice.second, best);
      best = own;
      other = rest;
      choice.edge = e;
    } else {
      choice.second = std::min(choice.second, own);
    }
  }
  return choice;
}

void Vct::update(Index at) {
  Node& node = nodes_[at];
  if (node.edges == 0) return;
  const bool attack = attacking();
  std::uint32_t least = kInfinite, most = 0, open = 0;
  for (Index e = node.first_edge; e < node.first_edge + node.edges; ++e) {
    const Node& child = nodes_[edges_[e].node];
    const std::uint32_t own = own_number(edges_[e]), rest = attack ? child.dn : child.pn;
    least = std::min(least, own);
    most = std::max(most, rest);
    open += rest != 0;
  }
  const std::uint32_t sum = open == 0 ? 0 : least == 0 ? kInfinite : capped(std::uint64_t{most} + open - 1);
  const std::uint32_t own = open == 0 ? kInfinite : least;
  node.pn = attack ? own : sum;
  node.dn = attack ? sum : own;
}

void Vct::settle(Index node, bool win) {
  nodes_[node].pn = win ? 0 : kInfinite;
  nodes_[node].dn = win ? kInfinite : 0;
}

void Vct::expand(Index node) {
  nodes_[node].expanded = true;
  nodes_[node].first_edge = static_cast<std::uint32_t>(edges_.size());
  attacking() ? expand_attack(node) : expand_defence(node);
  nodes_[node].edges = static_cast<std::uint16_t>(edges_.size() - nodes_[node].first_edge);
  if (!attacking()) expand_answers(node);
}

// Answers that lose to a win by fours at once are passed over, up to the first that does not. The others are taken to
// be as hard as that one until they are chosen: to expand them all would cost most of the search.
void Vct::expand_answers(Index node) {
  const Index first = nodes_[node].first_edge, last = first + nodes_[node].edges;
  for (Index e = first; e < last && !out_of_budget(); ++e) {
    const Edge edge = edges_[e];
    expand_after(edge);
    const Node& answer = nodes_[edge.node];
    if (answer.dn == 0) return;
    if (answer.pn == 0) continue;
    for (Index other = e + 1; other < last; ++other)
      if (Node& like = nodes_[edges_[other].node]; !like.expanded) like.pn = answer.pn, like.dn = answer.dn;
    return;
  }
}

void Vct::expand_after(const Edge& edge) {
  if (nodes_[edge.node].expanded) return;
  board_->play(edge.move);
  ++played_;
  expand(edge.node);
  update(edge.node);
  board_->undo();
}

// 1. A win by fours ends the search here. 2. A five of the defender leaves one move. 3. Otherwise every three and
// four, and a place holder for the quiet moves.
void Vct::expand_attack(Index node) {
  if (fours(lean_).win) return settle(node, true);
  const int enemy_fives = board_->count(~attacker_, Threat::Five);
  if (enemy_fives > 1) return settle(node, false);
  if (!enemy_fives) return add_attacks(node);
  const Move block = board_->cells(~attacker_, Group::Five).first();
  if (!legal_for(*board_, attacker_, block)) return settle(node, false);
  add_edge(block, 2, 1);
}

void Vct::add_attacks(Index node) {
  CellSet attacks = board_->cells(attacker_, Group::Four);
  attacks |= board_->cells(attacker_, Group::Three);
  const int promise = promise_of_position(*board_, attacker_);
  const auto add = [&](Move m) {
    add_edge(m, first_proof_number(promise + promise_of_attack(*board_, attacker_, m)), 1);
  };
  attacks.each(add);
  if (board_->position().rule() == Rule::Renju && attacker_ == Color::Black)
    board_->doubtful().each([&](Move m) {
      if (legal_for(*board_, attacker_, m)) add(m);
    });
  if (const Quiet quiet = quiet_after({0, kNoMove}); quiet.move != kNoMove) {
    edges_.push_back({quiet.move, static_cast<Index>(nodes_.size())});
    nodes_.push_back({.pn = quiet.pn, .dn = 1});
  }
  if (edges_.size() == nodes_[node].first_edge) settle(node, false);
}

bool Vct::is_quiet(Move m) const {
  const Threat threat = board_->threat(attacker_, m);
  return threat >= Threat::Two && threat < Threat::Three;
}

// The quiet move that follows `last` in the order of first proof numbers; kNoMove when there is none.
Vct::Quiet Vct::quiet_after(Quiet last) const {
  Quiet next{kInfinite, kNoMove};
  const int promise = promise_of_position(*board_, attacker_);
  for (int i = 0; i < board_->position().cells(); ++i) {
    const auto m = static_cast<Move>(i);
    if (!is_quiet(m)) continue;
    const std::uint32_t pn = first_proof_number(promise + promise_of_attack(*board_, attacker_, m));
    const bool later = pn > last.pn || (pn == last.pn && m > last.move);
    if (later && pn < next.pn) next = {pn, m};
  }
  return next;
}

// The place holder, always the last edge, makes way for the quiet move it stands for and then stands for the next. A
// quiet move that threatens no win by fours is no attack and is left out.
void Vct::try_next_quiet(Index node) {
  const auto first = edges_.begin() + nodes_[node].first_edge;
  std::vector<Edge> edges(first, first + nodes_[node].edges - 1);
  const Edge holder = *(first + nodes_[node].edges - 1);
  const std::uint32_t pn = nodes_[holder.node].pn;
  const Edge quiet{holder.move, child_node(holder.move, pn, 1)};
  expand_after(quiet);
  if (nodes_[quiet.node].dn) edges.push_back(quiet);
  if (const Quiet next = quiet_after({pn, holder.move}); next.move != kNoMove) {
    edges.push_back({next.move, holder.node});
    nodes_[holder.node].pn = next.pn;
  }
  replace_edges(node, edges);
}

void Vct::replace_edges(Index node, const std::vector<Edge>& edges) {
  if (edges.empty()) settle(node, false);
  if (edges.size() > nodes_[node].edges) {
    nodes_[node].first_edge = static_cast<std::uint32_t>(edges_.size());
    edges_.resize(edges_.size() + edges.size());
  }
  nodes_[node].edges = static_cast<std::uint16_t>(edges.size());
  std::copy(edges.begin(), edges.end(), edges_.begin() + nodes_[node].first_edge);
}

void Vct::expand_defence(Index node) {
  std::vector<Move> threat;
  CellSet answers;
  const Standing standing = defences(threat, answers);
  if (standing != Standing::Open) return settle(node, standing == Standing::Won);
  nodes_[node].threat = static_cast<std::uint32_t>(lines_.size());
  nodes_[node].threat_length = static_cast<std::uint16_t>(threat.size());
  lines_.insert(lines_.end(), threat.begin(), threat.end());
  for (const Move m : in_order(answers)) add_edge(m, 1, 1);
}

// The answers that promise most first: on cells that both sides would like to have, fours last, since they only put off
// what has to be answered.
std::vector<Move> Vct::in_order(const CellSet& answers) const {
  std::vector<std::pair<int, Move>> order;
  answers.each([&](Move m) {
    const int worth = cell_value(board_->number(attacker_, m)) + cell_value(board_->number(~attacker_, m));
    order.emplace_back(makes_four(*board_, ~attacker_, m) ? kFoursLast - worth : -worth, m);
  });
  std::sort(order.begin(), order.end());
  std::vector<Move> moves;
  for (const auto& [_, m] : order) moves.push_back(m);
  return moves;
}

// The defender is to move. A five of its own refutes the attack; a four of the attacker leaves the cells that stop
// it; otherwise the attacker must threaten to win by a line of fours, given or searched for, and every legal move that
// may stop it is an answer.
Vct::Standing Vct::defences(std::vector<Move>& threat, CellSet& answers) {
  if (board_->count(~attacker_, Threat::Five)) return Standing::Refuted;
  CellSet cells;
  if (const int fives = board_->count(attacker_, Threat::Five)) {
    const Move completing = board_->cells(attacker_, Group::Five).first();
    const bool caro = board_->position().rule() == Rule::Caro;
    if (fives > 1 && !caro) return Standing::Won;
    cells.add(completing);
    if (caro) add_row_ends(*board_, attacker_, completing, cells);
  } else {
    if (threat.empty() && fours(lean_).win) threat = vcf_.line();
    LineWalk walk(*board_, attacker_, vcf_);
    board_->pass();
    const bool sound = walk.check(threat);
    board_->pass();
    if (!sound) return Standing::Refuted;
    cells = walk.cells();
  }
  cells.each([&](Move m) {
    if (board_->position().empty(m) && legal_for(*board_, ~attacker_, m)) answers.add(m);
  });
  return answers.any() ? Standing::Open : Standing::Won;
}

// The node of the position after `m`, found by its key or made.
Vct::Index Vct::child_node(Move m, std::uint32_t pn, std::uint32_t dn) {
  const std::uint64_t key =
      board_->position().key() ^ turn_key_ ^ board_->position().geometry().zobrist[m][index(board_->turn())];
  if (2 * nodes_.size() >= slots_.size()) grow_slots();
  std::size_t at = key & (slots_.size() - 1);
  for (; slots_[at] != kNoIndex; at = (at + 1) & (slots_.size() - 1))
    if (nodes_[slots_[at]].key == key) return slots_[at];
  slots_[at] = static_cast<Index>(nodes_.size());
  nodes_.push_back({.key = key, .pn = pn, .dn = dn});
  return slots_[at];
}

void Vct::grow_slots() {
  slots_.assign(std::max<std::size_t>(1 << 12, 2 * slots_.size()), kNoIndex);
  for (Index i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].key) continue;  // a place holder
    std::size_t at = nodes_[i].key & (slots_.size() - 1);
    while (slots_[at] != kNoIndex) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = i;
  }
}

void Vct::add_edge(Move m, std::uint32_t pn, std::uint32_t dn) { edges_.push_back({m, child_node(m, pn, dn)}); }

VcfResult Vct::fours(bool lean) {
  const std::int64_t nodes = lean ? std::min(kShortFours, limit_.vcf_nodes) : limit_.vcf_nodes;
  const VcfResult result = vcf_.solve(*board_, attacker_, {.nodes = nodes, .stop = limit_.stop, .lean = lean});
  played_ += result.nodes;
  cut_ |= !result.win && !result.exhausted;
  return result;
}

bool Vct::out_of_budget() {
  stopped_ = stopped_ || played_ >= limit_.nodes || nodes_.size() >= max_positions_ ||
             (limit_.stop && limit_.stop->load(std::memory_order_relaxed)) ||
             (limit_.seconds > 0 && Clock::now() >= deadline_);
  return stopped_;
}

}  // namespace tengen

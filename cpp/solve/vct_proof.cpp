// The proof of a win by threats, checked again from the stones up.
#include <algorithm>

#include "solve/fours.h"
#include "solve/vct.h"

namespace tengen {
namespace {

// Length of the longest line below each position of a proof.
int measure(const std::vector<WinNode>& tree, int at, std::vector<int>& length) {
  if (length[at] >= 0) return length[at];
  int longest = 0;
  for (const auto& a : tree[at].answers) longest = std::max(longest, 1 + measure(tree, a.node, length));
  return length[at] = tree[at].fours.empty() ? 1 + longest : static_cast<int>(tree[at].fours.size());
}

}  // namespace

// Index in tree_ of the proof of `node` (attacker to move), or -1 when it does not hold.
int Vct::build(Index node) {
  if (const auto it = built_.find(node); it != built_.end()) return it->second;
  const int at = static_cast<int>(tree_.size());
  tree_.emplace_back();
  const bool holds = build_attack(node, at);
  built_[node] = holds ? at : -1;
  return built_[node];
}

bool Vct::build_attack(Index node, int at) {
  if (fours(true).win || fours(false).win) {
    tree_[at].fours = vcf_.line();
    return true;
  }
  for (Index e = nodes_[node].first_edge; e < nodes_[node].first_edge + nodes_[node].edges; ++e) {
    const Edge edge = edges_[e];
    if (nodes_[edge.node].pn != 0 || !board_->position().empty(edge.move) || !legal_for(*board_, attacker_, edge.move))
      continue;
    board_->play(edge.move);
    tree_[at].attack = edge.move;
    const bool holds = build_defence(edge.node, at);
    board_->undo();
    if (holds) return true;
  }
  return false;
}

bool Vct::build_defence(Index node, int at) {
  const Node here = nodes_[node];
  std::vector<Move> threat(lines_.begin() + here.threat, lines_.begin() + here.threat + here.threat_length);
  CellSet answers;
  const Standing standing = defences(threat, answers);
  tree_[at].threat = threat;
  tree_[at].answers.clear();
  bool holds = standing != Standing::Refuted;
  if (standing != Standing::Open) return holds;
  answers.each([&](Move m) { holds = holds && build_answer(here, at, m); });
  return holds;
}

bool Vct::build_answer(const Node& node, int at, Move answer) {
  const auto first = edges_.begin() + node.first_edge, last = first + node.edges;
  const auto edge = std::find_if(first, last, [&](const Edge& e) { return e.move == answer; });
  if (edge == last || nodes_[edge->node].pn != 0) return false;
  const Index next = edge->node;
  board_->play(answer);
  const int child = build(next);
  board_->undo();
  tree_[at].answers.push_back({answer, child});
  return child >= 0;
}

std::vector<Move> longest_defence(const std::vector<WinNode>& tree, int at) {
  std::vector<Move> out;
  std::vector<int> length(tree.size(), -1);
  measure(tree, at, length);
  while (tree[at].fours.empty()) {
    out.push_back(tree[at].attack);
    const auto& answers = tree[at].answers;
    if (answers.empty()) return out;
    const auto shorter = [&](const auto& a, const auto& b) { return length[a.node] < length[b.node]; };
    const auto longest = std::max_element(answers.begin(), answers.end(), shorter);
    out.push_back(longest->move);
    at = longest->node;
  }
  out.insert(out.end(), tree[at].fours.begin(), tree[at].fours.end());
  return out;
}

}  // namespace tengen

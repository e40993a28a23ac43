#include "search/mcts.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <chrono>
#include <cmath>
#include <limits>

namespace tengen {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

Mcts::Mcts(const Position& position, const MctsOptions& options)
    : board_(position), options_(options), random_(options.seed), scores_(kMaxCells) {
  if (options_.rollout_limit <= 0) options_.rollout_limit = kMaxCells;
  const auto n = static_cast<std::size_t>(std::max(options_.max_edges, kMaxCells));
  move_ = std::make_unique_for_overwrite<Move[]>(n);
  visits_ = std::make_unique_for_overwrite<std::uint32_t[]>(n);
  reward_ = std::make_unique_for_overwrite<double[]>(n);
  mean_ = std::make_unique_for_overwrite<float[]>(n);
  inverse_root_ = std::make_unique_for_overwrite<float[]>(n);
  child_ = std::make_unique_for_overwrite<std::int32_t[]>(n);
  expand(true);
}

std::int64_t Mcts::run(std::int64_t playouts, double seconds) {
  assert(playouts > 0 || seconds > 0);
  const auto start = Clock::now();
  const std::int64_t last = playouts > 0 ? playouts : std::numeric_limits<std::int64_t>::max();
  while (playouts_ < last) {
    playout();
    if (settled_ || stop_.load(std::memory_order_relaxed)) break;
    if (seconds > 0 && playouts_ % 32 == 0 && seconds_since(start) >= seconds) break;
  }
  return playouts_;
}

void Mcts::playout() {
  path_.clear();
  // The result is for the side to move at the leaf, the first reward for the side that moved there.
  back_up(0.5 - 0.5 * descend());
  ++playouts_;
}

// Walks to a new leaf or the end of the game and gives the result for the side to move there.
int Mcts::descend() {
  for (std::int32_t at = 0;;) {
    const Edge edge = next_edge(nodes_[at]);
    path_.push_back(edge);
    board_.play(move_[edge]);
    if (board_.position().won()) return -1;
    if (board_.position().full()) return 0;
    if (visits_[edge] > 0 && child_[edge] == kNoNode) child_[edge] = expand(false);
    at = child_[edge];
    if (at == kNoNode) return board_.rollout(random_, options_.rollout_limit);
    if (nodes_[at].count == 0) return 0;  // renju: no legal move is left
  }
}

// Makes the node of the position on the board. The moves come in random order; the root considers only winning moves
// where there are any. Gives kNoNode when the tree is full.
std::int32_t Mcts::expand(bool root) {
  const Position& p = board_.position();
  const auto& empties = board_.empties();
  if (!root && edges_ + static_cast<Edge>(empties.size()) > options_.max_edges) return kNoNode;
  moves_.clear();
  for (Move m : empties)
    if (p.legal(m)) moves_.push_back(m);
  if (root) {
    for (int n = static_cast<int>(moves_.size()); n > 1; --n) std::swap(moves_[n - 1], moves_[random_.below(n)]);
    const auto wins = [&](Move m) { return p.makes_five(p.turn(), m); };
    settled_ = std::any_of(moves_.begin(), moves_.end(), wins);
    if (settled_) std::erase_if(moves_, [&](Move m) { return !wins(m); });
    settled_ |= moves_.size() == 1;
  }
  nodes_.push_back({edges_, static_cast<std::int32_t>(moves_.size()), 0, 0});
  for (Move m : moves_) {
    move_[edges_] = m;
    visits_[edges_] = 0;
    reward_[edges_] = 0;
    child_[edges_++] = kNoNode;
  }
  return static_cast<std::int32_t>(nodes_.size()) - 1;
}

Mcts::Edge Mcts::next_edge(Node& node) {
  const Edge edge = node.tried < node.count ? node.first + node.tried++ : best_by_ucb(node);
  ++node.visits;
  return edge;
}

Mcts::Edge Mcts::best_by_ucb(const Node& node) {
  const auto c = static_cast<float>(options_.exploration * std::sqrt(std::log(static_cast<double>(node.visits))));
  const float *mean = &mean_[node.first], *inverse_root = &inverse_root_[node.first];
  std::int32_t* scores = scores_.data();
  // Scores are not negative, so their bits compare like the numbers; integers let the compiler find the maximum fast.
  std::int32_t best = 0;
  for (int i = 0; i < node.count; ++i) {
    scores[i] = std::bit_cast<std::int32_t>(mean[i] + c * inverse_root[i]);
    best = std::max(best, scores[i]);
  }
  return node.first + static_cast<Edge>(std::find(scores, scores + node.count, best) - scores);
}

void Mcts::back_up(double reward) {
  for (auto edge = path_.rbegin(); edge != path_.rend(); ++edge, reward = 1 - reward) {
    board_.undo();
    const std::uint32_t n = ++visits_[*edge];
    reward_[*edge] += reward;
    mean_[*edge] = static_cast<float>(reward_[*edge] / n);
    inverse_root_[*edge] = 1 / std::sqrt(static_cast<float>(n));
  }
}

std::vector<Mcts::Candidate> Mcts::candidates() const {
  std::vector<Candidate> all;
  for (Edge e = nodes_[0].first; e < nodes_[0].first + nodes_[0].tried; ++e)
    all.push_back({move_[e], visits_[e], 2 * reward_[e] / visits_[e] - 1});
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return a.visits != b.visits ? a.visits > b.visits : a.value > b.value;
  });
  return all;
}

std::vector<Move> Mcts::pv() const {
  std::vector<Move> moves;
  for (std::int32_t at = 0; at != kNoNode && nodes_[at].tried > 0;) {
    const Edge edge = most_visited(nodes_[at]);
    moves.push_back(move_[edge]);
    at = child_[edge];
  }
  return moves;
}

Mcts::Edge Mcts::most_visited(const Node& node) const {
  Edge best = node.first;
  for (Edge e = node.first; e < node.first + node.tried; ++e)
    if (visits_[e] > visits_[best] || (visits_[e] == visits_[best] && reward_[e] > reward_[best])) best = e;
  return best;
}

double playouts_per_second(int width, double seconds) {
  const Position empty(width, width, 5, Rule::Freestyle);
  const auto start = Clock::now();
  std::int64_t total = 0;
  do {
    total += Mcts(empty, MctsOptions{.seed = static_cast<std::uint64_t>(total)}).run(10'000, 0);
  } while (seconds_since(start) < seconds);
  return static_cast<double>(total) / seconds_since(start);
}

}  // namespace tengen

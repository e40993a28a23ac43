#include "tree/root.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tengen {

namespace {

bool refuted(const Node& node, int i) { return node.q()[i] <= kRefuted; }

float most_visits(const Node& root) {
  float most = 0;
  for (int i = 0; i < root.tried; ++i) most = std::max(most, root.n()[i]);
  return most;
}

// What the root is worth by its own evaluation and, weighted by prior, by the moves that were visited.
float mixed_value(const Tree& tree) {
  const Node& root = tree.root();
  float visits = 0, prior = 0, weighted = 0;
  for (int i = 0; i < root.tried; ++i) {
    if (root.n()[i] == 0 || refuted(root, i)) continue;
    const float p = std::exp(root.edges[i].log_prior());
    visits += root.n()[i];
    prior += p;
    weighted += p * root.q()[i];
  }
  const float own = root.evaluated ? root.value : tree.root_value();
  return prior > 0 ? (own + visits * weighted / prior) / (1 + visits) : own;
}

void one_hot(const Tree& tree, Move m, float* out) {
  std::fill_n(out, tree.board().position().cells(), 0.0f);
  out[m] = 1;
}

void normalise(float* out, int cells) {
  const float sum = std::accumulate(out, out + cells, 0.0f);
  for (int m = 0; m < cells; ++m) out[m] /= sum;
}

}  // namespace

float sigma(const Tree& tree, float q) {
  const auto& o = tree.options();
  return (o.c_visit + most_visits(tree.root())) * o.c_scale * 0.5f * (q + 1);
}

void GumbelRoot::begin(Tree& tree, Rng& rng, int sims, float scale) {
  const Node& root = tree.root();
  for (int i = 0; i < root.edge_count; ++i)
    noise_[root.edges[i].move()] = scale > 0 ? scale * static_cast<float>(rng.gumbel()) : 0.0f;
  sims_ = sims;
  used_ = 0;
  consider(tree);
}

// Takes the moves with the largest noise + log prior that are not refuted yet.
void GumbelRoot::consider(Tree& tree) {
  Node& root = tree.root();
  std::vector<Move> moves;
  for (int i = 0; i < root.edge_count; ++i)
    if (i >= root.tried || !refuted(root, i)) moves.push_back(root.edges[i].move());
  std::vector<float> key(kMaxCells);
  for (int i = 0; i < root.edge_count; ++i)
    key[root.edges[i].move()] = noise_[root.edges[i].move()] + root.edges[i].log_prior();
  std::stable_sort(moves.begin(), moves.end(), [&](Move a, Move b) { return key[a] > key[b]; });
  const int room = std::max(1, std::min(tree.options().gumbel_considered, sims_ - used_));
  considered_ = std::min<int>(room, static_cast<int>(moves.size()));
  candidates_.clear();
  for (int i = 0; i < considered_; ++i) candidates_.push_back(tree.try_move(root, moves[i]));
  begin_phase();
}

void GumbelRoot::begin_phase() {
  const int phases = std::max(1, static_cast<int>(std::ceil(std::log2(std::max(considered_, 2)))));
  visits_each_ = std::max<int>(1, sims_ / (phases * static_cast<int>(candidates_.size())));
  turn_ = 0;
}

float GumbelRoot::score(const Tree& tree, int i) const {
  const Node& root = tree.root();
  if (refuted(root, i)) return -1e30f;
  const float q = root.n()[i] > 0 ? root.q()[i] : mixed_value(tree);
  return noise_[root.edges[i].move()] + root.edges[i].log_prior() + sigma(tree, q);
}

// Keeps the better half, but two as long as there are two.
void GumbelRoot::halve(const Tree& tree) {
  std::vector<float> scores(tree.root().tried);
  for (const int i : candidates_) scores[i] = score(tree, i);
  std::stable_sort(candidates_.begin(), candidates_.end(), [&](int a, int b) { return scores[a] > scores[b]; });
  candidates_.resize(std::min(candidates_.size(), std::max<std::size_t>(2, candidates_.size() / 2)));
  begin_phase();
}

int GumbelRoot::next(Tree& tree) {
  if (turn_ >= static_cast<std::size_t>(visits_each_) * candidates_.size()) halve(tree);
  // Refuted moves drop out at once; when none is left the next best are considered.
  for (std::size_t tries = 0; tries <= candidates_.size(); ++tries) {
    const int i = candidates_[turn_++ % candidates_.size()];
    if (refuted(tree.root(), i)) continue;
    ++used_;
    return i;
  }
  consider(tree);
  ++turn_;
  ++used_;
  return candidates_[0];
}

Move GumbelRoot::best(const Tree& tree) const {
  const Node& root = tree.root();
  int best = -1;
  float top = 0;
  for (const int i : candidates_) {
    const float s = score(tree, i);
    if (!refuted(root, i) && (best < 0 || s > top)) best = i, top = s;
  }
  if (best >= 0) return root.edges[best].move();
  // The last simulation refuted the last candidate: any move not refuted is better.
  for (int i = 0; i < root.edge_count; ++i) {
    if (i < root.tried && refuted(root, i)) continue;
    const float s = noise_[root.edges[i].move()] + root.edges[i].log_prior();
    if (best < 0 || s > top) best = i, top = s;
  }
  return root.edges[std::max(best, 0)].move();
}

void gumbel_target(const Tree& tree, float* out) {
  if (const Move m = proven_move(tree); m != kNoMove && tree.root().proof == Proof::Win) return one_hot(tree, m, out);
  const Node& root = tree.root();
  const int cells = tree.board().position().cells();
  const float unknown = mixed_value(tree);
  std::fill_n(out, cells, 0.0f);
  std::vector<float> logits(root.edge_count);
  const float scale = sigma(tree, 1.0f);
  for (int i = 0; i < root.edge_count; ++i) {
    const bool known = i < root.tried && root.n()[i] > 0;
    const float q = known ? std::max(root.q()[i], -1.0f) : unknown;
    logits[i] = root.edges[i].log_prior() + scale * 0.5f * (q + 1);
  }
  const float top = *std::max_element(logits.begin(), logits.end());
  for (int i = 0; i < root.edge_count; ++i) out[root.edges[i].move()] = std::exp(logits[i] - top);
  normalise(out, cells);
}

void visit_target(const Tree& tree, float temperature, float* out) {
  if (const Move m = proven_move(tree); m != kNoMove && tree.root().proof == Proof::Win) return one_hot(tree, m, out);
  const Node& root = tree.root();
  const int cells = tree.board().position().cells();
  std::fill_n(out, cells, 0.0f);
  const bool lost = root.proof == Proof::Loss;
  float most = 0;
  for (int i = 0; i < root.tried; ++i)
    if (lost || !refuted(root, i)) most = std::max(most, root.n()[i]);
  for (int i = 0; i < root.edge_count; ++i) {
    const bool counts = i < root.tried && (lost || !refuted(root, i));
    if (most > 0 && counts) out[root.edges[i].move()] = std::pow(root.n()[i] / most, 1 / temperature);
    if (most == 0 && (i >= root.tried || counts)) out[root.edges[i].move()] = std::exp(root.edges[i].log_prior());
  }
  normalise(out, cells);
}

void add_noise(Tree& tree, Rng& rng, float alpha, float fraction) {
  if (fraction <= 0) return;
  const Node& root = tree.root();
  std::vector<float> noise(root.edge_count);
  for (auto& x : noise) x = static_cast<float>(rng.gamma(alpha));
  const float sum = std::max(std::accumulate(noise.begin(), noise.end(), 0.0f), 1e-20f);
  for (int i = 0; i < root.edge_count; ++i)
    noise[i] = (1 - fraction) * std::exp(root.edges[i].log_prior()) + fraction * noise[i] / sum;
  tree.set_root_priors(noise);
}

// A win by the shortest way seen, else a draw, else the longest resistance.
Move proven_move(const Tree& tree) {
  const Node& root = tree.root();
  if (root.proof == Proof::None || root.edge_count == 0) return kNoMove;
  int best = -1, top = -1;
  for (int i = 0; i < root.tried; ++i) {
    const Node* child = root.child()[i];
    if (!child || child->proof == Proof::None) continue;
    const int rank = child->proof == Proof::Loss   ? 30000 - child->distance
                     : child->proof == Proof::Draw ? 10000 + child->distance
                                                   : child->distance;
    if (rank > top) best = i, top = rank;
  }
  return root.edges[std::max(best, 0)].move();
}

Move most_visited(const Tree& tree) {
  const Node& root = tree.root();
  int best = -1;
  const auto better = [&](int a, int b) {
    if (refuted(root, a) != refuted(root, b)) return refuted(root, b);
    return root.n()[a] != root.n()[b] ? root.n()[a] > root.n()[b] : root.q()[a] > root.q()[b];
  };
  for (int i = 0; i < root.tried; ++i)
    if (root.n()[i] > 0 && (best < 0 || better(i, best))) best = i;
  // Every tried move refuted, others not looked at yet: the likeliest of those cannot be worse.
  if ((best < 0 || refuted(root, best)) && root.tried < root.edge_count) return root.edges[root.tried].move();
  return best < 0 ? kNoMove : root.edges[best].move();
}

Move sample(const float* policy, int cells, Rng& rng) {
  double at = rng.uniform() * std::accumulate(policy, policy + cells, 0.0);
  Move last = kNoMove;
  for (Move m = 0; m < cells; ++m) {
    if (policy[m] <= 0) continue;
    last = m;
    if ((at -= policy[m]) < 0) break;
  }
  return last;
}

}  // namespace tengen

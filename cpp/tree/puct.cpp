#include "tree/puct.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <new>

#include "rules/fastmath.h"

namespace tengen {

namespace {

constexpr int kLanes = 8;
constexpr int kRootVcf = 50;      // the root's share of solver nodes against a leaf's
constexpr float kOffHint = 4.0f;  // logits taken from moves that ignore a threat

// Index of the largest of `count` scores; the first among equals.
int argmax(const float* scores, int count) {
  if (count < 2 * kLanes) return static_cast<int>(std::max_element(scores, scores + count) - scores);
  float best[kLanes];
  std::copy_n(scores, kLanes, best);
  int i = kLanes;
  for (; i + kLanes <= count; i += kLanes)
    for (int j = 0; j < kLanes; ++j) best[j] = scores[i + j] > best[j] ? scores[i + j] : best[j];
  float top = *std::max_element(best, best + kLanes);
  for (; i < count; ++i) top = std::max(top, scores[i]);
  return static_cast<int>(std::find(scores, scores + count, top) - scores);
}

std::uint64_t cache_key(const Position& p) {
  return p.key() ^ (static_cast<std::uint64_t>(p.last() + 2) * 0x9e3779b97f4a7c15ull);
}

std::uint16_t cost_of(float log_prior) {
  return static_cast<std::uint16_t>(std::min(-log_prior * Edge::kCostUnit + 0.5f, 65535.0f));
}

}  // namespace

Tree::Tree(const ThreatBoard& root, const SearchOptions& options, bool shapes, EvalCache* cache)
    : options_(options), shapes_(shapes || options.solver || root.position().rule() == Rule::Renju), cache_(cache),
      board_(root), threats_(root), plain_(root.position()), logits_(root.position().cells()) {
  root_ = make_node();
}

// ---------------------------------------------------------------------------------------------------------------------
// The board at the leaf

void Tree::play(Move m) {
  if (shapes_)
    threats_.play(m);
  else
    plain_.play(m);
  played_.push_back(m);
}

void Tree::undo() {
  if (shapes_)
    threats_.undo();
  else
    plain_.undo();
  played_.pop_back();
}

void Tree::rewind() {
  while (!played_.empty()) undo();
}

// Takes back only what the last leaf and this one do not share.
void Tree::go(const std::vector<PendingLeaf::Step>& path) {
  std::size_t same = 0;
  while (same < path.size() && same < played_.size() &&
         path[same].node->edges[path[same].child].move() == played_[same])
    ++same;
  while (played_.size() > same) undo();
  for (; same < path.size(); ++same) play(path[same].node->edges[path[same].child].move());
}

void Tree::legal_moves(std::vector<Move>& out) const {
  const Position& p = leaf_position();
  out.resize(p.cells());
  int count = 0;
  for (int m = 0; m < p.cells(); ++m) {
    out[count] = static_cast<Move>(m);
    count += p.empty(static_cast<Move>(m));
  }
  out.resize(count);
  if (p.rule() != Rule::Renju || p.turn() != Color::Black) return;
  std::erase_if(out, [&](Move m) { return threats_.doubtful().has(m) && !p.legal(m); });
}

// ---------------------------------------------------------------------------------------------------------------------
// Descent

// The tried move with the best score, and that score.
int Tree::best_tried(const Node& node, float scale, float& score) const {
  float scores[kMaxCells];
  const float *n = node.n(), *q = node.q(), *p = node.p();
  const int count = node.tried;
  const bool printed = options_.formula == Formula::Printed;
  if (pending_) {  // a move under way counts as lost once for each visit under way
    const std::uint16_t* waiting = node.waiting();
    for (int i = 0; i < count; ++i) {
      const float visits = n[i] + waiting[i];
      const float mean = q[i] <= kRefuted || visits == 0 ? q[i] : (q[i] * n[i] - waiting[i]) / visits;
      scores[i] = mean + scale * p[i] / (printed ? std::sqrt(1 + visits) : 1 + visits);
    }
  } else if (printed) {
    for (int i = 0; i < count; ++i) scores[i] = q[i] + scale * p[i] / std::sqrt(1 + n[i]);
  } else {
    for (int i = 0; i < count; ++i) scores[i] = q[i] + scale * p[i] / (1 + n[i]);
  }
  const int best = argmax(scores, count);
  score = scores[best];
  return best;
}

// Index of the move to descend to; node.tried stands for the likeliest move not tried yet. Other untried moves score
// less than that one, so nobody need look at them.
int Tree::pick(const Node& node, float visits, float value) const {
  const float scale = options_.c_puct * std::sqrt(std::max(visits, 1.0f));
  if (node.tried == 0) return 0;
  float tried_score;
  const int best = best_tried(node, scale, tried_score);
  if (node.tried == node.edge_count) return best;
  const float urgency = options_.fpu_zero ? 0.0f : value - options_.fpu * std::sqrt(node.mass);
  return urgency + scale * node.next_prior > tried_score ? node.tried : best;
}

Tree::Result Tree::select(PendingLeaf& pending, int first) {
  pending.path.clear();
  Node* node = root_;
  float visits = root_n_, value = root_q_;
  for (;;) {
    if (node->proof != Proof::None) {
      pending.leaf = node;
      backup(pending, proven_value(node->proof));
      return Result::Done;
    }
    if (node->state == Node::State::Waiting) {
      for (const auto& step : pending.path) --step.node->waiting()[step.child];
      return Result::Collided;
    }
    if (node->state == Node::State::New) {
      pending.leaf = node;
      go(pending.path);
      if (!visit(pending)) {
        node->state = Node::State::Waiting;
        ++pending_;
        ++stats_.evaluations;
        return Result::Leaf;
      }
      if (node->proof != Proof::None || node->evaluated) {
        backup(pending, node->proof != Proof::None ? proven_value(node->proof) : node->value);
        return Result::Done;
      }
      if (pending.path.empty()) return Result::Done;  // a forced root: known without a simulation
    }
    int i = node == root_ && first >= 0 ? first : pick(*node, visits, value);
    if (i == node->tried) i = try_next(*node);
    ++node->waiting()[i];
    pending.path.push_back({node, i});
    visits = node->n()[i];
    value = visits > 0 ? -std::max(node->q()[i], -1.0f) : 0;
    if (!node->child()[i]) node->child()[i] = make_node();
    node = node->child()[i];
  }
}

// Settles what can be known of a new leaf without the network. False: the network must be asked.
bool Tree::visit(PendingLeaf& pending) {
  Node& leaf = *pending.leaf;
  const Position& p = leaf_position();
  depth_ = std::max(depth_, static_cast<int>(pending.path.size()));
  if (p.won() || p.full()) {
    leaf.proof = p.won() ? Proof::Loss : Proof::Draw;
    return true;
  }
  if (options_.solver && visit_forced(leaf, pending)) return true;
  if (options_.solver && tactics_.restricted)
    pending.moves = tactics_.moves;
  else
    legal_moves(pending.moves);
  if (pending.moves.empty()) {  // renju: every empty cell is forbidden
    leaf.proof = Proof::Draw;
    return true;
  }
  pending.key = cache_key(p);
  if (!cache_ || !cache_->find(pending.key, logits_.data(), leaf.value)) return false;
  ++stats_.cache_hits;
  leaf.evaluated = true;
  open(leaf, pending.moves, hinted(pending, logits_.data()));
  return true;
}

// The solver's part: a proof, or a single move that needs no network.
bool Tree::visit_forced(Node& leaf, PendingLeaf& pending) {
  const bool root = pending.path.empty();  // a proven root still needs a move to play
  solver_.solve(threats_, root ? kRootVcf * options_.vcf_nodes : options_.vcf_nodes, tactics_);
  pending.hints = tactics_.against_vcf;
  if (tactics_.proof == Proof::None && !(tactics_.restricted && tactics_.moves.size() == 1)) return false;
  leaf.proof = tactics_.proof;
  leaf.distance = static_cast<std::uint16_t>(tactics_.distance);
  if (root || leaf.proof == Proof::None) {
    pending.moves = tactics_.moves;
    if (pending.moves.empty()) legal_moves(pending.moves);
    std::fill(logits_.begin(), logits_.end(), 0.0f);
    open(leaf, pending.moves, logits_.data());
  }
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Expansion

Node* Tree::make_node() { return new (memory_.take(sizeof(Node))) Node; }

void Tree::expand(PendingLeaf& pending, const float* logits, float value) {
  Node& leaf = *pending.leaf;
  assert(leaf.state == Node::State::Waiting);
  --pending_;
  if (cache_) cache_->store(pending.key, logits, value);
  leaf.value = std::clamp(value, -1.0f, 1.0f);
  leaf.evaluated = true;
  open(leaf, pending.moves, hinted(pending, logits));
  backup(pending, leaf.value);
}

void Tree::abandon(PendingLeaf& pending) {
  --pending_;
  pending.leaf->state = Node::State::New;
  for (const auto& step : pending.path) --step.node->waiting()[step.child];
}

// Logits with moves that do not meet the opponent's continuous fours made unlikely (not impossible: a move elsewhere
// may still help, and search refutes it quickly if not).
const float* Tree::hinted(const PendingLeaf& pending, const float* logits) {
  if (pending.hints.empty()) return logits;
  hinted_.assign(logits, logits + logits_.size());
  for (float& x : hinted_) x -= kOffHint;
  for (const Move m : pending.hints) hinted_[m] = logits[m];
  return hinted_.data();
}

// Lists `moves` with the softmax of their logits as priors.
void Tree::open(Node& node, std::span<const Move> moves, const float* logits) {
  const int count = static_cast<int>(moves.size());
  float some[kMaxCells];
  float top = -1e30f, sum = 0;
  for (int i = 0; i < count; ++i) {
    some[i] = logits[moves[i]];
    top = some[i] > top ? some[i] : top;
  }
  float sums[kLanes] = {};
  for (int i = 0; i < count; ++i) some[i] -= top;
  int i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (int j = 0; j < kLanes; ++j) sums[j] += fast_exp(some[i + j]);
  for (; i < count; ++i) sum += fast_exp(some[i]);
  for (const float s : sums) sum += s;
  const float shift = std::log(sum);
  node.edges = static_cast<Edge*>(memory_.take(count * sizeof(Edge)));
  for (i = 0; i < count; ++i) node.edges[i] = Edge(moves[i], cost_of(some[i] - shift));
  node.edge_count = static_cast<std::uint16_t>(count);
  node.state = Node::State::Open;
  find_next(node);
}

// Brings the likeliest untried move to the front of the untried ones.
void Tree::find_next(Node& node) {
  if (node.tried == node.edge_count) return;
  Edge* const rest = node.edges + node.tried;
  const int count = node.edge_count - node.tried;
  std::uint32_t least = ~0u;
  for (int i = 0; i < count; ++i) least = rest[i].word() < least ? rest[i].word() : least;
  int at = 0;
  while (rest[at].word() != least) ++at;
  std::swap(rest[0], rest[at]);
  node.next_prior = fast_exp(rest[0].log_prior());
}

// Gives the next untried move its statistics and returns its index.
int Tree::try_next(Node& node) {
  if (node.tried == node.capacity) resize(node, std::min<int>(std::max(2 * node.capacity, 2), node.edge_count));
  const int i = node.tried++;
  node.child()[i] = nullptr;
  node.n()[i] = node.q()[i] = 0;
  node.p()[i] = node.next_prior;
  node.waiting()[i] = 0;
  node.mass += node.next_prior;
  find_next(node);
  return i;
}

int Tree::try_move(Node& node, Move m) {
  for (int i = 0; i < node.edge_count; ++i) {
    if (node.edges[i].move() != m) continue;
    if (i < node.tried) return i;
    std::swap(node.edges[i], node.edges[node.tried]);
    node.next_prior = fast_exp(node.edges[node.tried].log_prior());
    return try_next(node);
  }
  return -1;
}

// Moves the statistics to a block with room for `capacity` moves.
void Tree::resize(Node& node, int capacity) {
  constexpr std::size_t kRow = sizeof(Node*) + 3 * sizeof(float) + sizeof(std::uint16_t);
  Node wider = node;
  wider.capacity = static_cast<std::uint16_t>(capacity);
  wider.block = static_cast<std::byte*>(memory_.take(capacity * kRow));
  std::copy_n(node.child(), node.tried, wider.child());
  std::copy_n(node.n(), node.tried, wider.n());
  std::copy_n(node.q(), node.tried, wider.q());
  std::copy_n(node.p(), node.tried, wider.p());
  std::copy_n(node.waiting(), node.tried, wider.waiting());
  node = wider;
}

void Tree::set_root_priors(std::span<const float> priors) {
  Node& root = *root_;
  root.mass = 0;
  for (int i = 0; i < root.edge_count; ++i) {
    const float prior = std::max(priors[i], 1e-7f);
    root.edges[i] = Edge(root.edges[i].move(), cost_of(std::log(prior)));
    if (i >= root.tried) continue;
    if (root.q()[i] > kRefuted) root.p()[i] = prior;
    root.mass += prior;
  }
  find_next(root);
}

// ---------------------------------------------------------------------------------------------------------------------
// Backing up

// What a node is worth by its own evaluation and the visits of moves that are not refuted.
float Tree::mean(const Node& node) {
  float visits = node.evaluated ? 1.0f : 0.0f, sum = node.evaluated ? node.value : 0.0f;
  for (int i = 0; i < node.tried; ++i)
    if (node.q()[i] > kRefuted) visits += node.n()[i], sum += node.n()[i] * node.q()[i];
  return visits > 0 ? sum / visits : 0.0f;
}

// Every move has a proven result: so has the node. The longest resistance tells the distance.
void Tree::conclude(Node& node) {
  int draws = 0, longest = 0;
  for (int i = 0; i < node.tried; ++i) {
    const bool draw = node.q()[i] > kRefuted;
    if (draw && !draws) longest = 0;
    draws += draw;
    if (draw || !draws) longest = std::max<int>(longest, node.child()[i]->distance);
  }
  node.proof = draws ? Proof::Draw : Proof::Loss;
  node.distance = static_cast<std::uint16_t>(longest + 1);
}

// Takes note of the proven result of the tried move i. True when the node's mean is no longer that of its visits.
bool Tree::settle(Node& node, int i, const Node& child) {
  if (child.proof == Proof::Loss) {
    node.proof = Proof::Win;
    node.distance = static_cast<std::uint16_t>(child.distance + 1);
    node.q()[i] = 1;
    return true;
  }
  ++node.settled;
  node.q()[i] = child.proof == Proof::Draw ? 0 : kRefuted;
  if (child.proof == Proof::Win) node.p()[i] = 0;
  if (node.settled == node.edge_count) conclude(node);
  return true;
}

// Carries a value (for the side to move at the leaf) up the path. Where a move turns out refuted, the node takes the
// mean of its other moves from then on, and its ancestors hear that mean.
void Tree::backup(PendingLeaf& pending, float value) {
  ++stats_.simulations;
  Node* child = pending.leaf;
  bool replace = false;
  for (auto step = pending.path.rbegin(); step != pending.path.rend(); ++step) {
    Node& node = *step->node;
    const int i = step->child;
    value = -value;
    --node.waiting()[i];
    node.n()[i] += 1;
    float& q = node.q()[i];
    if (q > kRefuted) q = replace ? value : q + (value - q) / node.n()[i];
    replace = false;
    if (child->proof != Proof::None && !child->counted && node.proof == Proof::None) {
      child->counted = true;
      replace = settle(node, i, *child);
      value = mean(node);
    }
    if (node.proof != Proof::None) value = proven_value(node.proof);
    child = &node;
  }
  root_n_ += 1;
  root_q_ = replace ? value : root_q_ + (value - root_q_) / root_n_;
}

// ---------------------------------------------------------------------------------------------------------------------
// Moving the root

Node* Tree::copy(const Node& from) {
  Node* to = make_node();
  *to = from;
  to->edges = static_cast<Edge*>(memory_.take(from.edge_count * sizeof(Edge)));
  std::copy_n(from.edges, from.edge_count, to->edges);
  if (from.tried) resize(*to, from.tried);
  for (int i = 0; i < to->tried; ++i)
    if (to->child()[i]) to->child()[i] = copy(*to->child()[i]);
  return to;
}

void Tree::advance(Move m, bool keep) {
  assert(pending_ == 0);
  rewind();
  board_.play(m);
  if (shapes_)
    threats_.play(m);
  else
    plain_.play(m);
  const Node* kept = nullptr;
  float visits = 0, value = 0;
  for (int i = 0; keep && i < root_->tried; ++i)
    if (root_->edges[i].move() == m) {
      kept = root_->child()[i];
      visits = root_->n()[i];
      value = -std::max(root_->q()[i], -1.0f);
    }
  if (kept && (kept->state != Node::State::Open || kept->edge_count == 0)) kept = nullptr;
  std::swap(memory_, spare_);
  root_ = kept ? copy(*kept) : make_node();
  root_n_ = kept ? visits : 0;
  root_q_ = kept ? value : 0;
  root_->counted = false;
  spare_.clear();
  depth_ = 0;
}

void Tree::restart(const ThreatBoard& root) {
  board_ = threats_ = root;
  plain_ = root.position();
  played_.clear();
  memory_.clear();
  root_ = make_node();
  root_n_ = root_q_ = 0;
  pending_ = depth_ = 0;
}

std::vector<Move> Tree::line(int first) const {
  std::vector<Move> moves;
  for (const Node* node = root_; node && node->tried;) {
    int best = first;
    for (int i = 0; first < 0 && i < node->tried; ++i) {
      const auto rank = [&](int j) {
        const Node* c = node->child()[j];
        const bool wins = c && c->proof == Proof::Loss;
        return wins                       ? 1e9f - c->distance
               : node->q()[j] <= kRefuted ? -1.0f / (1 + (c ? c->distance : 0))
                                          : node->n()[j];
      };
      if (best < 0 || rank(i) > rank(best)) best = i;
    }
    first = -1;
    if (node->n()[best] == 0) break;
    moves.push_back(node->edges[best].move());
    node = node->child()[best];
  }
  return moves;
}

}  // namespace tengen

// The root of a line search: what was found there, and how it moves on with the game.
#include <algorithm>
#include <cmath>
#include <new>

#include "lines/tree.h"

namespace tengen {

float LineTree::value() const { return proof() == Proof::None ? -root().q() : proven(proof()); }
Proof LineTree::proof() const { return turned(root().proof.load(std::memory_order_acquire)); }

Move LineTree::best() const {
  const LineEdge* best = nullptr;
  const auto rank = [](const LineEdge& e) {
    const Proof p = e.proof.load();
    if (p == Proof::Win) return 1e12 - e.distance;
    if (p == Proof::Loss) return -1e6 + e.distance;
    return static_cast<double>(e.visits.load()) + 0.4 * e.q();
  };
  for (const LineEdge& e : moves())
    if (!best || rank(e) > rank(*best)) best = &e;
  return best ? best->move : kNoMove;
}

std::vector<const LineEdge*> LineTree::tried() const {
  std::vector<const LineEdge*> found;
  for (const LineEdge& e : moves())
    if (e.visits.load() || e.proof.load() != Proof::None) found.push_back(&e);
  std::sort(found.begin(), found.end(), [](const LineEdge* a, const LineEdge* b) {
    const auto rank = [](const LineEdge* e) {
      return e->proof.load() == Proof::Win ? 2 : e->proof.load() == Proof::Loss ? 0 : 1;
    };
    if (rank(a) != rank(b)) return rank(a) > rank(b);
    if (a->visits.load() != b->visits.load()) return a->visits.load() > b->visits.load();
    return a->move < b->move;
  });
  return found;
}

std::vector<Move> LineTree::line(Move first) const {
  std::vector<Move> out;
  auto* self = const_cast<LineTree*>(this);
  const LineEdge* at = &root();
  for (Move want = first; out.size() < 64; want = kNoMove) {
    const LineEdge* next = nullptr;
    for (const LineEdge& e : self->children(*at)) {
      if (want != kNoMove ? e.move != want : !e.visits.load() || e.proof.load() == Proof::Loss) continue;
      if (!next || e.proof.load() == Proof::Win ||
          (next->proof.load() != Proof::Win && e.visits.load() > next->visits.load()))
        next = &e;
    }
    if (!next) return out;
    out.push_back(next->move);
    if (next->state.load() != LineEdge::Open) return out;
    at = next;
  }
  return out;
}

std::span<const LineEdge> LineTree::moves_after(std::span<const Move> played) const {
  auto known = moves();
  for (const Move m : played) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const LineEdge& e) { return e.move == m; });
    if (found == known.end() || found->state.load() != LineEdge::Open) return {};
    known = const_cast<LineTree*>(this)->children(*found);
  }
  return known;
}

void LineTree::policy(float temperature, float* out) const {
  std::fill(out, out + board_.position().cells(), 0.0f);
  const bool won = proof() == Proof::Win;
  double sum = 0;
  for (const LineEdge& e : moves()) {
    const Proof p = e.proof.load();
    double share = 0;
    if (won)
      share = p == Proof::Win;
    else if (p != Proof::Loss || proof() == Proof::Loss)
      share = std::pow(static_cast<double>(e.visits.load()), 1 / temperature);
    out[e.move] = static_cast<float>(share);
    sum += share;
  }
  for (int m = 0; sum > 0 && m < board_.position().cells(); ++m) out[m] = static_cast<float>(out[m] / sum);
}

void LineTree::mix_noise(Rng& rng, float alpha, float fraction) {
  const auto kids = moves();
  std::vector<double> noise;
  double sum = 1e-30;
  for (std::size_t i = 0; i < kids.size(); ++i) noise.push_back(rng.gamma(alpha)), sum += noise.back();
  for (std::size_t i = 0; i < kids.size(); ++i)
    kids[i].prior = (1 - fraction) * kids[i].prior + fraction * static_cast<float>(noise[i] / sum);
}

void LineTree::restart(const ThreatBoard& root) {
  board_ = root;
  memory_->clear();
  positions_.clear();
  walkers_.clear();
  depth_ = 0;
}

void LineTree::advance(Move m) {
  const LineEdge* next = nullptr;
  for (const LineEdge& e : moves())
    if (e.move == m) next = &e;
  board_.play(m);
  spare_->clear();
  positions_.clear();
  LineEdge& root = (*spare_)[0];
  // A won game's moves are not searched; a proof found without them must be found again with the moves.
  if (next && next->state.load() == LineEdge::Open) {
    root.copy(*next);
    root.proof.store(Proof::None);
    copy_below(*next, root);
  }
  std::swap(memory_, spare_);
  if (root.state.load() == LineEdge::Open) {
    conclude(root);
    inherit(root);
  }
  for (auto& walker : walkers_) walker->advance(m);
  depth_ = 0;
}

// What other orders of moves found below the root is its own now.
void LineTree::inherit(LineEdge& root) {
  const Total all = below(root);
  if (!all.visits || all.visits < root.visits.load()) return;
  root.visits.store(all.visits + 1);
  root.sum.store(std::llround(-static_cast<double>(all.sum) / all.visits * (all.visits + 1)));
}

// Into spare_. A position is copied once, however many edges lead to it.
void LineTree::copy_below(const LineEdge& source, LineEdge& to) {
  struct Step {
    const LineEdge* old;
    LineEdge* fresh;
    std::uint64_t key;
    Color turn;
  };
  std::vector<Step> left = {{&source, &to, board_.position().key(), board_.turn()}};
  while (!left.empty()) {
    const auto [old, fresh, key, turn] = left.back();
    left.pop_back();
    const auto kids = children(*old);
    if (old->state.load() != LineEdge::Open || kids.empty()) continue;
    std::uint64_t copied = positions_.find(key);
    if (!copied) {
      const std::uint32_t first = spare_->take(static_cast<int>(kids.size()));
      if (!first) {
        fresh->state.store(LineEdge::Closed);
        continue;
      }
      copied = LineEdge::kids_of(first, kids.size(), old->complete());
      positions_.keep(key, copied);
      for (std::size_t i = 0; i < kids.size(); ++i) {
        auto* copy = new (&(*spare_)[static_cast<std::uint32_t>(first + i)]) LineEdge;
        copy->copy(kids[i]);
        left.push_back({&kids[i], copy, key_after(key, kids[i].move, turn), ~turn});
      }
    }
    fresh->kids.store(copied);
  }
}

}  // namespace tengen

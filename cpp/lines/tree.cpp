#include "lines/tree.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>

#include "rules/threading.h"

namespace tengen {
namespace {

constexpr std::uint64_t kComplete = 1ull << 63;

std::uint64_t kids_of(std::uint32_t first, std::size_t count, bool complete) {
  return first | static_cast<std::uint64_t>(count) << 32 | (complete ? kComplete : 0);
}

// Positions are searched for long threats when they have been visited 400 times, 3,200 times, 25,600 times ...
constexpr std::uint32_t kBusy = 400;

// How many times `nodes` to look, 0 for not now.
int due(std::uint32_t visits) {
  int times = 1;
  for (std::uint64_t at = kBusy; at <= visits; at *= 8, times *= 4)
    if (at == visits) return times;
  return 0;
}

float proven(Proof p) { return p == Proof::Win ? 1.0f : p == Proof::Loss ? -1.0f : 0.0f; }
Proof turned(Proof p) { return p == Proof::Win ? Proof::Loss : p == Proof::Loss ? Proof::Win : p; }

}  // namespace

// ---------------------------------------------------------------------------------------------------------------------
// Searching

LineTree::LineTree(const LineNetwork& network, const ThreatBoard& root, const LineSearchOptions& options)
    : network_(network), options_(options), board_(root) {
  const auto capacity = static_cast<std::size_t>(std::max(options.memory_mb, 0.125) * 1048576 / sizeof(LineEdge) / 2);
  memory_ = std::make_unique<EdgeMemory>(capacity);
  spare_ = std::make_unique<EdgeMemory>(capacity);
}

std::int64_t LineTree::think(const LineLimit& limit) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  open_root();
  while (static_cast<int>(walkers_.size()) < std::max(1, limit.threads))
    walkers_.push_back(std::make_unique<LineWalker>(network_, board_, options_));
  std::atomic<std::int64_t> done{0};
  const auto work = [&](LineWalker& walker) {
    for (std::int64_t mine = 0; proof() == Proof::None; ++mine) {
      if (limit.sims && done.fetch_add(1, std::memory_order_relaxed) >= limit.sims) {
        done.fetch_sub(1, std::memory_order_relaxed);
        return;
      }
      if (!limit.sims) done.fetch_add(1, std::memory_order_relaxed);
      simulate(walker);
      if ((mine & 15) == 15) {
        if (limit.stop && limit.stop->load(std::memory_order_relaxed)) return;
        if (limit.seconds > 0 && std::chrono::duration<double>(Clock::now() - begin).count() >= limit.seconds) return;
      }
    }
  };
  Crew helpers;
  for (int i = 1; i < limit.threads; ++i) helpers.start([&, i] { work(*walkers_[i]); });
  work(*walkers_[0]);
  helpers.join();
  for (const auto& w : walkers_) depth_ = std::max(depth_, w->depth_);
  return done.load();
}

void LineTree::open_root() {
  LineEdge& root = (*memory_)[0];
  if (walkers_.empty()) walkers_.push_back(std::make_unique<LineWalker>(network_, board_, options_));
  if (root.state.load() == LineEdge::Open || root.proof.load() != Proof::None) return;
  LineWalker& walker = *walkers_[0];
  walker.go({});
  float value = 0;
  if (!visit(root, walker, value)) {
    root.sum.fetch_add(static_cast<std::int64_t>(-value * LineEdge::kUnit));
    root.visits.fetch_add(1);
  }
  open(root, walker, kMaxCells);
}

void LineTree::simulate(LineWalker& walker) {
  auto& path = walker.path_;
  auto& moves = walker.moves_;
  path.assign(1, &(*memory_)[0]);
  moves.clear();
  (*memory_)[0].visits.fetch_add(1, std::memory_order_relaxed);
  (*memory_)[0].sum.fetch_sub(LineEdge::kUnit, std::memory_order_relaxed);
  float value = 0;  // for the side to move at the end of the path
  for (;;) {
    LineEdge& e = *path.back();
    if (e.proof.load(std::memory_order_acquire) != Proof::None) {
      value = -proven(e.proof.load(std::memory_order_relaxed));
      break;
    }
    if (e.state.load(std::memory_order_acquire) != LineEdge::Open) {
      walker.go(moves);
      // 1. A position that was judged before is opened, and the simulation goes on below it.
      if (e.visits.load(std::memory_order_relaxed) > 1 && open(e, walker, options_.children)) continue;
      // 2. Else it is judged here.
      visit(e, walker, value);
      break;
    }
    if (options_.vct_nodes > 0 && walker.solver_)
      if (const int times = due(e.visits.load(std::memory_order_relaxed))) {
        walker.go(moves);
        if (look_far(path, walker, options_.vct_nodes * times)) continue;
      }
    LineEdge* next = select(e, path.size() == 1);
    if (!next) {  // every move that was kept loses
      if (e.complete()) {
        prove(path);
        continue;
      }
      walker.go(moves);
      widen(e, walker);
      if (!(next = select(e, true))) {
        value = -1;
        break;
      }
    }
    next->visits.fetch_add(1, std::memory_order_relaxed);
    next->sum.fetch_sub(LineEdge::kUnit, std::memory_order_relaxed);
    path.push_back(next);
    moves.push_back(next->move);
  }
  walker.depth_ = std::max(walker.depth_, static_cast<int>(path.size()) - 1);
  backup(walker, value);
}

// Asks whether the side to move at the end of `path` wins by continuous threats. True when something was proven.
bool LineTree::look_far(std::span<LineEdge* const> path, LineWalker& walker, int nodes) {
  int length = 0;
  const Move first = walker.win_by_threats(nodes, length);
  if (first == kNoMove) return false;
  LineEdge& e = *path.back();
  if (path.size() > 1) {
    e.distance = static_cast<std::uint16_t>(length);
    e.proof.store(Proof::Loss, std::memory_order_release);
    prove(path.first(path.size() - 1));
    return true;
  }
  for (LineEdge& kid : children(e)) {  // at the root the winning move itself is needed
    if (kid.move != first) continue;
    kid.distance = static_cast<std::uint16_t>(length - 1);
    kid.proof.store(Proof::Win, std::memory_order_release);
    prove(path);
    return true;
  }
  return false;
}

// PUCT. Untried moves follow the tried ones in the order of their priors, so only the first of them matters; the root's
// priors may have been mixed with noise, so there all are looked at.
LineEdge* LineTree::select(LineEdge& e, bool root) {
  const auto kids = children(e);
  const auto visits = static_cast<float>(e.visits.load(std::memory_order_relaxed));
  // In double precision, which every library rounds to the same float.
  const auto growth = static_cast<float>(std::log1p(static_cast<double>(visits / 500)));
  const float c = options_.c_puct * (1 + options_.c_growth * growth);
  const float scale = c * std::sqrt(visits), untried = -e.q() - options_.fpu;
  LineEdge* best = nullptr;
  float top = -1e9f;
  for (LineEdge& kid : kids) {
    const auto n = kid.visits.load(std::memory_order_relaxed);
    const Proof proof = kid.proof.load(std::memory_order_relaxed);
    if (proof == Proof::Loss) continue;
    if (proof == Proof::Win) return &kid;
    const float q = proof == Proof::Draw ? 0.0f : n ? kid.q() : untried;
    const float score = q + scale * kid.prior / static_cast<float>(1 + n);
    if (score > top) top = score, best = &kid;
    if (!n && !root) break;
  }
  return best;
}

// Judges the position behind `e`. True when the result is proven.
bool LineTree::visit(LineEdge& e, LineWalker& walker, float& value) {
  const Position& p = walker.position();
  const auto settle = [&](Proof for_mover, int distance) {
    e.distance = static_cast<std::uint16_t>(distance);
    e.proof.store(for_mover, std::memory_order_release);
    value = -proven(for_mover);
    return true;
  };
  if (p.won()) return settle(Proof::Win, 0);
  if (p.full()) return settle(Proof::Draw, 0);
  if (walker.solver_) {
    const Tactics& t = walker.attack();
    if (t.proof != Proof::None && walker.played_.size()) return settle(turned(t.proof), t.distance);
  }
  value = walker.value();
  return false;
}

bool LineTree::open(LineEdge& e, LineWalker& walker, int most) {
  std::uint8_t closed = LineEdge::Closed;
  if (!e.state.compare_exchange_strong(closed, LineEdge::Busy)) return false;
  bool complete = true;
  const auto& choices = walker.choices(most, complete);
  if (choices.empty()) {  // renju: no legal move is left
    e.proof.store(Proof::Draw);
    e.state.store(LineEdge::Closed);
    return false;
  }
  const std::uint32_t first = memory_->take(static_cast<int>(choices.size()));
  if (!first) {
    e.state.store(LineEdge::Closed);
    return false;
  }
  for (std::size_t i = 0; i < choices.size(); ++i) {
    auto* kid = new (&(*memory_)[static_cast<std::uint32_t>(first + i)]) LineEdge;
    kid->move = choices[i].move;
    kid->prior = choices[i].prior;
  }
  e.kids.store(kids_of(first, choices.size(), complete), std::memory_order_release);
  e.state.store(LineEdge::Open, std::memory_order_release);
  return true;
}

// Adds the moves that were left out; those that were kept are all lost.
void LineTree::widen(LineEdge& e, LineWalker& walker) {
  std::uint8_t was = LineEdge::Open;
  if (!e.state.compare_exchange_strong(was, LineEdge::Busy)) return;
  bool complete = true;
  const auto& choices = walker.choices(kMaxCells, complete);
  const auto old = children(e);
  if (const std::uint32_t first = memory_->take(static_cast<int>(choices.size()))) {
    for (std::size_t i = 0; i < choices.size(); ++i) {
      auto* kid = new (&(*memory_)[static_cast<std::uint32_t>(first + i)]) LineEdge;
      const auto known =
          std::find_if(old.begin(), old.end(), [&](const LineEdge& k) { return k.move == choices[i].move; });
      if (known != old.end()) {
        kid->copy(*known);
        kid->kids.store(known->kids.load());
      }
      kid->move = choices[i].move;
      kid->prior = choices[i].prior;
    }
    e.kids.store(kids_of(first, choices.size(), true), std::memory_order_release);
  }
  e.state.store(LineEdge::Open, std::memory_order_release);
}

void LineTree::backup(LineWalker& walker, float value) {
  const auto& path = walker.path_;
  for (std::size_t i = path.size(); i-- > 0; value = -value)
    path[i]->sum.fetch_add(static_cast<std::int64_t>((1 - value) * LineEdge::kUnit), std::memory_order_relaxed);
  if (path.size() > 1 && path.back()->proof.load(std::memory_order_relaxed) != Proof::None)
    prove({path.data(), path.size() - 1});
}

// Carries proofs up from the end of `path`, as far as they reach.
void LineTree::prove(std::span<LineEdge* const> path) {
  for (std::size_t i = path.size(); i-- > 0;)
    if (!conclude(*path[i])) return;
}

// One winning answer refutes a move; a move wins when every answer loses.
bool LineTree::conclude(LineEdge& e) {
  if (e.proof.load(std::memory_order_relaxed) != Proof::None) return true;
  int longest = -1, shortest = 1 << 14;
  bool open = !e.complete(), draw = false;
  for (const LineEdge& kid : children(e)) {
    const Proof p = kid.proof.load(std::memory_order_acquire);
    if (p == Proof::Win) shortest = std::min<int>(shortest, kid.distance + 1);
    if (p == Proof::Loss) longest = std::max<int>(longest, kid.distance + 1);
    draw |= p == Proof::Draw;
    open |= p == Proof::None;
  }
  if (shortest < 1 << 14) {
    e.distance = static_cast<std::uint16_t>(shortest);
    e.proof.store(Proof::Loss, std::memory_order_release);
  } else if (open) {
    return false;
  } else {
    e.distance = static_cast<std::uint16_t>(draw ? 0 : longest);
    e.proof.store(draw ? Proof::Draw : Proof::Win, std::memory_order_release);
  }
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// The root

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
  walkers_.clear();
  depth_ = 0;
}

void LineTree::advance(Move m) {
  const LineEdge* next = nullptr;
  for (const LineEdge& e : moves())
    if (e.move == m) next = &e;
  board_.play(m);
  spare_->clear();
  LineEdge& root = (*spare_)[0];
  // A won game's moves are not searched; a proof found without them must be found again with the moves.
  if (next && next->state.load() == LineEdge::Open) {
    root.copy(*next);
    root.proof.store(Proof::None);
    copy_below(*memory_, *next, root);
  }
  std::swap(memory_, spare_);
  if (root.state.load() == LineEdge::Open) conclude(root);
  for (auto& walker : walkers_) walker->advance(m);
  depth_ = 0;
}

// Into spare_.
void LineTree::copy_below(const EdgeMemory& from, const LineEdge& source, LineEdge& to) {
  std::vector<std::pair<const LineEdge*, LineEdge*>> left = {{&source, &to}};
  while (!left.empty()) {
    const auto [old, fresh] = left.back();
    left.pop_back();
    const std::uint64_t kids = old->kids.load();
    const auto count = static_cast<int>(kids >> 32 & 0xffff);
    if (old->state.load() != LineEdge::Open || !count) continue;
    const std::uint32_t first = spare_->take(count);
    if (!first) {
      fresh->state.store(LineEdge::Closed);
      continue;
    }
    fresh->kids.store(kids_of(first, count, kids >> 63));
    for (int i = 0; i < count; ++i) {
      const LineEdge& kid = from[static_cast<std::uint32_t>(kids) + i];
      auto* copy = new (&(*spare_)[first + i]) LineEdge;
      copy->copy(kid);
      left.emplace_back(&kid, copy);
    }
  }
}

}  // namespace tengen

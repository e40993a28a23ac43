#include "lines/tree.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>

#include "rules/threading.h"

namespace tengen {
namespace {

std::size_t bytes_of(const LineSearchOptions& options) {
  return static_cast<std::size_t>(std::max(options.memory_mb, 0.125) * 1048576);
}

// The memory has two halves, and an opened position takes some 800 bytes of one.
std::size_t positions_in(const LineSearchOptions& options) { return options.graph ? bytes_of(options) / 1024 : 0; }

// Positions are searched for long threats when they have been visited 400 times, 3,200 times, 25,600 times ...
constexpr std::uint32_t kBusy = 400;

// How many times `nodes` to look, 0 for not now.
int due(std::uint32_t visits) {
  int times = 1;
  for (std::uint64_t at = kBusy; at <= visits; at *= 8, times *= 4)
    if (at == visits) return times;
  return 0;
}

}  // namespace

LineTree::LineTree(const LineNetwork& network, const ThreatBoard& root, const LineSearchOptions& options)
    : network_(network), options_(options), board_(root), positions_(positions_in(options)) {
  const std::size_t capacity = (bytes_of(options) - positions_.bytes()) / sizeof(LineEdge) / 2;
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
  path.clear(), moves.clear(), walker.shared_.clear();
  walker.key_ = board_.position().key();
  enter((*memory_)[0], walker);
  float value = 0;  // for the side to move at the end of the path
  for (;;) {
    LineEdge& e = *path.back();
    if (e.proof.load(std::memory_order_acquire) != Proof::None) {
      value = -proven(e.proof.load(std::memory_order_relaxed));
      break;
    }
    if (e.state.load(std::memory_order_acquire) != LineEdge::Open) {
      // 1. A position that another order of moves opened, or that was judged before and is opened now: go on below it.
      if (join(e, walker)) continue;
      walker.go(moves);
      if (e.visits.load(std::memory_order_relaxed) > 1 && open(e, walker, options_.children)) continue;
      // 2. Else it is judged here.
      visit(e, walker, value);
      break;
    }
    if (look_far(path, walker)) continue;
    const std::uint32_t visits = visits_by_all(e, walker);
    if (walker.shared_.back() && conclude(e)) continue;
    LineEdge* next = select(e, visits, path.size() == 1);
    if (!next) {  // every move that was kept loses
      if (e.complete()) {
        prove(path);
        continue;
      }
      walker.go(moves);
      widen(e, walker);
      if (!(next = select(e, visits, true))) {
        value = -1;
        break;
      }
    }
    enter(*next, walker);
  }
  walker.depth_ = std::max(walker.depth_, static_cast<int>(path.size()) - 1);
  backup(walker, value);
}

void LineTree::enter(LineEdge& e, LineWalker& walker) {
  e.visits.fetch_add(1, std::memory_order_relaxed);
  e.sum.fetch_sub(LineEdge::kUnit, std::memory_order_relaxed);
  if (!walker.path_.empty()) {
    walker.key_ = key_after(walker.key_, e.move, walker.moves_.size() % 2 ? ~board_.turn() : board_.turn());
    walker.moves_.push_back(e.move);
  }
  walker.path_.push_back(&e);
  walker.shared_.push_back(false);
}

// Another order of moves has opened the position: `e` takes its moves and all that is known of them.
bool LineTree::join(LineEdge& e, const LineWalker& walker) {
  const std::uint64_t kids = positions_.find(walker.key_);
  std::uint8_t closed = LineEdge::Closed;
  if (!kids || !e.state.compare_exchange_strong(closed, LineEdge::Busy)) return false;
  e.kids.store(kids, std::memory_order_release);
  e.state.store(LineEdge::Open, std::memory_order_release);
  conclude(e);
  return true;
}

// How often the position behind the last edge of the path was visited, this visit included. When the moves below `e`
// were searched more often than `e` was, others lead there too.
std::uint32_t LineTree::visits_by_all(const LineEdge& e, LineWalker& walker) {
  const bool alone = !options_.graph || walker.moves_.empty();
  const std::uint32_t others = alone ? 0 : below(e).visits, own = e.visits.load(std::memory_order_relaxed);
  walker.shared_.back() = others && others + 2 > own;  // 2: the position was judged once, and this visit is under way
  return std::max(own, others + 2);
}

// What was found below `e`, for the side to move there. Tried moves come first.
LineTree::Total LineTree::below(const LineEdge& e) {
  Total total;
  for (const LineEdge& kid : children(e)) {
    const auto n = kid.visits.load(std::memory_order_relaxed);
    if (!n) break;
    total.visits += n;
    total.sum += kid.sum.load(std::memory_order_relaxed);
  }
  return total;
}

// Within one tree the stones tell whose turn it is.
std::uint64_t LineTree::key_after(std::uint64_t key, Move m, Color mover) const {
  return key ^ board_.position().geometry().zobrist[m][index(mover)];
}

// Asks now and then whether the side to move at the end of `path` wins by continuous threats. True when something was
// proven.
bool LineTree::look_far(std::span<LineEdge* const> path, LineWalker& walker) {
  LineEdge& e = *path.back();
  const int times = walker.solver_ ? due(e.visits.load(std::memory_order_relaxed)) : 0;
  if (!times || options_.vct_nodes <= 0) return false;
  walker.go(walker.moves_);
  int length = 0;
  const Move first = walker.win_by_threats(std::int64_t{options_.vct_nodes} * times, length);
  if (first == kNoMove) return false;
  for (LineEdge& kid : children(e)) {
    if (kid.move != first) continue;
    kid.settle(Proof::Win, length - 1);
    prove(path);
    return true;
  }
  if (path.size() == 1) return false;  // at the root the winning move itself is needed
  e.settle(Proof::Loss, length);
  prove(path.first(path.size() - 1));
  return true;
}

// PUCT. Untried moves follow the tried ones in the order of their priors, so only the first of them matters; the root's
// priors may have been mixed with noise, so there all are looked at.
LineEdge* LineTree::select(LineEdge& e, std::uint32_t count, bool root) {
  const auto kids = children(e);
  const auto visits = static_cast<float>(count);
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
    e.settle(for_mover, distance);
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
  const std::uint64_t kids = LineEdge::kids_of(first, choices.size(), complete);
  e.kids.store(kids, std::memory_order_release);
  e.state.store(LineEdge::Open, std::memory_order_release);
  if (!walker.played_.empty()) positions_.keep(walker.key_, kids);
  return true;
}

// Adds the moves that were left out; those that were kept are all lost.
void LineTree::widen(LineEdge& e, LineWalker& walker) {
  std::uint8_t was = LineEdge::Open;
  if (!e.state.compare_exchange_strong(was, LineEdge::Busy)) return;
  if (const std::uint64_t known = positions_.find(walker.key_); known & LineEdge::kComplete) {
    e.kids.store(known, std::memory_order_release);
    e.state.store(LineEdge::Open, std::memory_order_release);
    return;
  }
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
    const std::uint64_t kids = LineEdge::kids_of(first, choices.size(), true);
    e.kids.store(kids, std::memory_order_release);
    positions_.keep(walker.key_, kids);
  }
  e.state.store(LineEdge::Open, std::memory_order_release);
}

// An edge gains what its child loses. One that shares its position takes the mean of all that was found there, and what
// that changes goes up in place of the value.
void LineTree::backup(LineWalker& walker, float value) {
  const auto& path = walker.path_;
  auto gain = static_cast<std::int64_t>(-value * LineEdge::kUnit);
  for (std::size_t i = path.size(); i-- > 0; gain = -gain) {
    LineEdge& e = *path[i];
    if (const Total all = walker.shared_[i] ? below(e) : Total{}; all.visits) {
      const double visits = e.visits.load(std::memory_order_relaxed);
      gain = std::llround(-static_cast<double>(all.sum) / all.visits * visits) - LineEdge::kUnit -
             e.sum.load(std::memory_order_relaxed);
    }
    e.sum.fetch_add(LineEdge::kUnit + gain, std::memory_order_relaxed);
  }
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
    e.settle(Proof::Loss, shortest);
  } else if (open) {
    return false;
  } else {
    e.settle(draw ? Proof::Draw : Proof::Win, draw ? 0 : longest);
  }
  return true;
}

}  // namespace tengen

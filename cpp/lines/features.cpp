#include "lines/features.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace tengen {

LineFeatures::LineFeatures(const LineNetwork& network, const Position& position)
    : network_(&network), cells_(position.cells()), start_(position.ply()) {
  changes_.reserve(64 * 32);
  steps_.reserve(kMaxCells);
  moves_.reserve(kMaxCells);
  const std::size_t most = static_cast<std::size_t>(position.empties()) + 1;
  sums_.resize(most * network.row());
  known_.resize(most);
  for (int m = 0; m < cells_; ++m) {
    if (!position.empty(static_cast<Move>(m))) continue;
    for (int d = 0; d < kDirections; ++d)
      sight_[m] |= Sight{network.windows().number(position.window(static_cast<Move>(m), d))} << 16 * d;
  }
  add_all(sums_.data());
  known_[0] = true;
}

inline void LineFeatures::change(Move m, Sight sight) {
  changes_.push_back({sight_[m], m});
  sight_[m] = sight;
}

void LineFeatures::push(const Position& position, int moves) {
  const int end = position.ply();
  steps_.push_back({static_cast<std::uint32_t>(changes_.size()), end});
  known_[steps_.size()] = false;
  for (int i = end - moves; i < end; ++i) {
    moves_.push_back(position.move_at(i));
    see(position, position.move_at(i));
  }
}

// What the cells around the stone on `m` see, all stones of `position` standing.
void LineFeatures::see(const Position& position, Move m) {
  change(m, 0);
  const Windows& windows = network_->windows();
  const int radius = windows.radius();
  for (int d = 0; d < kDirections; ++d) {
    const auto& p = position.geometry().place[m][d];
    const int step = position.geometry().step[d];
    const int first = -std::min<int>(p.before, radius), last = std::min<int>(p.after, radius);
    const Sight keep = ~(Sight{0xffff} << 16 * d);
    const std::uint64_t line = position.line(m, d);
    int bit = p.bit - 2 * radius + 2 * first;
    Move cell = static_cast<Move>(m + first * step);
    for (int i = first; i <= last; ++i, bit += 2, cell = static_cast<Move>(cell + step)) {
      if ((line >> (bit + 2 * radius) & 3) != 3) continue;  // a stone stands there
      const Sight sight = (sight_[cell] & keep) | Sight{windows.number(line >> bit)} << 16 * d;
      if (sight != sight_[cell]) change(cell, sight);
    }
  }
}

void LineFeatures::undo() {
  for (const std::size_t mark = steps_.back().changes; changes_.size() > mark; changes_.pop_back())
    sight_[changes_.back().cell] = changes_.back().before;
  steps_.pop_back();
  moves_.resize(static_cast<std::size_t>(ply() - start_));
}

void LineFeatures::follow(const Position& position) {
  int same = start_;
  while (same < std::min(ply(), position.ply()) && moves_[same - start_] == position.move_at(same)) ++same;
  while (ply() > same) undo();
  if (position.ply() > ply()) push(position, position.ply() - ply());
}

const std::int32_t* LineFeatures::sums() {
  const std::size_t now = steps_.size();
  if (!known_[now]) {
    std::size_t from = now - 1;
    while (!known_[from]) --from;  // the first position is always known
    catch_up(from);
    known_[now] = true;
  }
  return sums_at(now);
}

// Takes the old features of the cells that changed off the sums of `from` steps, and adds their new ones.
void LineFeatures::catch_up(std::size_t from) {
  std::array<Sight, kMaxCells> gone, come;
  int old = 0, fresh = 0;
  ++round_;
  for (std::size_t i = steps_[from].changes; i < changes_.size(); ++i) {
    const Change& c = changes_[i];
    if (seen_[c.cell] == round_) continue;
    seen_[c.cell] = round_;
    if (c.before == sight_[c.cell]) continue;
    if (c.before) gone[old++] = c.before;
    if (sight_[c.cell]) come[fresh++] = sight_[c.cell];
  }
  std::int32_t* to = sums_at(steps_.size());
  const LineNetwork& net = *network_;
  std::memcpy(to, sums_at(from), sizeof(std::int32_t) * net.row());
  net.kernels().add(net.table(), net.bias(), net.row(), gone.data(), old, -1, to);
  net.kernels().add(net.table(), net.bias(), net.row(), come.data(), fresh, 1, to);
}

void LineFeatures::add_all(std::int32_t* sums) {
  std::array<Sight, kMaxCells> all;
  int n = 0;
  for (int m = 0; m < cells_; ++m)
    if (sight_[m]) all[n++] = sight_[m];
  std::fill(sums, sums + network_->row(), 0);
  network_->kernels().add(network_->table(), network_->bias(), network_->row(), all.data(), n, 1, sums);
}

void LineFeatures::scores(const Position& position, float* out) {
  LineGate gate;
  network_->gate(sums(), position.turn(), gate);
  std::array<Sight, kMaxCells> sights;
  std::array<Move, kMaxCells> cells;
  std::array<std::int32_t, kMaxCells> products;
  int n = 0;
  for (int m = 0; m < cells_; ++m) {
    if (sight_[m])
      sights[n] = sight_[m], cells[n++] = static_cast<Move>(m);
    else
      out[m] = gate.far;  // taken cells too: nobody asks for them
  }
  const LineNetwork& net = *network_;
  net.kernels().score(net.table(), net.bias(), net.row(), sights.data(), n, gate.weights, products.data());
  for (int i = 0; i < n; ++i) out[cells[i]] = LineNetwork::score_of(products[i]);
}

bool LineFeatures::is_ok(const Position& position) {
  LineFeatures fresh(*network_, position);
  const std::int32_t *a = sums(), *b = fresh.sums();
  return fresh.sight_ == sight_ && std::equal(a, a + network_->row(), b);
}

}  // namespace tengen

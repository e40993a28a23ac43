#include "lines/edges.h"

#include <algorithm>

namespace tengen {

void LineEdge::copy(const LineEdge& o) {
  sum.store(o.sum.load(std::memory_order_relaxed), std::memory_order_relaxed);
  visits.store(o.visits.load(std::memory_order_relaxed), std::memory_order_relaxed);
  prior = o.prior, move = o.move;
  distance.store(o.distance.load(std::memory_order_relaxed), std::memory_order_relaxed);
  state.store(o.state.load(std::memory_order_relaxed), std::memory_order_relaxed);
  proof.store(o.proof.load(std::memory_order_relaxed), std::memory_order_relaxed);
  kids.store(0, std::memory_order_relaxed);
}

EdgeMemory::EdgeMemory(std::size_t capacity)
    : memory_(static_cast<LineEdge*>(::operator new(capacity * sizeof(LineEdge), std::align_val_t{64}))),
      edges_(memory_.get()), capacity_(capacity) {
  new (edges_) LineEdge;
}

std::uint32_t EdgeMemory::take(int n) {
  if (used_.load(std::memory_order_relaxed) + n > capacity_) return 0;
  const std::size_t first = used_.fetch_add(n, std::memory_order_relaxed);
  return first + n <= capacity_ ? static_cast<std::uint32_t>(first) : 0;
}

std::size_t EdgeMemory::bytes() const {
  return std::min(used_.load(std::memory_order_relaxed), capacity_) * sizeof(LineEdge);
}

void EdgeMemory::clear() {
  used_.store(1, std::memory_order_relaxed);
  new (edges_) LineEdge;
}

}  // namespace tengen

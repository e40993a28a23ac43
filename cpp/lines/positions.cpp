#include "lines/positions.h"

#include <bit>

namespace tengen {
namespace {

constexpr int kProbes = 8;

template <class T>
T* zeros(std::size_t count) {
  return count ? static_cast<T*>(std::calloc(count, sizeof(T))) : nullptr;
}

}  // namespace

PositionTable::PositionTable(std::size_t positions)
    : places_(positions ? std::bit_ceil(positions) : 0), table_(zeros<Place>(places_)),
      taken_(zeros<std::uint32_t>(places_)) {
  if (!table_ || !taken_) places_ = 0;  // the search goes on without
}

std::uint64_t PositionTable::find(std::uint64_t key) const {
  for (int i = 0; places_ && i < kProbes; ++i) {
    const Place& place = table_[at(key, i)];
    const std::uint64_t there = place.key.load(std::memory_order_relaxed);
    if (there == key) return place.kids.load(std::memory_order_acquire);
    if (!there) break;
  }
  return 0;
}

void PositionTable::keep(std::uint64_t key, std::uint64_t kids) {
  for (int i = 0; places_ && i < kProbes; ++i) {
    const std::size_t index = at(key, i);
    std::uint64_t there = 0;
    const bool fresh = table_[index].key.compare_exchange_strong(there, key, std::memory_order_relaxed);
    if (!fresh && there != key) continue;
    if (fresh) taken_[count_.fetch_add(1, std::memory_order_relaxed)] = static_cast<std::uint32_t>(index);
    table_[index].kids.store(kids, std::memory_order_release);
    return;
  }
}

void PositionTable::clear() {
  for (std::size_t i = 0; i < count_.load(std::memory_order_relaxed); ++i) {
    table_[taken_[i]].key.store(0, std::memory_order_relaxed);
    table_[taken_[i]].kids.store(0, std::memory_order_relaxed);
  }
  count_.store(0, std::memory_order_relaxed);
}

}  // namespace tengen

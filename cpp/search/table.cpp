#include "search/table.h"

#include <algorithm>
#include <cstring>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace tengen {
namespace {

#ifdef __linux__
constexpr std::size_t kPage = 2u << 20;
#else
constexpr std::size_t kPage = 64;
#endif

// Zeroed memory, taken whole before any clock runs. A search touches it at random: with small pages, or pages that the
// system hands out on first touch, a short search spends most of its time on them.
void* take_memory(std::size_t size) {
  const std::size_t whole = (size + kPage - 1) / kPage * kPage;
  void* memory = ::operator new(whole, std::align_val_t{kPage});
#ifdef __linux__
  madvise(memory, whole, MADV_HUGEPAGE);  // a wish: small pages work too
#endif
  return memory;
}

constexpr std::uint8_t kGenerations = 64;
constexpr std::uint64_t kNextSalt = 0x9e3779b97f4a7c15ull;

// score 16 | eval 16 | move 16 | depth 8 | generation 6, bound 2
std::uint64_t pack(const Memory& m, std::uint8_t generation) {
  return static_cast<std::uint64_t>(static_cast<std::uint16_t>(m.score)) |
         static_cast<std::uint64_t>(static_cast<std::uint16_t>(m.eval)) << 16 |
         static_cast<std::uint64_t>(static_cast<std::uint16_t>(m.move)) << 32 |
         static_cast<std::uint64_t>(static_cast<std::uint8_t>(m.depth)) << 48 |
         static_cast<std::uint64_t>(generation << 2 | static_cast<int>(m.bound)) << 56;
}

Memory unpack(std::uint64_t data) {
  return {static_cast<std::int16_t>(data), static_cast<std::int16_t>(data >> 16), static_cast<Move>(data >> 32),
          static_cast<std::int8_t>(data >> 48), static_cast<Bound>(data >> 56 & 3)};
}

int generation_of(std::uint64_t data) { return static_cast<int>(data >> 58); }

}  // namespace

void TranspositionTable::Free::operator()(void* p) const { ::operator delete(p, std::align_val_t{kPage}); }

TranspositionTable::TranspositionTable(std::size_t megabytes)
    : buckets_(std::max<std::size_t>(1, megabytes << 20) / sizeof(Bucket)), memory_(take_memory(bytes())) {
  table_ = static_cast<Bucket*>(memory_.get());
  clear();
}

void TranspositionTable::clear() {
  std::memset(memory_.get(), 0, bytes());
  salt_ = 0;
  generation_ = 1;
}

void TranspositionTable::begin_search(bool forget) {
  if (++generation_ >= kGenerations) {
    if (forget) return clear();
    generation_ = 1;
  }
  if (forget) salt_ += kNextSalt;
}

bool TranspositionTable::probe(std::uint64_t key, Memory& found) const {
  const std::uint64_t salted = key ^ salt_;
  for (Entry& entry : bucket(salted).entries) {
    const std::uint64_t data = entry.data.load(std::memory_order_relaxed);
    if (!data || (entry.check.load(std::memory_order_relaxed) ^ data) != salted) continue;
    found = unpack(data);
    return true;
  }
  return false;
}

void TranspositionTable::store(std::uint64_t key, Memory memory) {
  const std::uint64_t salted = key ^ salt_;
  Entry* victim = nullptr;
  int least = 1 << 20;
  for (Entry& entry : bucket(salted).entries) {
    const std::uint64_t data = entry.data.load(std::memory_order_relaxed);
    const bool same = data && (entry.check.load(std::memory_order_relaxed) ^ data) == salted;
    const bool old = generation_of(data) != generation_;
    const Memory held = unpack(data);
    // A deeper result of this search is worth more than a shallow bound, and anything more than a glance.
    const int respect = memory.depth > 0 ? 3 : 0;
    if (same && !old && memory.bound != Bound::Exact && memory.depth + respect < held.depth) return;
    const int worth = same ? -2000 : old ? -1000 : held.depth;
    if (worth < least) least = worth, victim = &entry;
    // A search that found no move better than the others still has the best one of an earlier search.
    if (same && memory.move == kNoMove) memory.move = held.move;
  }
  const std::uint64_t data = pack(memory, generation_);
  victim->data.store(data, std::memory_order_relaxed);
  victim->check.store(salted ^ data, std::memory_order_relaxed);
}

}  // namespace tengen

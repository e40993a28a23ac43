// The nodes of a line search, and the memory they live in.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>

#include "rules/types.h"
#include "solve/tactics.h"

namespace tengen {

inline float proven(Proof p) { return p == Proof::Win ? 1.0f : p == Proof::Loss ? -1.0f : 0.0f; }
inline Proof turned(Proof p) { return p == Proof::Win ? Proof::Loss : p == Proof::Loss ? Proof::Win : p; }

// A move and what is known about it, for the side that makes it.
struct LineEdge {
  static constexpr std::int64_t kUnit = 1 << 20;
  static constexpr std::uint64_t kComplete = 1ull << 63;
  enum State : std::uint8_t { Closed, Busy, Open };

  std::atomic<std::int64_t> sum{0};    // values in kUnit; a visit under way counts as lost
  std::atomic<std::uint64_t> kids{0};  // first child, their number << 32, every move is there << 63
  std::atomic<std::uint32_t> visits{0};
  float prior = 0;
  Move move = kNoMove;
  std::atomic<std::uint16_t> distance{0};  // plies to the end when proven
  std::atomic<std::uint8_t> state{Closed};
  std::atomic<Proof> proof{Proof::None};

  std::uint32_t first() const { return static_cast<std::uint32_t>(kids.load(std::memory_order_acquire)); }
  int count() const { return static_cast<int>(kids.load(std::memory_order_acquire) >> 32 & 0xffff); }
  bool complete() const { return kids.load(std::memory_order_acquire) & kComplete; }
  static std::uint64_t kids_of(std::uint32_t first, std::size_t count, bool complete) {
    return first | static_cast<std::uint64_t>(count) << 32 | (complete ? kComplete : 0);
  }
  float q() const {
    const auto n = visits.load(std::memory_order_relaxed);
    return n ? static_cast<float>(sum.load(std::memory_order_relaxed)) /
                   (static_cast<float>(kUnit) * static_cast<float>(n))
             : 0.0f;
  }
  // The proven result, else q.
  float value() const {
    const Proof p = proof.load();
    return p == Proof::None ? q() : proven(p);
  }
  void settle(Proof p, int plies) {
    distance.store(static_cast<std::uint16_t>(plies), std::memory_order_relaxed);
    proof.store(p, std::memory_order_release);
  }
  void copy(const LineEdge& o);
};
static_assert(sizeof(LineEdge) == 32);

// A fixed piece of memory for edges; index 0 is the root. The system gives pages only when they are touched.
class EdgeMemory {
 public:
  explicit EdgeMemory(std::size_t capacity);
  LineEdge& operator[](std::uint32_t i) { return edges_[i]; }
  const LineEdge& operator[](std::uint32_t i) const { return edges_[i]; }
  std::uint32_t take(int n);  // 0: full
  void clear();
  std::size_t bytes() const;

 private:
  struct Free {
    void operator()(LineEdge* p) const { ::operator delete(p, std::align_val_t{64}); }
  };
  std::unique_ptr<LineEdge, Free> memory_;
  LineEdge* edges_;
  std::size_t capacity_;
  std::atomic<std::size_t> used_{1};
};

}  // namespace tengen

// Which moves the threads of one search are busy with, so that the others try different moves first: simplified ABDADA.
//
// A claim that is lost or found by mistake changes the order of the work and nothing else, so nothing is locked. Every
// claim is dropped by who took it, also when a search is stopped.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tengen {

class Claims {
 public:
  bool taken(std::uint64_t key) const {
    for (const auto& claim : bucket(key))
      if (claim.load(std::memory_order_relaxed) == key) return true;
    return false;
  }
  void take(std::uint64_t key) {
    Bucket& claims = bucket(key);
    for (auto& claim : claims)
      if (!claim.load(std::memory_order_relaxed)) return claim.store(key, std::memory_order_relaxed);
    claims[0].store(key, std::memory_order_relaxed);
  }
  void drop(std::uint64_t key) {
    for (auto& claim : bucket(key))
      if (claim.load(std::memory_order_relaxed) == key) claim.store(0, std::memory_order_relaxed);
  }

 private:
  using Bucket = std::array<std::atomic<std::uint64_t>, 4>;
  static constexpr std::size_t kBuckets = 1 << 12;

  Bucket& bucket(std::uint64_t key) { return buckets_[key >> 52]; }
  const Bucket& bucket(std::uint64_t key) const { return buckets_[key >> 52]; }

  std::array<Bucket, kBuckets> buckets_{};
};

}  // namespace tengen

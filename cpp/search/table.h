// What earlier parts of a search found out about a position, shared by all its threads without locks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "rules/types.h"

namespace tengen {

enum class Bound : std::uint8_t { None = 0, Upper = 1, Lower = 2, Exact = 3 };

struct Memory {
  std::int16_t score = 0;
  std::int16_t eval = 0;
  Move move = kNoMove;
  std::int8_t depth = 0;
  Bound bound = Bound::None;
};

class TranspositionTable {
 public:
  explicit TranspositionTable(std::size_t megabytes);

  // Entries of earlier searches become the first to be replaced; with `forget` they are never found again, so that a
  // search does not depend on what was searched before.
  void begin_search(bool forget);
  void clear();

  bool probe(std::uint64_t key, Memory& found) const;
  // An entry without a move keeps the move that is remembered.
  void store(std::uint64_t key, Memory entry);
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&bucket(key ^ salt_)); }

  std::size_t megabytes() const { return bytes() >> 20; }

 private:
  // `check` is key ^ data: an entry torn by two threads writing at once does not match any key.
  struct Entry {
    std::atomic<std::uint64_t> check, data;
  };
  struct alignas(64) Bucket {
    Entry entries[4];
  };
  struct Free {
    void operator()(void* p) const;
  };

  std::size_t bytes() const { return buckets_ * sizeof(Bucket); }
  Bucket& bucket(std::uint64_t salted) const {
    return table_[static_cast<std::size_t>(static_cast<unsigned __int128>(salted) * buckets_ >> 64)];
  }

  std::size_t buckets_;
  std::unique_ptr<void, Free> memory_;
  Bucket* table_ = nullptr;
  std::uint64_t salt_ = 0;
  std::uint8_t generation_ = 0;
};

}  // namespace tengen

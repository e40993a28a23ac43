// Where the moves of each opened position lie, by the position's key, so that all ways into it share them.
//
// A table of fixed size for several threads: a place that was taken stays with its key until clear(). A full table
// takes no further positions, which costs sharing and nothing else.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace tengen {

class PositionTable {
 public:
  explicit PositionTable(std::size_t positions);  // expected at most; 0: the table takes none

  std::uint64_t find(std::uint64_t key) const;       // what is kept for the key, or 0
  void keep(std::uint64_t key, std::uint64_t kids);  // in place of what was kept before
  void clear();                                      // costs as much as was kept
  std::size_t bytes() const { return places_ * (sizeof(Place) + sizeof(std::uint32_t)); }

 private:
  struct Place {
    std::atomic<std::uint64_t> key, kids;
  };
  struct Free {
    void operator()(void* p) const { std::free(p); }
  };
  std::size_t at(std::uint64_t key, int i) const { return (key + i) & (places_ - 1); }

  std::size_t places_;
  // Zeros from the system, which gives pages only when they are touched.
  std::unique_ptr<Place[], Free> table_;
  std::unique_ptr<std::uint32_t[], Free> taken_;
  std::atomic<std::size_t> count_{0};
};

}  // namespace tengen

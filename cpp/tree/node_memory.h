// Memory for search trees: handed out by bumping a pointer, given back all at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace tengen {

class NodeMemory {
 public:
  NodeMemory() = default;
  NodeMemory(NodeMemory&&) = default;
  NodeMemory& operator=(NodeMemory&&) = default;

  // `bytes` of memory aligned for pointers.
  void* take(std::size_t bytes) {
    bytes = (bytes + 7) & ~std::size_t{7};
    if (bytes > left_) next_chunk(bytes);
    void* result = at_;
    at_ += bytes;
    left_ -= bytes;
    return result;
  }

  // Forgets everything; the chunks stay for the next tree.
  void clear() { used_ = 0, left_ = 0; }

  // Bytes held from the system.
  std::size_t held() const {
    std::size_t sum = 0;
    for (const auto& chunk : chunks_) sum += chunk.size;
    return sum;
  }

 private:
  static constexpr std::size_t kFirst = 16 << 10, kLargest = 1 << 20;
  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    std::size_t size;
  };

  // Chunks double from small to large: thousands of small trees and one huge tree both fit well.
  void next_chunk(std::size_t bytes) {
    while (used_ < chunks_.size() && chunks_[used_].size < bytes) ++used_;
    if (used_ == chunks_.size()) {
      std::size_t size = chunks_.empty() ? kFirst : std::min(kLargest, 2 * chunks_.back().size);
      size = std::max(size, bytes);
      chunks_.push_back({std::unique_ptr<std::byte[]>(new std::byte[size]), size});
    }
    at_ = chunks_[used_].memory.get();
    left_ = chunks_[used_].size;
    ++used_;
  }

  std::vector<Chunk> chunks_;
  std::size_t used_ = 0;
  std::byte* at_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace tengen

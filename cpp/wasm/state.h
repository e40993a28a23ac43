// What the calls of a module share: the board on show, the network in use and the buffer that lists of numbers go
// through.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "lines/network.h"
#include "rules/threats.h"

namespace tengen::wasm {

inline std::array<std::int32_t, 1 << 16> buffer;
inline std::optional<ThreatBoard> board;
inline std::shared_ptr<const LineNetwork> network;  // a review that goes on keeps its own

// Writes numbers one behind the other; what has no room is left out.
class Writer {
 public:
  void put(std::int64_t number) {
    if (size_ < buffer.size()) buffer[size_++] = static_cast<std::int32_t>(number);
  }
  void put_wide(std::uint64_t number) {
    put(static_cast<std::int32_t>(number & 0xffffffff));
    put(static_cast<std::int32_t>(number >> 32));
  }
  void put_double(double number) { put_wide(std::bit_cast<std::uint64_t>(number)); }
  void put_list(const std::vector<Move>& moves) {
    put(static_cast<std::int64_t>(moves.size()));
    for (Move m : moves) put(m);
  }

 private:
  std::size_t size_ = 0;
};

// Reads numbers one behind the other, written as a Writer does.
class Reader {
 public:
  explicit Reader(std::size_t at = 0) : at_(at) {}
  int next() { return at_ < buffer.size() ? buffer[at_++] : 0; }
  double next_double() {
    const auto low = static_cast<std::uint32_t>(next()), high = static_cast<std::uint32_t>(next());
    return std::bit_cast<double>(std::uint64_t{high} << 32 | low);
  }
  std::vector<Move> next_list() {
    std::vector<Move> moves(static_cast<std::size_t>(std::max(next(), 0)));
    for (Move& m : moves) m = static_cast<Move>(next());
    return moves;
  }

 private:
  std::size_t at_;
};

}  // namespace tengen::wasm

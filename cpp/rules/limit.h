// How long a search may run, and the watch that tells it when to stop.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace tengen {

struct SearchLimit {
  double seconds = 0;  // 0: no limit of that kind
  std::uint64_t nodes = 0;
  int depth = 0;
  double soft = 0;  // seconds after which a search that is sure of its move ends; only alphabeta looks at it
};

class Watch {
 public:
  using Clock = std::chrono::steady_clock;

  void start(const SearchLimit& limit) {
    limit_ = limit;
    began_ = Clock::now();
    over_.store(false, std::memory_order_relaxed);
  }
  void limit_nodes(std::uint64_t nodes) { limit_.nodes = nodes; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

  // Asked once a node. The clock is read only now and then: reading it costs as much as a node.
  bool spent(std::uint64_t nodes) {
    if (limit_.nodes && nodes >= limit_.nodes) stop();
    if ((nodes & 511) == 0 && limit_.seconds > 0 && seconds() >= limit_.seconds) stop();
    return over();
  }
  bool over() const { return over_.load(std::memory_order_relaxed); }
  const std::atomic<bool>* flag() const { return &over_; }
  void stop() { over_.store(true, std::memory_order_relaxed); }  // from any thread

 private:
  SearchLimit limit_;
  Clock::time_point began_ = Clock::now();
  std::atomic<bool> over_{false};
};

}  // namespace tengen

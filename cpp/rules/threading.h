// What the core needs of threads, in one place: builds without them (the browser's) define TENGEN_SINGLE_THREAD.
#pragma once

#include <map>
#include <memory>

#ifndef TENGEN_SINGLE_THREAD
#include <mutex>
#include <thread>
#include <vector>
#endif

namespace tengen {

#ifdef TENGEN_SINGLE_THREAD

struct Mutex {};
struct Lock {
  explicit Lock(Mutex&) {}
};
class Crew {
 public:
  template <class F>
  void start(F&&) {}  // asked for by nobody: a search has one thread there
  void join() {}
};

#else

using Mutex = std::mutex;
using Lock = std::lock_guard<std::mutex>;

// Threads that work beside the caller's own; joined at the latest when the crew goes.
class Crew {
 public:
  template <class F>
  void start(F&& work) {
    threads_.emplace_back(std::forward<F>(work));
  }
  void join() { threads_.clear(); }

 private:
  std::vector<std::jthread> threads_;
};

#endif

// A table that is built once for each key, when it is first asked for, and shared by everyone from any thread.
template <class T, class Key, class Make>
const T& shared(const Key& key, Make make) {
  static Mutex mutex;
  static std::map<Key, std::unique_ptr<const T>> all;
  const Lock lock(mutex);
  auto& slot = all[key];
  if (!slot) slot.reset(new T(make()));
  return *slot;
}

}  // namespace tengen

// Pairs of games on several threads: jobs come in as lines, results go out as lines.
#pragma once

#include "bench/runner/library.h"

namespace tengen::bench {

enum class ClockKind : bool { Wall, Processor };

// One side of a match.
struct Side {
  const Library& library;
  std::string network;  // see Engine
  int threads;          // that search one position together
};

// Reads jobs from stdin to its end; see main.cpp for their form. Results come as they are ready, in any order.
int serve_match(const Side& fresh, const Side& old, const Variant& variant, int threads, int hash_megabytes,
                ClockKind clock);

}  // namespace tengen::bench

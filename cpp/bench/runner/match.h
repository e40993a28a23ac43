// Pairs of games on several threads: jobs come in as lines, results go out as lines.
#pragma once

#include "bench/runner/library.h"

namespace tengen::bench {

enum class ClockKind : bool { Wall, Processor };

// Reads jobs from stdin to its end; see main.cpp for their form. Results come as they are ready, in any order.
int serve_match(const Library& fresh, const Library& old, const Variant& variant, int threads, int hash_megabytes,
                ClockKind clock);

}  // namespace tengen::bench

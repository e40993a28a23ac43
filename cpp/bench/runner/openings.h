// Random openings that a search calls even.
#pragma once

#include <vector>

#include "bench/runner/library.h"
#include "rules/rng.h"

namespace tengen::bench {

// Two to nine stones close to each other, legal, the game open.
std::vector<Move> random_opening(const Variant& variant, Rng& random);

// A short search and then a longer one value the opening within `bound`, for the side to move, in [-1, 1].
bool even(Engine& engine, const std::vector<Move>& opening, std::uint64_t nodes, double bound);

// The same for openings that a turn or mirror of the board makes equal, and for another order of moves.
std::vector<int> canonical(const Variant& variant, const std::vector<Move>& opening);

}  // namespace tengen::bench

// Checks and measurements of the line network that run in the core.
#pragma once

#include <cstdint>

#include "lines/network.h"
#include "rules/threats.h"

namespace tengen {

// Plays and takes back random moves from `board`, asking for sums now and then, of features that come along with every
// move and of others that follow now and then; true when they always equal those of a fresh computation.
bool walk_is_exact(const LineNetwork& network, const ThreatBoard& board, int steps, std::uint64_t seed);

// Evaluations per second of processor time (value and every move score) along the paths of a tree: a few moves back, a
// few moves on, near the stones of `board`. `threats`: with the threat board kept beside.
double evaluations_per_second(const LineNetwork& network, const ThreatBoard& board, int evaluations, bool threats);

}  // namespace tengen

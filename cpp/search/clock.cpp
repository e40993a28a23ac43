#include "search/clock.h"

#include <algorithm>

namespace tengen {
namespace {

// A game is expected to end after about kHorizon own moves; at any time kSoonestEnd more are reckoned with.
constexpr int kHorizon = 30, kSoonestEnd = 16;
constexpr double kEagerness = 1.5;  // early moves get more than an even share: they decide the game
// A move in trouble may take kStretch times its share, but never more than kStretchPart of what is free.
constexpr double kStretch = 3.0, kStretchPart = 0.2;

int most_moves(const Clocks& c) { return std::max(1, (c.cells - c.stones + 1) / 2); }

// What is left once the least that every move to come costs is put aside.
double free_part(const Clocks& c) {
  return *c.left - std::max(kClockSafety, 0.02 * *c.left) - (kClockLeast + kClockOverhead) * most_moves(c);
}

// This move's part of the match time.
double share(const Clocks& c) {
  const double free = free_part(c);
  const int to_go = std::min(most_moves(c), std::max(kSoonestEnd, kHorizon - c.stones / 2));
  return kClockLeast + std::max(0.0, std::min(kEagerness * free / to_go + c.increment / 2, 0.5 * free));
}

std::optional<double> turn_only(const Clocks& c) {
  if (!c.turn) return std::nullopt;
  return std::max(kClockLeast, *c.turn - std::min(kClockSafety, *c.turn * 0.3));
}

double within(const Clocks& c, double seconds) {
  const auto turn = turn_only(c);
  return std::max(kClockLeast, turn ? std::min(*turn, seconds) : seconds);
}

}  // namespace

std::optional<double> clock_budget(const Clocks& c) { return c.left ? within(c, share(c)) : turn_only(c); }

std::optional<double> clock_stretched(const Clocks& clocks) {
  if (!clocks.left) return std::nullopt;
  Clocks c = clocks;
  c.increment = 0;
  const double free = std::max(0.0, free_part(c)), part = share(c);
  return within(c, std::max(part, std::min(kStretch * part, kStretchPart * free)));
}

}  // namespace tengen

// How long to think about one move, given the clocks of a game: one policy for the engine, the arena and the page.
//
// A game may last until the board is full. So the least that every move still to come will cost is put aside first, and
// only the rest is shared out: however long the game, there is time for its last move.
#pragma once

#include <optional>

namespace tengen {

struct Clocks {
  std::optional<double> turn;  // the most one move may take, in seconds
  std::optional<double> left;  // what remains for the whole game; it may be negative
  int stones, cells;           // stones of both sides on the board, and its size
  double increment = 0;        // what each move adds to `left`
};

constexpr double kClockSafety = 0.05;     // kept back from every deadline: the answer has to travel
constexpr double kClockLeast = 0.005;     // even with no time left a player needs a moment to find a move
constexpr double kClockOverhead = 0.015;  // what a move costs beyond its thinking time

// Seconds to spend on the next move; nothing when neither clock limits it.
std::optional<double> clock_budget(const Clocks& clocks);
// The most a move may take on a game clock when its search is in trouble; nothing where there is no such clock.
std::optional<double> clock_stretched(const Clocks& clocks);

}  // namespace tengen

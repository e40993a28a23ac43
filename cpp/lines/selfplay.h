// Games of the line network against itself, as data to learn from.
#pragma once

#include <cstdint>
#include <functional>

#include "lines/samples.h"
#include "lines/tree.h"

namespace tengen {

struct LinePlayOptions {
  LineSearchOptions search;
  int visits = 128;         // of the root before a move is made, those kept from the last move included
  float fast_fraction = 0;  // share of moves made after `fast_visits`, without noise, and not learned from
  int fast_visits = 24;
  float noise_alpha = 0.1f, noise_fraction = 0.25f;
  int temperature_moves = 8;  // moves after the opening drawn by their visits; then the best is played
  float temperature = 1.0f;
  int opening_min = 0, opening_max = 6;  // random stones at the start
  int opening_tries = 8;                 // the last of them is drawn from so many by how level it leaves the game
  float opening_level = 0;               // the value for black that counts as level
  float opening_bound = 0.05f;           // a search finds the opening so close to it ...
  int opening_checks = 8;                // ... or the closest of so many openings is taken; 0: no search
  bool surprise = true;                  // positions where the search disagreed with the network weigh more
};

struct LinePlayStats {
  std::int64_t simulations = 0;
  std::int64_t plies = 0;
};

// `games` games from the empty board `start`, the same whatever the number of threads. `progress`: called with the
// games finished, from any thread; returns false to stop early, and then nothing is returned.
LineGames play_line_games(const LineNetwork& network, const Position& start, int games, std::uint64_t seed,
                          const LinePlayOptions& options, int threads, LinePlayStats& stats,
                          const std::function<bool(int)>& progress = {});

}  // namespace tengen

// One game between two engines.
#pragma once

#include <array>
#include <vector>

#include "bench/runner/library.h"
#include "rules/position.h"

namespace tengen::bench {

enum class End : std::uint8_t {
  Five,    // on the board
  Claim,   // a side proved its win and is believed
  Full,    // no empty cell
  Long,    // two thirds of the board are covered: a draw
  NoMove,  // renju's black has no legal move left
};

struct GameResult {
  int winner = -1;  // 0 black, 1 white, -1 draw
  End end = End::Full;
  bool false_claim = false;              // played out: a side that claimed a win did not win
  std::vector<Move> moves;               // the opening included
  std::array<std::uint64_t, 2> nodes{};  // by colour
  std::array<double, 2> seconds{};
};

// A side's announced win ends the game, unless `play_out` asks to see it.
GameResult play_game(const Variant& variant, const std::vector<Move>& opening, std::array<Engine*, 2> players,
                     std::array<Budget, 2> budgets, bool play_out);

}  // namespace tengen::bench

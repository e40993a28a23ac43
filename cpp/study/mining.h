// The puzzle in a position: its kind, the line, every solution, how many moves look worth a try, and how hard it is.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "rules/threats.h"
#include "study/forced.h"

namespace tengen::study {

enum class Kind : std::uint8_t { Vcf, Vct, Defence, Forbidden };
inline constexpr std::array kKindNames = {"vcf", "vct", "defence", "forbidden"};
enum class Theme : std::uint8_t { Short, Medium, Long, OneSolution, CounterFour, Block, Race };
inline constexpr std::array kThemeNames = {"short", "medium", "long", "one-solution", "counter-four", "block", "race"};
constexpr std::int64_t kPuzzleNodes = 10'000;  // of every question that a puzzle's truth rests on

// What there is to find, and how it goes on: the winning line, or what the opponent threatens.
struct Goal {
  Kind kind;
  std::vector<Move> line;
};

struct Mined {
  Goal goal;
  std::vector<Move> solutions;
  int choices;
  std::vector<Theme> themes;
};

// A win first, by fours before one by threats, else a defence; none where somebody can make five at once. Without
// `threats` wins by threats are not looked for.
std::optional<Goal> goal_of(const ThreatBoard& board, ForcedPlay& forced, bool threats = true);

// Every move that reaches the goal of this kind of puzzle; empty when the position is no such puzzle.
std::vector<Move> solutions_of(const ThreatBoard& board, Kind kind, ForcedPlay& forced);
// Moves that could start such a win: fours alone, or any move.
std::vector<Move> attacks_of(const ThreatBoard& board, Mode mode);
// How many moves look worth a try.
int choices_of(const ThreatBoard& board, Kind kind, ForcedPlay& forced);
std::vector<Theme> themes_of(const ThreatBoard& board, Kind kind, const std::vector<Move>& solutions, int attacks);
// The puzzle in a position that a person chose, with short ones and ones with several solutions.
std::optional<Mined> puzzle_at(const ThreatBoard& board, ForcedPlay& forced);
// How often a level of this rating finds a solution.
struct Share {
  double elo, found;
};
// Where a level would find the first move every other time, and more for what comes after it and for more moves to
// choose from.
int puzzle_rating(const std::vector<Share>& shares, int attacks, int choices, int solutions);

}  // namespace tengen::study

// Glicko-2 (Glickman 2012), as far as one person who solves puzzles needs it: one result is one rating period. And when
// a puzzle comes back: one that was failed tomorrow, then after longer and longer pauses until it sits.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace tengen::study {

struct Rating {
  double value = 1200, deviation = 350, volatility = 0.06;
};
constexpr double kPuzzleDeviation = 60;  // a puzzle's rating is an estimate that does not move

// The rating after one period of games, each an opponent and a score from 0 to 1.
Rating after_games(const Rating& person, const std::vector<std::pair<Rating, double>>& games);

// Games against one opponent of known rating; a draw is half a point.
struct Fare {
  double elo, points, games;
};
struct Estimate {
  double elo, low, high;  // and its 95 % interval
};
constexpr double kFewestGames = 3;
// The rating that explains the results best. A draw against the opponents' mean is added, so that a clean score has an
// answer too. Nothing for too few games.
std::optional<Estimate> estimate(std::vector<Fare> fares);

constexpr std::array kPauses = {1, 3, 7, 21};  // days; a puzzle solved after the last pause is done with

struct Repetition {
  int step;    // index into kPauses
  double due;  // seconds since 1970
};
// Nothing: it need not come back. One that was solved at once never does; failing starts over; trying again before the
// day has come changes nothing.
std::optional<Repetition> after_attempt(const std::optional<Repetition>& before, bool solved, double now);

}  // namespace tengen::study

#include "study/mining.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tengen::study {
namespace {

constexpr int kMostFours = 2;
// On the scale of the levels.
constexpr double kEasiest = 300, kHardest = 2600;
// Points for each attacking move after the first, and for each doubling of the moves to choose from.
constexpr double kPerAttack = 40, kPerChoice = 40;

bool has_five(const ThreatBoard& board) {
  return !fives(board, board.turn()).empty() || !fives(board, ~board.turn()).empty();
}

// The moves after which the opponent's threat to win by fours is gone for good; empty when there is no threat, or when
// more than kMostFours fours of one's own would have to be looked through.
std::vector<Move> holding_moves(const ThreatBoard& board, ForcedPlay& forced) {
  const auto replies = forced.replies(board, Mode::Threats).value_or(std::vector<Move>{});
  std::vector<Move> found;
  for (const Move m : replies) {
    const auto holds = forced.holds(board, m, kMostFours);
    if (!holds) return {};
    if (*holds) found.push_back(m);
  }
  return found;
}

bool ends_the_game(ThreatBoard board, const std::vector<Move>& line) {
  for (const Move m : line) board.play(m);
  return board.over();
}

// What the opponent would win by if the side to move passed.
std::vector<Move> threat_of(const ThreatBoard& board, ForcedPlay& forced) {
  ThreatBoard turned = board;
  turned.pass();
  return fives(turned, turned.turn()).empty() ? forced.line(turned, Mode::Fours) : std::vector<Move>{};
}

}  // namespace

std::vector<Move> attacks_of(const ThreatBoard& board, Mode mode) {
  const Position& p = board.position();
  // Under renju cells that may be forbidden belong to no group.
  const bool all = mode == Mode::Threats || (p.rule() == Rule::Renju && board.turn() == Color::Black);
  CellSet fours = board.cells(board.turn(), Group::Five);
  fours |= board.cells(board.turn(), Group::Four);
  std::vector<Move> moves;
  for (Move m = 0; m < p.cells(); ++m)
    if ((all || fours.has(m)) && p.legal(m)) moves.push_back(m);
  return moves;
}

std::vector<Move> solutions_of(const ThreatBoard& board, Kind kind, ForcedPlay& forced) {
  if (has_five(board)) return {};
  if (kind == Kind::Defence) return holding_moves(board, forced);
  if (kind == Kind::Vct && !forced.none(board, Mode::Fours)) return {};
  const Mode mode = kind == Kind::Vct ? Mode::Threats : Mode::Fours;
  std::vector<Move> moves = attacks_of(board, mode);
  std::erase_if(moves, [&](Move m) { return !forced.is_winning(board, m, mode); });
  return moves;
}

int choices_of(const ThreatBoard& board, Kind kind, ForcedPlay& forced) {
  if (kind == Kind::Defence)
    return static_cast<int>(forced.replies(board, Mode::Threats).value_or(std::vector<Move>{}).size());
  const int fours =
      board.position().rule() != Rule::Renju ? static_cast<int>(attacks_of(board, Mode::Fours).size()) : 4;
  int threes = 0;
  if (kind == Kind::Vct) board.cells(board.turn(), Group::Three).each([&](Move) { ++threes; });
  return fours + threes;
}

std::vector<Theme> themes_of(const ThreatBoard& board, Kind kind, const std::vector<Move>& solutions, int attacks) {
  std::vector<Theme> themes = {attacks <= 3 ? Theme::Short : attacks >= 6 ? Theme::Long : Theme::Medium};
  if (solutions.size() == 1) themes.push_back(Theme::OneSolution);
  const Color own = board.turn();
  if (kind == Kind::Defence) {
    themes.push_back(fives(played(board, solutions[0]), own).empty() ? Theme::Block : Theme::CounterFour);
  } else {
    bool fours = !fives(board, ~own).empty();
    board.cells(~own, Group::Four).each([&](Move) { fours = true; });
    if (fours) themes.push_back(Theme::Race);  // the opponent has fours too
  }
  return themes;
}

std::optional<Goal> goal_of(const ThreatBoard& board, ForcedPlay& forced, bool threats) {
  if (has_five(board)) return std::nullopt;
  if (auto line = forced.line(board, Mode::Fours); !line.empty())
    return Goal{ends_the_game(board, line) ? Kind::Vcf : Kind::Forbidden, std::move(line)};
  if (threats)
    if (auto line = forced.line(board, Mode::Threats); !line.empty()) return Goal{Kind::Vct, std::move(line)};
  auto line = threat_of(board, forced);
  return line.empty() ? std::nullopt : std::optional(Goal{Kind::Defence, std::move(line)});
}

std::optional<Mined> puzzle_at(const ThreatBoard& board, ForcedPlay& forced) {
  auto goal = goal_of(board, forced);
  if (!goal) return std::nullopt;
  auto solutions = solutions_of(board, goal->kind, forced);
  if (solutions.empty()) return std::nullopt;
  const int choices = choices_of(board, goal->kind, forced), attacks = static_cast<int>(goal->line.size() + 1) / 2;
  auto themes = themes_of(board, goal->kind, solutions, attacks);
  return Mined{*std::move(goal), std::move(solutions), choices, std::move(themes)};
}

int puzzle_rating(const std::vector<Share>& shares, int attacks, int choices, int solutions) {
  double total = 0, low = kEasiest, high = kHardest;
  for (const Share& s : shares) total += s.found;
  for (int i = 0; i < 60; ++i) {  // the rating at which the model of Elo expects as many solutions as there were
    const double middle = (low + high) / 2;
    double expected = 0;
    for (const Share& s : shares) expected += 1 / (1 + std::pow(10, (middle - s.elo) / 400));
    (expected > total ? low : high) = middle;
  }
  const double spread = std::log2(std::max(1.0, static_cast<double>(choices) / solutions));
  return static_cast<int>(std::nearbyint(low + kPerAttack * (std::min(attacks, 10) - 1) + kPerChoice * spread));
}

}  // namespace tengen::study

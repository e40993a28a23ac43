#include "study/forced.h"

#include <algorithm>

#include "solve/defences.h"

namespace tengen::study {

namespace {

constexpr std::int64_t kThreatNodes = 5'000;  // for the question whether a move threatens to win by fours

bool legal(const ThreatBoard& board, Move m) { return !board.over() && board.position().legal(m); }

}  // namespace

std::vector<Move> fives(const ThreatBoard& board, Color side) {
  std::vector<Move> cells;
  board.cells(side, Group::Five).each([&](Move m) { cells.push_back(m); });
  return cells;
}

ThreatBoard played(const ThreatBoard& board, Move m) {
  ThreatBoard after = board;
  after.play(m);
  return after;
}

ForcedPlay::ForcedPlay(std::int64_t nodes) : nodes_(nodes), vcf_(std::size_t{1} << 18), small_(std::size_t{1} << 10) {}

ForcedPlay::Found ForcedPlay::solve(const ThreatBoard& board, Mode mode) {
  ThreatBoard copy = board;
  if (mode == Mode::Fours) {
    const VcfResult result = vcf_.solve(copy, board.turn(), {.nodes = nodes_});
    return {result.win, result.exhausted};
  }
  const VctResult result = vct_.solve(copy, board.turn(), {.nodes = nodes_});
  return {result.win, result.exhausted};
}

std::vector<Move> ForcedPlay::line(const ThreatBoard& board, Mode mode) {
  if (!solve(board, mode).win) return {};
  return mode == Mode::Fours ? vcf_.line() : vct_.line();
}

bool ForcedPlay::none(const ThreatBoard& board, Mode mode) {
  const Found found = solve(board, mode);
  return !found.win && found.exhausted;
}

bool ForcedPlay::is_winning(const ThreatBoard& board, Move m, Mode mode) {
  const ThreatBoard after = played(board, m);
  if (after.over()) return after.position().won();
  const auto answers = replies(after, mode);
  return answers &&
         std::all_of(answers->begin(), answers->end(), [&](Move reply) { return wins(played(after, reply), mode); });
}

std::optional<std::vector<Move>> ForcedPlay::replies(const ThreatBoard& after, Mode mode) {
  const Color attacker = ~after.turn();
  if (!fives(after, after.turn()).empty()) return std::nullopt;
  std::vector<Move> found;
  if (const auto cells = fives(after, attacker); !cells.empty()) {
    if (cells.size() == 1 && legal(after, cells[0])) found = cells;
    return found;
  }
  ThreatBoard board = after;
  if (mode == Mode::Fours || !vcf_.solve(board, attacker, {.nodes = kThreatNodes}).win) return std::nullopt;
  const std::vector<Move> threat = vcf_.line();
  board.pass();
  LineWalk walk(board, attacker, small_);
  if (walk.check(threat))
    walk.cells().each([&](Move m) {
      if (legal(after, m)) found.push_back(m);
    });
  return found;
}

std::optional<bool> ForcedPlay::holds(const ThreatBoard& board, Move m, int fours) {
  ThreatBoard after = played(board, m);
  const auto answers = fives(after, board.turn());
  if (answers.empty()) return none(after, Mode::Fours);
  if (answers.size() > 1 || !legal(after, answers[0])) return true;  // the defence itself wins
  after.play(answers[0]);
  const auto next = replies(after, Mode::Threats);
  if (!next || wins(after, Mode::Fours)) return true;
  if (fours == 0) return std::nullopt;
  bool unknown = false;
  for (Move reply : *next) {
    const auto held = holds(after, reply, fours - 1);
    if (held == true) return true;
    unknown = unknown || !held;
  }
  return unknown ? std::nullopt : std::optional(false);
}

}  // namespace tengen::study

#include "study/forced.h"

#include <algorithm>

#include "solve/caro.h"
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

std::vector<Move> answers_to_fives(const ThreatBoard& board) {
  std::vector<Move> cells = fives(board, ~board.turn());
  if (board.position().rule() == Rule::Caro) {
    cells.clear();
    caro::answers_to_fives(board, ~board.turn()).each([&](Move m) { cells.push_back(m); });
  } else if (cells.size() > 1) {
    return {};
  }
  std::erase_if(cells, [&](Move m) { return !legal(board, m); });
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

std::optional<bool> ForcedPlay::settled(const ThreatBoard& board, Move m, Mode mode) {
  const ThreatBoard after = played(board, m);
  if (after.over()) return after.position().won();
  const auto answers = replies(after, mode);
  if (!answers) return mode == Mode::Fours || threatens_nothing(after) ? std::optional(false) : std::nullopt;
  bool open = false;
  for (Move reply : *answers) {
    const Found found = solve(played(after, reply), mode);
    if (!found.win && found.exhausted) return false;
    open = open || !found.win;
  }
  return open ? std::nullopt : std::optional(true);
}

std::optional<std::vector<Move>> ForcedPlay::replies(const ThreatBoard& after, Mode mode) {
  const Color attacker = ~after.turn();
  if (!fives(after, after.turn()).empty()) return std::nullopt;
  if (!fives(after, attacker).empty()) return answers_to_fives(after);
  std::vector<Move> found;
  ThreatBoard board = after;
  if (mode == Mode::Fours || !vcf_.solve(board, attacker, {.nodes = kThreatNodes}).win) return std::nullopt;
  const std::vector<Move> threat = vcf_.line();
  board.pass();
  LineWalk walk(board, attacker, small_);
  if (!walk.check(threat)) return std::nullopt;
  walk.cells().each([&](Move m) {
    if (legal(after, m)) found.push_back(m);
  });
  return found;
}

bool ForcedPlay::threatens_nothing(const ThreatBoard& after) {
  if (!fives(after, after.turn()).empty()) return true;
  ThreatBoard copy = after;
  return vcf_.solve(copy, ~after.turn(), {.nodes = kThreatNodes}).exhausted;
}

std::optional<bool> ForcedPlay::holds(const ThreatBoard& board, Move m, int fours) {
  const ThreatBoard after = played(board, m);
  if (after.over()) return true;
  if (!fives(after, after.turn()).empty()) return false;
  if (fives(after, board.turn()).empty()) {
    const Found found = solve(after, Mode::Fours);
    return found.win || found.exhausted ? std::optional(!found.win) : std::nullopt;
  }
  bool unknown = false;
  for (Move answer : answers_to_fives(after)) {  // none: the defence itself wins
    const auto held = holds_after(played(after, answer), fours);
    if (held == false) return false;
    unknown = unknown || !held;
  }
  return unknown ? std::nullopt : std::optional(true);
}

// After a four of one's own and the answer to it: some move must still hold.
std::optional<bool> ForcedPlay::holds_after(const ThreatBoard& after, int fours) {
  if (after.over()) return !after.position().won();
  const auto next = replies(after, Mode::Threats);
  if (wins(after, Mode::Fours)) return true;
  if (!next) return threatens_nothing(after) ? std::optional(true) : std::nullopt;
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

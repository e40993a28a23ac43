#include "wasm/api.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "rules/symmetries.h"
#include "search/alphabeta.h"
#include "search/clock.h"
#include "search/evaluate.h"
#include "solve/vcf.h"
#include "solve/vct.h"
#include "wasm/state.h"
#include "wasm/value.h"

using namespace tengen;
using wasm::board, wasm::buffer, wasm::value_of, wasm::Writer;

namespace {

enum Fault { kFine, kNoBoard, kOffBoard, kOccupied, kOver, kNothingToUndo, kHoldsFive, kForbidden };

constexpr int kMostShown = 10;

struct Engine {
  Engine(int hash_megabytes, int seed) : megabytes(hash_megabytes), seed(seed), search(1, hash_megabytes, seed) {}
  int megabytes, seed;
  AlphaBeta search;
};
std::unique_ptr<Engine> engine;

void write_report(const AlphaBeta::Report& report, int lines) {
  std::vector<RootMove> shown(report.lines.begin(),
                              report.lines.begin() + std::min<std::size_t>(lines, report.lines.size()));
  std::stable_sort(shown.begin(), shown.end(), [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
  while (shown.size() > 1 && shown.back().score <= -kMate) shown.pop_back();
  Writer out;
  out.put(report.depth);
  out.put(report.selective_depth);
  out.put_wide(report.nodes);
  out.put(std::llround(report.seconds * 1000));
  out.put(static_cast<std::int64_t>(shown.size()));
  for (const RootMove& line : shown) {
    const bool proven = std::abs(line.score) > kSureWin;
    out.put(line.move);
    out.put(!proven ? 0 : line.score > 0 ? kMate - line.score : -kMate - line.score);
    out.put(std::llround(value_of(line.score) * 1e6));
    out.put_list(line.pv);
  }
}

int fault_of(int move) {
  if (!board) return kNoBoard;
  const Position& position = board->position();
  if (move < 0 || move >= position.cells()) return kOffBoard;
  if (!position.empty(static_cast<Move>(move))) return kOccupied;
  if (board->over()) return kOver;
  const Forbidden why = position.forbidden(board->turn(), static_cast<Move>(move));
  return why == Forbidden::No ? kFine : kForbidden - 1 + static_cast<int>(why);
}

int result_of() {
  if (board->position().won()) return 1 + index(board->position().winner());
  return board->over() ? 3 : 0;
}

}  // namespace

std::int32_t* tengen_buffer() { return buffer.data(); }

int tengen_new_board(int width, int height, int k, int rule) {
  if (k < kMinK || k > kMaxK || width < k || height < k || width > kMaxSize || height > kMaxSize) return kNoBoard;
  if (rule < 0 || rule > static_cast<int>(Rule::Caro) || (static_cast<Rule>(rule) == Rule::Renju && k != 5))
    return kNoBoard;
  board.emplace(Position(width, height, k, static_cast<Rule>(rule)));
  return kFine;
}

int tengen_set_up(int black, int white, int turn) {
  if (!board || board->position().stones()) return kNoBoard;
  Position position = board->position();
  for (int i = 0; i < black + white; ++i) {
    const int m = buffer[i];
    if (m < 0 || m >= position.cells()) return kOffBoard;
    if (!position.empty(static_cast<Move>(m))) return kOccupied;
    position.place(static_cast<Move>(m), i < black ? Color::Black : Color::White);
  }
  if (position.holds_five()) return kHoldsFive;
  position.set_turn(turn ? Color::White : Color::Black);
  board.emplace(position);
  return kFine;
}

int tengen_play(int move) {
  const int fault = fault_of(move);
  if (fault == kFine) board->play(static_cast<Move>(move));
  return fault;
}

int tengen_undo() {
  if (!board || !board->position().ply()) return kNothingToUndo;
  board->undo();
  return kFine;
}

void tengen_state() {
  const Position& position = board->position();
  Writer out;
  out.put(index(position.turn()));
  out.put(position.stones());
  out.put(position.ply());
  out.put(result_of());
  out.put_list(position.won() ? position.winning_line() : std::vector<Move>{});
}

void tengen_cells() {
  const Position& position = board->position();
  Writer out;
  for (Move m = 0; m < position.cells(); ++m) out.put(position.empty(m) ? 2 : position.holds(m, Color::Black) ? 0 : 1);
}

void tengen_forbidden() {
  std::vector<Move> pairs;
  if (board->turn() == Color::Black)
    board->doubtful().each([&](Move m) {
      const Forbidden why = board->position().forbidden(Color::Black, m);
      if (why != Forbidden::No) pairs.insert(pairs.end(), {m, static_cast<Move>(why)});
    });
  Writer out;
  out.put(static_cast<std::int64_t>(pairs.size() / 2));
  for (Move number : pairs) out.put(number);
}

void tengen_symmetries() {
  const Position& p = board->position();
  Writer out;
  out.put(symmetries(p.width(), p.height()));
  for (int s = 0; s < symmetries(p.width(), p.height()); ++s)
    for (const Move m : symmetry_map(p.width(), p.height(), s)) out.put(m);
}

void tengen_near(int radius) {
  std::vector<Move> near;
  cells_near_stones(board->position(), radius).each([&](Move m) {
    if (board->position().legal(m)) near.push_back(m);
  });
  Writer().put_list(near);
}

void tengen_threats(int color) {
  const Position& position = board->position();
  Writer out;
  for (Move m = 0; m < position.cells(); ++m)
    out.put(position.empty(m) ? static_cast<int>(board->threat(static_cast<Color>(color), m)) : 0);
}

void tengen_search(int hash_megabytes, int seed, double nodes, double seconds, int depth, int lines, int network) {
  lines = std::clamp(lines, 1, kMostShown);
  if (!engine || engine->megabytes != hash_megabytes || engine->seed != seed)
    engine = nullptr, engine = std::make_unique<Engine>(hash_megabytes, seed);
  engine->search.on_depth = [lines](const AlphaBeta::Report& report) {
    write_report(report, lines);
    tengen_progress();
  };
  engine->search.use(network ? wasm::network.get() : nullptr);
  engine->search.arm();
  write_report(engine->search.run(*board, {seconds, static_cast<std::uint64_t>(nodes), depth}, lines), lines);
}

void tengen_clear() {
  if (engine) engine->search.clear();
}

double tengen_budget(double left, double increment) {
  const Position& p = board->position();
  return *clock_budget({std::nullopt, left, p.stones(), p.cells(), increment});
}

void tengen_solve(int vct, int attacker, double nodes, double seconds) {
  const Color side = static_cast<Color>(attacker);
  const auto most = static_cast<std::int64_t>(nodes);
  Writer out;
  const auto write = [&](bool win, bool exhausted, std::int64_t searched, const std::vector<Move>& line) {
    out.put(win);
    out.put(exhausted);
    out.put_wide(static_cast<std::uint64_t>(searched));
    out.put_list(line);
  };
  if (vct) {
    Vct solver(std::size_t{1} << 18, std::size_t{1} << 16);
    const VctResult found = solver.solve(*board, side, {.nodes = most, .seconds = seconds});
    write(found.win, found.exhausted, found.nodes, found.win ? solver.line() : std::vector<Move>{});
  } else {
    Vcf solver;
    const VcfResult found = solver.solve(*board, side, {most, seconds, nullptr});
    write(found.win, found.exhausted, found.nodes, found.win ? solver.line() : std::vector<Move>{});
  }
}

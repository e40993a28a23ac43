#include "lines/samples.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace tengen {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument("games to learn from: " + why); }

bool finite(const std::vector<float>& x, float low, float high) {
  return std::all_of(x.begin(), x.end(), [&](float v) { return v >= low && v <= high; });  // NaN fails too
}

}  // namespace

void LineGames::check(const LineShape& shape) const {
  const std::size_t games = lengths.size(), rows = values.size();
  if (width < shape.k || height < shape.k || width > kMaxSize || height > kMaxSize)
    refuse("the board has a wrong size");
  if (openings.size() != games || winners.size() != games || weights.size() != rows || counts.size() != rows ||
      policy_moves.size() != policy_shares.size())
    refuse("columns differ in length");
  std::int64_t move_sum = 0, row_sum = 0, policy_sum = 0;
  for (std::size_t g = 0; g < games; ++g) {
    if (openings[g] < 0 || lengths[g] < openings[g] || lengths[g] > width * height) refuse("a game has a wrong length");
    if (winners[g] < -1 || winners[g] > 1) refuse("a game has a winner who does not exist");
    move_sum += lengths[g], row_sum += lengths[g] - openings[g];
  }
  for (const int n : counts) {
    if (n < 0 || n > width * height) refuse("a policy has a wrong length");
    policy_sum += n;
  }
  if (move_sum != static_cast<std::int64_t>(moves.size()) || row_sum != static_cast<std::int64_t>(rows) ||
      policy_sum != static_cast<std::int64_t>(policy_moves.size()))
    refuse("columns differ in length");
  const auto on_board = [&](std::int16_t m) { return m >= 0 && m < width * height; };
  if (!std::all_of(moves.begin(), moves.end(), on_board) ||
      !std::all_of(policy_moves.begin(), policy_moves.end(), on_board))
    refuse("a move is off the board");
  std::vector<char> taken(static_cast<std::size_t>(width) * height);
  const std::int16_t* m = moves.data();
  for (const int length : lengths) {
    std::fill(taken.begin(), taken.end(), 0);
    for (int i = 0; i < length; ++i, ++m)
      if (std::exchange(taken[*m], 1)) refuse("a game has two stones on one cell");
  }
  if (!finite(values, -1, 1) || !finite(weights, 0, 1e6f) || !finite(policy_shares, 0, 1))
    refuse("a number is missing or out of range");
}

std::int64_t LinePool::add(LineGames games) {
  games.check(shape_);
  auto g = std::make_unique<Generation>(
      Generation{std::move(games), Position(1, 1, shape_.k, shape_.rule), {}, {}, {}, {}, {}, nullptr});
  g->empty = Position(g->games.width, g->games.height, shape_.k, shape_.rule);
  g->windows = &Windows::get(shape_.k, shape_.rule);
  for (Move m = 0; m < g->empty.cells(); ++m)
    for (int d = 0; d < kDirections; ++d)
      if (const auto& place = g->empty.geometry().place[m][d]; place.before == 0)
        g->lines.push_back({m, static_cast<std::int16_t>(place.after + 1), static_cast<std::uint8_t>(d)});
  std::int32_t move = 0, row = 0, policy = 0;
  for (std::size_t i = 0; i < g->games.lengths.size(); ++i) {
    g->first_move.push_back(move);
    g->first_row.push_back(row);
    move += g->games.lengths[i];
    for (int n = g->games.lengths[i] - g->games.openings[i]; n > 0; --n, ++row) {
      g->first_policy.push_back(policy);
      policy += g->games.counts[row];
      if (g->games.weights[row] > 0) g->rows.push_back({static_cast<std::int32_t>(i), row});
    }
  }
  const auto count = static_cast<std::int64_t>(g->rows.size());
  samples_ += count;
  generations_.push_back(std::move(g));
  return count;
}

void LinePool::drop_oldest() {
  if (generations_.empty()) return;
  samples_ -= oldest();
  generations_.pop_front();
}

void LinePool::draw(Rng& rng, float mix, LineSample& out) const {
  if (!samples_) throw std::invalid_argument("there is nothing to learn from yet");
  auto at = static_cast<std::int64_t>(
      (static_cast<unsigned __int128>(rng.next()) * static_cast<std::uint64_t>(samples_)) >> 64);
  auto g = generations_.begin();
  while (at >= static_cast<std::int64_t>((*g)->rows.size())) at -= static_cast<std::int64_t>((*g++)->rows.size());
  fill(**g, (*g)->rows[at], mix, out);
}

// What every empty cell sees. Lines without a stone, of which there are many, are passed over.
void LinePool::look(const Generation& g, const Position& p, Sight* out) {
  const int radius = g.windows->radius();
  std::fill(out, out + p.cells(), 0);
  for (const Line& line : g.lines) {
    const std::uint64_t word = p.line(line.first, line.direction);
    if (word == g.empty.line(line.first, line.direction)) continue;
    const int step = p.geometry().step[line.direction];
    int bit = p.geometry().place[line.first][line.direction].bit, cell = line.first;
    for (int i = 0; i < line.length; ++i, bit += 2, cell += step)
      if ((word >> bit & 3) == 3)
        out[cell] |= Sight{g.windows->number(word >> (bit - 2 * radius))} << 16 * line.direction;
  }
}

void LinePool::fill(const Generation& g, Row at, float mix, LineSample& out) {
  const int row = at.row - g.first_row[at.game], ply = g.games.openings[at.game] + row;
  Position p = g.empty;
  const std::int16_t* moves = g.games.moves.data() + g.first_move[at.game];
  for (int i = 0; i < ply; ++i) p.place(moves[i], i % 2 ? Color::White : Color::Black);
  out.black = ply % 2 == 0;

  float share[kMaxCells] = {};
  const int first = g.first_policy[at.row], count = g.games.counts[at.row];
  for (int i = first; i < first + count; ++i) share[g.games.policy_moves[i]] += g.games.policy_shares[i];
  out.policy_weight = count ? 1.0f : 0.0f;
  out.weight = g.games.weights[at.row];

  out.cells = out.far = 0;
  out.far_target = 0;
  Sight sights[kMaxCells];
  look(g, p, sights);
  for (Move m = 0; m < p.cells(); ++m) {
    if (!sights[m]) {
      if (p.empty(m)) ++out.far, out.far_target += share[m];
      continue;
    }
    auto& own = out.black ? out.own[out.cells] : out.other[out.cells];
    auto& other = out.black ? out.other[out.cells] : out.own[out.cells];
    for (int d = 0; d < kDirections; ++d)
      own[d] = window_of(sights[m], d), other[d] = g.windows->swapped(window_of(sights[m], d));
    out.target[out.cells++] = share[m];
  }
  const int winner = g.games.winners[at.game];
  const float result = winner < 0 ? 0.0f : (winner == 0) == out.black ? 1.0f : -1.0f;
  out.value = 0.5f + 0.5f * ((1 - mix) * result + mix * g.games.values[at.row]);
}

}  // namespace tengen

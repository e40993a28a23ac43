#include "rules/position.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <memory>
#include <utility>

#include "rules/rng.h"
#include "rules/threading.h"

namespace tengen {
namespace {

// The lowest cells of a line word are off the board, so that a window may begin before the line.
constexpr int kMargin = kMaxK;

struct LinePlace {
  int line, at, length;
};

LinePlace place_on_line(int row, int col, int width, int height, int direction) {
  switch (direction) {
    case East: return {row, col, width};
    case South: return {col, row, height};
    case SouthEast: {
      const int at = std::min(row, col), line = col - row + height - 1;
      return {line, at, at + std::min(height - row, width - col)};
    }
    default: {
      const int at = std::min(row, width - 1 - col), line = row + col;
      return {line, at, at + std::min(height - row, col + 1)};
    }
  }
}

Geometry make_geometry(int width, int height) {
  Geometry g{};
  g.width = width;
  g.height = height;
  g.cells = width * height;
  g.step = {1, width, width + 1, width - 1};
  Rng random(20161115);
  for (int m = 0; m < g.cells; ++m) {
    for (int d = 0; d < kDirections; ++d) {
      const auto p = place_on_line(m / width, m % width, width, height, d);
      g.place[m][d] = {static_cast<std::uint8_t>(p.line), static_cast<std::uint8_t>(2 * (p.at + kMargin)),
                       static_cast<std::uint8_t>(p.at), static_cast<std::uint8_t>(p.length - 1 - p.at)};
    }
    for (auto& key : g.zobrist[m]) key = random.next();
  }
  return g;
}

bool is_three(Shape s) { return s == Shape::OpenThree; }
int fours(Shape s) { return s == Shape::DoubleFour ? 2 : s == Shape::Four || s == Shape::OpenFour ? 1 : 0; }

}  // namespace

const Geometry& Geometry::get(int width, int height) {
  return shared<Geometry>(std::pair(width, height), [&] { return make_geometry(width, height); });
}

Position::Position(int width, int height, int k, Rule rule)
    : geometry_(&Geometry::get(width, height)), patterns_(&Patterns::get(k, rule)), k_(k), rule_(rule) {
  cell_.fill(kEmpty);
  for (auto& direction : lines_) direction.fill(0);
  for (int m = 0; m < cells(); ++m)
    for (int d = 0; d < kDirections; ++d) {
      const auto& p = geometry_->place[m][d];
      lines_[d][p.line] |= 3ull << p.bit;
    }
}

// Empty is 11, black 01, white 10: a stone flips the other colour's bit, and flips it back when it leaves.
void Position::put(Move m, Color c) {
  cell_[m] = static_cast<std::uint8_t>(c);
  const std::uint64_t flip = c == Color::Black ? 2 : 1;
  for (int d = 0; d < kDirections; ++d) {
    const auto& p = geometry_->place[m][d];
    lines_[d][p.line] ^= flip << p.bit;
  }
}

void Position::take(Move m, Color c) {
  put(m, c);
  cell_[m] = kEmpty;
}

void Position::place(Move m, Color c) {
  assert(empty(m) && ply_ == 0);
  put(m, c);
  key_ ^= geometry_->zobrist[m][index(c)];
  ++stones_;
}

void Position::play(Move m, bool five) {
  assert(empty(m) && !won_ && five == makes_five(turn_, m));
  won_ = five;
  put(m, turn_);
  key_ ^= geometry_->zobrist[m][index(turn_)];
  moves_[ply_++] = m;
  ++stones_;
  turn_ = ~turn_;
}

void Position::undo() {
  assert(ply_ > 0);
  const Move m = moves_[--ply_];
  turn_ = ~turn_;
  take(m, turn_);
  key_ ^= geometry_->zobrist[m][index(turn_)];
  --stones_;
  won_ = false;
}

bool Position::makes_five(Color c, Move m) const {
  for (int d = 0; d < kDirections; ++d)
    if (shape(c, m, d) == Shape::Five) return true;
  return false;
}

bool Position::holds_five() const {
  // A window does not see its own centre: a stone in a five looks like the stone that makes it.
  for (int m = 0; m < cells(); ++m)
    if (!empty(static_cast<Move>(m)) && makes_five(static_cast<Color>(cell_[m]), static_cast<Move>(m))) return true;
  return false;
}

std::vector<Move> Position::winning_line() const {
  std::vector<Move> line;
  if (!won_) return line;
  const Move m = last();
  for (int d = 0; d < kDirections; ++d) {
    if (shape(winner(), m, d) != Shape::Five) continue;
    const auto& p = geometry_->place[m][d];
    const int step = geometry_->step[d];
    int first = 0, last = 0;
    while (-first < p.before && holds(static_cast<Move>(m + (first - 1) * step), winner())) --first;
    while (last < p.after && holds(static_cast<Move>(m + (last + 1) * step), winner())) ++last;
    for (int i = first; i <= last; ++i) line.push_back(static_cast<Move>(m + i * step));
    break;
  }
  return line;
}

Forbidden Position::forbidden(Color c, Move m) const {
  if (rule_ != Rule::Renju || c != Color::Black) return Forbidden::No;
  // Most cells are settled by their own shapes; the rest needs stones tried out, which a copy allows.
  int four = 0, three = 0;
  bool overline = false;
  for (int d = 0; d < kDirections; ++d) {
    const Shape s = shape(c, m, d);
    if (s == Shape::Five) return Forbidden::No;
    overline |= s == Shape::Overline;
    four += fours(s);
    three += is_three(s);
  }
  if (overline) return Forbidden::Overline;
  if (four >= 2) return Forbidden::DoubleFour;
  if (three < 2) return Forbidden::No;
  return Position(*this).forbidden_in_place(m);
}

// Only threes are left to judge: those count that can still become a straight four by a legal stone.
Forbidden Position::forbidden_in_place(Move m) {
  std::array<bool, kDirections> three;
  for (int d = 0; d < kDirections; ++d) three[d] = is_three(shape(Color::Black, m, d));
  put(m, Color::Black);
  int real = 0;
  for (int d = 0; d < kDirections && real < 2; ++d) real += three[d] && real_three(m, d);
  take(m, Color::Black);
  return real >= 2 ? Forbidden::DoubleThree : Forbidden::No;
}

// The stone on `m` stands. Some cell must turn its three along `d` into a straight four, without making five and
// without being forbidden itself.
bool Position::real_three(Move m, int d) {
  const auto& p = geometry_->place[m][d];
  const int step = geometry_->step[d];
  for (int side : {-1, 1}) {
    const int room = side < 0 ? p.before : p.after;
    int i = 1;
    while (i <= room && i < k_ && holds(static_cast<Move>(m + side * i * step), Color::Black)) ++i;
    if (i > room || i >= k_) continue;
    const auto t = static_cast<Move>(m + side * i * step);
    if (empty(t) && shape(Color::Black, t, d) == Shape::OpenFour && !makes_five(Color::Black, t) &&
        forbidden(Color::Black, t) == Forbidden::No)
      return true;
  }
  return false;
}

bool Position::is_ok() const {
  Position fresh(width(), height(), k_, rule_);
  for (int m = 0; m < cells(); ++m)
    if (!empty(static_cast<Move>(m))) fresh.place(static_cast<Move>(m), static_cast<Color>(cell_[m]));
  return fresh.lines_ == lines_ && fresh.key_ == key_ && fresh.stones_ == stones_;
}

}  // namespace tengen

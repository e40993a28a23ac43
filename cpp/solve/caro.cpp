#include "solve/caro.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace tengen::caro {
namespace {

constexpr std::uint64_t kBlack = 1, kWhite = 2, kEmpty = 3;  // a cell of a line word

std::uint64_t stone(Color c) { return c == Color::Black ? kBlack : kWhite; }
std::uint64_t cell_at(std::uint64_t line, int bit) { return line >> bit & 3; }

// The cells that stop every five seen so far: after the first five there are at most two.
class Stops {
 public:
  bool none() const { return seen_ && size_ == 0; }
  void meet(Move a, Move b) {
    const auto both = cells_;
    const int before = size_;
    size_ = 0;
    for (const Move m : {a, b})
      if (m != kNoMove && (!seen_ || std::find(both.begin(), both.begin() + before, m) != both.begin() + before))
        cells_[size_++] = m;
    seen_ = true;
  }
  template <class F>
  void each(F&& visit) const {
    for (int i = 0; i < size_; ++i) visit(cells_[i]);
  }

 private:
  std::array<Move, 2> cells_{};
  int size_ = 0;
  bool seen_ = false;
};

// What a stone of `c` on `m`, which lies at `bit` of `line` along the step `step`, completes there, and who stops it.
void meet_five(Stops& stops, std::uint64_t line, int bit, Move m, int step, Color c, int k) {
  const std::uint64_t own = stone(c), enemy = own ^ 3;
  int before = 1, after = 1;
  while (cell_at(line, bit - 2 * before) == own) ++before;
  while (cell_at(line, bit + 2 * after) == own) ++after;
  const int row = before + after - 1;
  if (row < k) return;
  const std::uint64_t first = cell_at(line, bit - 2 * before), last = cell_at(line, bit + 2 * after);
  if (row > k || (first != enemy && last != enemy)) return stops.meet(m, kNoMove);
  if (first == enemy && last == enemy) return;
  const Move other = static_cast<Move>(first == enemy ? m + after * step : m - before * step);
  stops.meet(m, (first == enemy ? last : first) == kEmpty ? other : kNoMove);
}

}  // namespace

CellSet answers_to_fives(const ThreatBoard& board, Color c) {
  const Position& p = board.position();
  Stops stops;
  board.cells(c, Group::Five).each([&](Move m) {
    for (int d = 0; d < kDirections; ++d)
      if (board.shape(c, m, d) == Shape::Five)
        meet_five(stops, p.line(m, d), p.geometry().place[m][d].bit, m, p.geometry().step[d], c, p.k());
  });
  CellSet cells;
  stops.each([&](Move m) { cells.add(m); });
  return cells;
}

bool wins_by_four(const ThreatBoard& board, Color c, Move m) {
  const Position& p = board.position();
  Stops stops;
  for (int d = 0; d < kDirections; ++d) {
    const Shape shape = board.shape(c, m, d);
    if (shape < Shape::Four || shape > Shape::OpenFour) continue;
    const auto& place = p.geometry().place[m][d];
    const int step = p.geometry().step[d];
    const std::uint64_t line = p.line(m, d) ^ (stone(~c) << place.bit);
    const int first = -std::min<int>(place.before, p.k() - 1), last = std::min<int>(place.after, p.k() - 1);
    for (int i = first; i <= last; ++i)
      if (const int bit = place.bit + 2 * i; cell_at(line, bit) == kEmpty)
        meet_five(stops, line, bit, static_cast<Move>(m + i * step), step, c, p.k());
  }
  return stops.none();
}

CellSet winning_fours(const ThreatBoard& board, Color c) {
  CellSet cells;
  if (board.count(c, Threat::OpenFour) + board.count(c, Threat::DoubleFour) == 0) return cells;
  board.cells(c, Group::Four).each([&](Move m) {
    if (board.threat(c, m) >= Threat::DoubleFour && wins_by_four(board, c, m)) cells.add(m);
  });
  return cells;
}

CellSet around_four(const ThreatBoard& board, Color c, Move four) {
  const Position& p = board.position();
  CellSet cells;
  cells.add(four);
  for (int d = 0; d < kDirections; ++d) {
    if (const Shape shape = board.shape(c, four, d); shape < Shape::Four || shape > Shape::OpenFour) continue;
    const auto& place = p.geometry().place[four][d];
    const int first = -std::min<int>(place.before, p.k()), last = std::min<int>(place.after, p.k());
    for (int i = first; i <= last; ++i)
      if (const auto m = static_cast<Move>(four + i * p.geometry().step[d]); p.empty(m)) cells.add(m);
  }
  return cells;
}

}  // namespace tengen::caro

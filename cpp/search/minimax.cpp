#include "search/minimax.h"

#include <algorithm>
#include <cstdlib>
#include <random>

#include "search/movegen.h"

namespace tengen {
namespace {

constexpr int kOpenFour = 5000, kOpenThree = 500, kFour = 400, kClosedThree = 30;
constexpr int kInfinity = 1 << 20;

// One side's empty cells of a stretch without enemy stones: what a further stone would make tells what stands there.
struct Stretch {
  int fives = 0;
  Shape best = Shape::None;

  void add(Shape shape) {
    fives += shape == Shape::Five;
    if (shape < Shape::Five) best = std::max(best, shape);
  }
  int close() {
    const int worth = value();
    *this = {};
    return worth;
  }
  int value() const {
    if (fives) return fives > 1 ? kOpenFour : kFour;
    if (best == Shape::OpenFour) return kOpenThree;
    return best >= Shape::Four ? kClosedThree : 0;
  }
};

// The same scale for a stone about to be placed: what it would make.
int placed_value(Shape shape) {
  switch (shape) {
    case Shape::Five: return Minimax::kFive;
    case Shape::OpenFour: return kOpenFour;
    case Shape::OpenThree: return kOpenThree;
    case Shape::DoubleFour:
    case Shape::Four: return kFour;
    case Shape::ClosedThree: return kClosedThree;
    default: return 0;
  }
}

}  // namespace

LineSums::LineSums(const Position& position) {
  for (Move m = 0; m < position.cells(); ++m)
    for (int d = 0; d < kDirections; ++d)
      if (position.geometry().place[m][d].before == 0) rescore(position, m, d);
}

LineSums::Before LineSums::update(const Position& position, Move m) {
  Before before{total_, {}};
  for (int d = 0; d < kDirections; ++d) {
    before.lines[d] = lines_[d][position.geometry().place[m][d].line];
    rescore(position, m, d);
  }
  return before;
}

void LineSums::restore(const Position& position, Move m, const Before& before) {
  total_ = before.total;
  for (int d = 0; d < kDirections; ++d) lines_[d][position.geometry().place[m][d].line] = before.lines[d];
}

void LineSums::rescore(const Position& position, Move m, int d) {
  const auto& place = position.geometry().place[m][d];
  const int step = position.geometry().step[d];
  Stretch black, white;
  int sum = 0;
  Move cell = static_cast<Move>(m - place.before * step);
  for (int i = place.before + place.after; i >= 0; --i, cell = static_cast<Move>(cell + step)) {
    if (position.empty(cell)) {
      const std::uint32_t grades = position.patterns().grades(position.window(cell, d));
      black.add(kShapeOfGrade[grades & 0xff]);
      white.add(kShapeOfGrade[grades >> 8]);
    } else if (position.holds(cell, Color::White)) {
      sum += black.close();
    } else {
      sum -= white.close();
    }
  }
  sum += black.close() - white.close();
  total_ += sum - lines_[d][place.line];
  lines_[d][place.line] = sum;
}

Minimax::Minimax(const Position& position, std::uint64_t seed)
    : position_(position), sums_(position), root_(root_candidates(seed)) {}

Minimax::Result Minimax::run(const SearchLimit& limit) {
  watch_.start(limit);
  nodes_ = 0;
  Result result;
  result.move = root_.front().move;
  result.pv = {result.move};
  std::vector<Move> pv;
  for (int depth = 1; depth <= limit.depth; ++depth) {
    pv.clear();
    const int score = search(depth, 0, -kInfinity, kInfinity, pv);
    if (watch_.over()) break;
    result.score = score;
    result.depth = depth;
    result.pv = pv;
    result.move = pv.front();
    const auto best = std::find_if(root_.begin(), root_.end(), [&](auto& c) { return c.move == result.move; });
    std::rotate(root_.begin(), best, best + 1);
    if (std::abs(score) > kLimit) break;
  }
  result.nodes = nodes_;
  return result;
}

int Minimax::search(int depth, int ply, int alpha, int beta, std::vector<Move>& pv) {
  ++nodes_;
  if (position_.won()) return -(kFive - ply);
  if (position_.full()) return 0;
  if (depth == 0) return evaluate(position_, sums_.total());
  Candidates here;
  if (ply) here = candidates();
  const Candidates& moves = ply ? here : root_;
  if (moves.empty()) return 0;  // renju: black has no legal move
  std::vector<Move> line;
  int best = -kInfinity;
  for (const auto& [move, order] : moves) {
    if (watch_.spent(nodes_)) return best;
    position_.play(move);
    const auto before = sums_.update(position_, move);
    line.clear();
    const int score = -search(depth - 1, ply + 1, -beta, -alpha, line);
    position_.undo();
    sums_.restore(position_, move, before);
    if (watch_.over()) return best;
    if (score <= best) continue;
    best = score;
    if (score > alpha) {
      alpha = score;
      pv.assign(1, move);
      pv.insert(pv.end(), line.begin(), line.end());
    }
    if (alpha >= beta) break;
  }
  return best;
}

int Minimax::evaluate(const Position& position, int black_minus_white) {
  const int score = std::clamp(black_minus_white, -kLimit, kLimit);
  return position.turn() == Color::Black ? score : -score;
}

Minimax::Candidates Minimax::candidates() const {
  Candidates list;
  list.reserve(128);
  cells_near_stones(position_, 2).each([&](Move m) {
    if (position_.legal(m)) list.push_back({m, order(m)});
  });
  if (list.empty())
    if (const Move m = any_legal_move(position_); m != kNoMove) list.push_back({m, 0});
  std::stable_sort(list.begin(), list.end(), [](auto& a, auto& b) { return a.order > b.order; });
  return list;
}

// The opponent's threats on the cell, one's own attacks, then nearness to the centre.
int Minimax::order(Move m) const {
  const Color own = position_.turn();
  int attack = 0, defence = 0;
  for (int d = 0; d < kDirections; ++d) {
    attack += placed_value(position_.shape(own, m, d));
    defence += placed_value(position_.shape(~own, m, d));
  }
  const int width = position_.width(), height = position_.height();
  const int away = std::abs(2 * (m / width) - height + 1) + std::abs(2 * (m % width) - width + 1);
  return 256 * (defence + attack + attack / 2) - away;
}

Minimax::Candidates Minimax::root_candidates(std::uint64_t seed) const {
  Candidates list = candidates();
  std::mt19937_64 random(seed);
  for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[random() % i]);
  std::stable_sort(list.begin(), list.end(), [](auto& a, auto& b) { return a.order > b.order; });
  // However few nodes there are, a win comes first.
  std::stable_partition(list.begin(), list.end(),
                        [&](auto& c) { return position_.makes_five(position_.turn(), c.move); });
  return list;
}

}  // namespace tengen

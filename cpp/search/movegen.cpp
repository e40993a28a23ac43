#include "search/movegen.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>

#include "rules/threading.h"
#include "solve/caro.h"

namespace tengen {

CellSet cells_near_stones(const Position& position, int radius) {
  const int width = position.width(), height = position.height();
  CellSet cells;
  if (!position.stones()) {
    cells.add(static_cast<Move>(height / 2 * width + width / 2));
    return cells;
  }
  for (Move m = 0; m < position.cells(); ++m) {
    if (position.empty(m)) continue;
    const int row = m / width, col = m % width;
    for (int r = std::max(0, row - radius); r <= std::min(height - 1, row + radius); ++r)
      for (int c = std::max(0, col - radius); c <= std::min(width - 1, col + radius); ++c)
        if (const auto cell = static_cast<Move>(r * width + c); position.empty(cell)) cells.add(cell);
  }
  return cells;
}

Move any_legal_move(const Position& position) {
  const int width = position.width(), height = position.height();
  Move best = kNoMove;
  int nearest = 0;
  for (Move m = 0; m < position.cells(); ++m) {
    if (!position.legal(m)) continue;
    const int away = std::max(std::abs(2 * (m / width) - height + 1), std::abs(2 * (m % width) - width + 1));
    if (best == kNoMove || away < nearest) best = m, nearest = away;
  }
  return best;
}

const Neighbourhood& Neighbourhood::get(int width, int height) {
  return shared<Neighbourhood>(std::pair(width, height), [&] { return make(width, height); });
}

Neighbourhood Neighbourhood::make(int width, int height) {
  Neighbourhood n;
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col)
      for (int r = std::max(0, row - 4); r <= std::min(height - 1, row + 4); ++r)
        for (int c = std::max(0, col - 4); c <= std::min(width - 1, col + 4); ++c) {
          const int dr = std::abs(r - row), dc = std::abs(c - col);
          const bool on_line = !dr || !dc || dr == dc;
          const int away = std::max(dr, dc), at = row * width + col;
          if (!away) continue;
          if (away <= 2 || (away == 3 && on_line)) n.around_[at].add(static_cast<Move>(r * width + c));
          if (on_line) n.reach_[at].add(static_cast<Move>(r * width + c));
        }
  return n;
}

namespace {

// An own open four or double four wins when the opponent cannot make five.
bool makes_winning_four(const ThreatBoard& board, Color c) {
  return board.count(c, Threat::OpenFour) + board.count(c, Threat::DoubleFour) > 0;
}

// A four with an open three, or two open threes, win when the opponent cannot make a four in between: its one answer
// leaves a line on which the open four follows. Renju's black may find that four forbidden.
bool makes_winning_three(const ThreatBoard& board, Color c) {
  if (board.count(c, Threat::FourThree) + board.count(c, Threat::DoubleThree) == 0) return false;
  const bool renju = board.position().rule() == Rule::Renju;
  if (renju && (c == Color::Black || board.doubtful().any())) return false;
  return !board.cells(~c, Group::Four).any();
}

Verdict answer_to_five(const ThreatBoard& board, Color own) {
  if (board.count(~own, Threat::Five) > 1) return {Verdict::Kind::Loss, 2, kNoMove};
  const Move only = board.cells(~own, Group::Five).first();
  if (board.position().forbidden(own, only) != Forbidden::No) return {Verdict::Kind::Loss, 2, kNoMove};
  return {Verdict::Kind::Block, 0, only};
}

// A stone at one end of a four can take the other end's five away, so fours are looked at one by one.
Verdict judge_caro(const ThreatBoard& board) {
  const Color own = board.turn();
  if (board.count(~own, Threat::Five)) {
    const CellSet cells = answers(board);
    const int count = cells.count();
    if (!count) return {Verdict::Kind::Loss, 2, kNoMove};
    if (count == 1) return {Verdict::Kind::Block, 0, cells.first()};
    return {Verdict::Kind::Answer, 0, kNoMove};
  }
  if (caro::winning_fours(board, own).any()) return {Verdict::Kind::Win, 3, kNoMove};
  if (caro::winning_fours(board, ~own).any()) return {Verdict::Kind::Defend, 0, kNoMove};
  return {};
}

// Each winning four of the opponent has to be met.
CellSet defences_caro(const ThreatBoard& board) {
  const Color own = board.turn();
  CellSet cells;
  bool first = true;
  caro::winning_fours(board, ~own).each([&](Move m) {
    const CellSet around = caro::around_four(board, ~own, m);
    first ? cells |= around : cells &= around;
    first = false;
  });
  cells |= board.cells(own, Group::Four);
  return cells;
}

}  // namespace

Verdict judge(const ThreatBoard& board) {
  const Color own = board.turn();
  if (board.count(own, Threat::Five)) return {Verdict::Kind::Win, 1, board.cells(own, Group::Five).first()};
  if (board.position().rule() == Rule::Caro) return judge_caro(board);
  if (board.count(~own, Threat::Five)) return answer_to_five(board, own);
  if (makes_winning_four(board, own)) return {Verdict::Kind::Win, 3, kNoMove};
  if (makes_winning_four(board, ~own)) return {Verdict::Kind::Defend, 0, kNoMove};
  if (makes_winning_three(board, own)) return {Verdict::Kind::Win, 5, kNoMove};
  return {};
}

CellSet answers(const ThreatBoard& board) { return caro::answers_to_fives(board, ~board.turn()); }

// The cells that a four, made next, needs: each of them makes a four for the opponent itself.
CellSet defences(const ThreatBoard& board) {
  if (board.position().rule() == Rule::Caro) return defences_caro(board);
  const Color own = board.turn();
  CellSet cells = board.cells(own, Group::Four);
  cells |= board.cells(~own, Group::Four);
  cells |= board.doubtful();  // renju: black may not (or, after all, may) make a four there, white may block it
  return cells;
}

}  // namespace tengen

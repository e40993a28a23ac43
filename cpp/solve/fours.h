// Questions about fours that every search by threats asks, with each rule's exceptions.
#pragma once

#include "rules/threats.h"
#include "rules/types.h"

namespace tengen {

// A stone of `c` on the empty cell `m` makes a four of any kind along some line.
inline bool makes_four(const ThreatBoard& board, Color c, Move m) {
  for (int d = 0; d < kDirections; ++d)
    if (const Shape s = board.shape(c, m, d); s >= Shape::Four && s <= Shape::OpenFour) return true;
  return false;
}

// Renju's exact answer for black, asked only where the shapes leave it open.
inline bool legal_for(const ThreatBoard& board, Color c, Move m) {
  return board.threat(c, m) != Threat::Forbidden || board.position().forbidden(c, m) == Forbidden::No;
}

// Ends of the rows of `c` that a stone on `completing` would make, where they are empty. Caro: five in a row between
// two enemy stones is none, so what stops the five stands on `completing` or on one of these.
inline void add_row_ends(const ThreatBoard& board, Color c, Move completing, CellSet& cells) {
  const Position& p = board.position();
  for (int d = 0; d < kDirections; ++d) {
    if (board.shape(c, completing, d) != Shape::Five) continue;
    const auto& place = p.geometry().place[completing][d];
    for (int side : {-1, 1}) {
      const int room = side < 0 ? place.before : place.after, step = side * p.geometry().step[d];
      int i = 1;
      while (i <= room && p.holds(static_cast<Move>(completing + i * step), c)) ++i;
      const auto end = static_cast<Move>(completing + i * step);
      if (i <= room && p.empty(end)) cells.add(end);
    }
  }
}

}  // namespace tengen

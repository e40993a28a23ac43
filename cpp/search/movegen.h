// Which cells are worth considering.
#pragma once

#include <array>

#include "rules/position.h"
#include "rules/threats.h"

namespace tengen {

// Empty cells at most `radius` steps of a king away from a stone; the centre of an empty board. Legality under renju
// is not looked at.
CellSet cells_near_stones(const Position& position, int radius);

// Any legal move, preferring the centre; kNoMove when there is none.
Move any_legal_move(const Position& position);

// For each cell the cells around it that a stone there makes interesting: two steps of a king, three along a line.
class Neighbourhood {
 public:
  static const Neighbourhood& get(int width, int height);
  const CellSet& around(Move m) const { return around_[m]; }
  // Cells on a line with `m`, at most four steps away.
  const CellSet& reach(Move m) const { return reach_[m]; }

 private:
  static Neighbourhood make(int width, int height);

  std::array<CellSet, kMaxCells> around_, reach_;
};

// What the threats standing on a board decide before any search.
struct Verdict {
  enum class Kind : std::uint8_t {
    Open,    // nothing is forced
    Win,     // the side to move wins in `plies`
    Loss,    // the side to move loses in `plies`
    Block,   // one move, `only`, stops a five
    Answer,  // caro: several moves stop a five: see answers()
    Defend,  // the opponent threatens an open four: see defences()
  };
  Kind kind = Kind::Open;
  int plies = 0;
  Move only = kNoMove;
};

// Exact: a Win or Loss is one under the rule of the board. The game must not be over.
Verdict judge(const ThreatBoard& board);

// Caro: all moves that stop the fives of the opponent, which has some.
CellSet answers(const ThreatBoard& board);

// All moves that can stop an open four threatened by the opponent, and the own fours, which gain a move.
CellSet defences(const ThreatBoard& board);

}  // namespace tengen

// Caro's fives, which a stone behind the row can undo: exactly k between two enemy stones do not win.
#pragma once

#include "rules/threats.h"
#include "rules/types.h"

namespace tengen::caro {

// The cells that leave `c` without a five next move, if the other side plays one of them now; `c` has one or more.
// A five is stopped on its cell, and where one end of its row is closed, on the other end too.
CellSet answers_to_fives(const ThreatBoard& board, Color c);

// A stone of `c` on `m` makes fours that no single stone stops. Neither side may have a five.
bool wins_by_four(const ThreatBoard& board, Color c, Move m);

// The cells where `c` makes such fours.
CellSet winning_fours(const ThreatBoard& board, Color c);

// Every stone that can change what the fours of `c` on `four` are worth, `four` itself included.
CellSet around_four(const ThreatBoard& board, Color c, Move four);

}  // namespace tengen::caro

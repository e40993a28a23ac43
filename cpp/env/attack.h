// A win by forcing moves against an opponent whose answers are known: not what the best defence would allow, but what
// this one does.
#pragma once

#include <functional>
#include <vector>

#include "rules/threats.h"

namespace tengen {

// What the opponent may answer at a position, as far as it shall be looked at.
using Answers = std::function<std::vector<Move>(const ThreatBoard&)>;

// The first of at most `stones` own moves that end in five: fours, open threes and forced blocks, whichever of
// `answers` follows each. kNoMove when there is no such win. The board is left as it was; its game must not be over.
Move attack_move(ThreatBoard& board, int stones, const Answers& answers);

}  // namespace tengen

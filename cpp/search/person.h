// A player that errs as people do: it overlooks threats, plays near the action, and thinks ahead only now and then.
//
// It looks at every line of the board, and overlooks what stands there the more easily the less urgent it is and the
// less it `sees`: a four rarely, an open three sometimes, and that two threats meet in one cell often; diagonals more
// easily than rows and columns, lines of the last move least. Among what it does see it prefers good shapes, loosely
// when it sees little. At a share `reads` of its moves it thinks ahead instead, by a search of `nodes`.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rules/threats.h"
#include "search/alphabeta.h"

namespace tengen {

struct Habits {
  double sees = 0.5;  // 0: somebody who learned the rules today, 1: overlooks nothing
  double reads = 0;   // share of the moves it thinks ahead at, 0 to 1
  int nodes = 200;    // how far it thinks then
};

class Person {
 public:
  struct Choice {
    Move move = kNoMove;
    std::uint64_t nodes = 0;
  };

  Person(const Habits& habits, std::uint64_t seed) : habits_(habits), seed_(seed) {}

  // The same seed on the same board gives the same move, whatever came before. The game must not be over. `limit`
  // bounds a search; its depth is not looked at.
  Choice choose(const ThreatBoard& board, const SearchLimit& limit = {});

  // How likely it is to overlook a shape that a stone of either side would make on a row or column away from the last
  // move, and that two such shapes meet.
  double overlooks(Shape shape) const;
  double overlooks_meeting() const;

 private:
  Choice read(const ThreatBoard& board, SearchLimit limit);
  Move at_sight(const ThreatBoard& board, std::uint64_t draw) const;

  Habits habits_;
  std::uint64_t seed_;
  std::unique_ptr<AlphaBeta> search_;  // made when it first thinks ahead
};

}  // namespace tengen

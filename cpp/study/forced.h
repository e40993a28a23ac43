// Which moves win by force and which hold: the truth that lessons, puzzles and warnings are built on.
//
// Everything rests on the solvers, which never claim a false win. A move wins when it makes five, or when it threatens
// to win by fours and every reply that could stop that threat still loses.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rules/threats.h"
#include "solve/vcf.h"
#include "solve/vct.h"

namespace tengen::study {

enum class Mode : std::uint8_t { Fours, Threats };

// Its solvers keep their tables from one question to the next. Positions are unfinished unless a move has just ended
// the game.
class ForcedPlay {
 public:
  explicit ForcedPlay(std::int64_t nodes);

  // The forced win of the side to move along the longest defence; empty when none was found.
  std::vector<Move> line(const ThreatBoard& board, Mode mode);
  bool wins(const ThreatBoard& board, Mode mode) { return !line(board, mode).empty(); }
  // The side to move certainly has no such win: the search was not cut off.
  bool none(const ThreatBoard& board, Mode mode);
  // Does the legal move `m` start, or keep, a forced win?
  bool is_winning(const ThreatBoard& board, Move m, Mode mode);
  // The same, where a no is certain too: some reply leaves no win by such threats. Nothing: a search was cut off.
  std::optional<bool> settled(const ThreatBoard& board, Move m, Mode mode);
  // Replies of the side to move that could stop what the other side threatens; nothing: nothing is threatened.
  std::optional<std::vector<Move>> replies(const ThreatBoard& after, Mode mode);
  // After the legal move `m` the opponent has no win by fours; nothing: it would take more nodes, or more than `fours`
  // fours of one's own, to know.
  std::optional<bool> holds(const ThreatBoard& board, Move m, int fours);

 private:
  struct Found {
    bool win, exhausted;
  };
  Found solve(const ThreatBoard& board, Mode mode);
  // The side that has just moved certainly has no win by fours that would have to be stopped.
  bool threatens_nothing(const ThreatBoard& after);
  std::optional<bool> holds_after(const ThreatBoard& after, int fours);

  std::int64_t nodes_;
  Vcf vcf_, small_;
  Vct vct_;
};

// The cells where `side` would make five.
std::vector<Move> fives(const ThreatBoard& board, Color side);
// The legal moves of the side to move that leave the other without a five, which it has now.
std::vector<Move> answers_to_fives(const ThreatBoard& board);
ThreatBoard played(const ThreatBoard& board, Move m);

}  // namespace tengen::study

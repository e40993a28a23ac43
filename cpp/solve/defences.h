// Which cells can stop a win by fours.
//
// When a side threatens to win by a line of fours, most cells of the board cannot help the defender. A stone of the
// defender leaves the line a win unless it
//   - stands on a cell of the line or on a cell that completes a five in it,
//   - makes a four for the defender at some point of the line, at its beginning or with the forced answers,
//   - renju: makes an attack of black's line forbidden, or a forbidden answer of black's legal,
//   - caro: stands at an end of a row that the line would complete.
// Shapes of the attacker only lose by further stones of the defender, so nothing else can change.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/threats.h"
#include "rules/types.h"
#include "solve/vcf.h"

namespace tengen {

class LineWalk {
 public:
  // `vcf` finds the branches of caro, where a four may have several answers.
  LineWalk(ThreatBoard& board, Color attacker, Vcf& vcf) : board_(board), attacker_(attacker), vcf_(vcf) {}

  // The attacker is to move. Checks that `line` wins (as Vcf::line() promises) and collects the cells that may stop
  // it. False: it does not win here.
  bool check(const std::vector<Move>& line) { return attack(line, 0); }
  const CellSet& cells() const { return cells_; }

 private:
  bool attack(const std::vector<Move>& line, std::size_t at);
  bool answer(const std::vector<Move>& line, std::size_t at);
  bool every_answer();
  bool all_forbidden(const CellSet& completing);
  void add_fours_of_defender();
  void add_cells_that_forbid(Move attack);
  void add_cells_that_allow(Move answer);

  ThreatBoard& board_;
  Color attacker_;
  Vcf& vcf_;
  CellSet cells_;
};

}  // namespace tengen

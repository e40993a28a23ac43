// What shapes alone prove about a position: a win now, a forced answer, a lost cause. Exact under every rule.
#pragma once

#include <memory>
#include <vector>

#include "rules/threats.h"
#include "rules/types.h"
#include "solve/vcf.h"

namespace tengen {

enum class Proof : std::uint8_t { None, Win, Loss, Draw };  // for the side to move

struct Tactics {
  Proof proof = Proof::None;
  int distance = 0;         // plies to the end with best play, as far as seen
  bool restricted = false;  // `moves` holds every move that does not lose at once (or, proven, the moves to play)
  std::vector<Move> moves;
  // The opponent would win by continuous fours if we passed. These cells meet that attack; others seldom help.
  std::vector<Move> against_vcf;

  void clear() {
    proof = Proof::None, distance = 0, restricted = false;
    moves.clear(), against_vcf.clear();
  }
};

// The game must not be over. Looks at fives, fours and open fours of both sides, and for boards where nobody can make
// five any more; leaves the board as it was.
void look(ThreatBoard& board, Tactics& out);

// look(), then continuous fours: ours prove a win, the opponent's are a warning.
class Solver {
 public:
  // Both of the following. At most `vcf_nodes` for each side; 0 for shapes alone.
  void solve(ThreatBoard& board, int vcf_nodes, Tactics& out);
  // look() and our own fours.
  void attack(ThreatBoard& board, int vcf_nodes, Tactics& out);
  // Where nothing is proven: the opponent's fours.
  void warn(ThreatBoard& board, int vcf_nodes, Tactics& out);

 private:
  bool may_search(int vcf_nodes, const Tactics& out);
  std::unique_ptr<Vcf> vcf_;  // made when first needed
};

}  // namespace tengen

// Forced wins, proven: by the threat solvers for who attacks, and by trying every move for who defends.
//
// Efforts are counted in nodes, so the same effort finds the same proofs on every machine and in every browser.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "rules/threats.h"
#include "solve/vcf.h"
#include "solve/vct.h"

namespace tengen::study {

// By what a win is forced.
enum class Force : std::uint8_t {
  Five,     // the next move wins
  Fours,    // every move of the winner is a four
  Threats,  // fours, threes and quiet moves that threaten to win
};

// A win that cannot be stopped.
struct Proof {
  Color winner;
  std::vector<Move> line;  // from the position to its end along the longest defence
  Force force;
  int moves;  // how many moves the winner still needs, the last one included

  bool operator==(const Proof&) const = default;
};

// What the proof of a position says after `m`, played by `mover`, if that is the move it goes on with.
std::optional<Proof> carried_on(const Proof& proof, Move m, Color mover);
// What the proof of the position after `m`, played by `mover`, says of the one before: a move into a win is a win.
std::optional<Proof> carried_back(const Proof& proof, Move m, Color mover);

struct Effort {
  std::int64_t fours, threats;
};
constexpr Effort kQuick{2'000, 2'000}, kThorough{50'000, 50'000}, kDeep{1'000'000, 1'000'000};

using Stopped = std::function<bool()>;  // empty: never

// Its tables are kept between positions and never change an answer.
class Prover {
 public:
  explicit Prover(std::size_t hash_entries = std::size_t{1} << 16);

  // What is proven of an unfinished position, for whichever side wins it.
  std::optional<Proof> prove(const ThreatBoard& board, const Effort& effort, const Stopped& stopped = {});
  // A win of `attacker` if it were its turn now.
  std::optional<Proof> win(const ThreatBoard& board, const Effort& effort, Color attacker);
  // A win of the opponent against every move of the side to move, which must have no forced win itself.
  std::optional<Proof> loss(const ThreatBoard& board, const Effort& effort, const Stopped& stopped = {});

 private:
  Vcf vcf_;
  Vct vct_;
};

}  // namespace tengen::study

// Judging a move from what is known of the positions before and after it, and saying why.
//
// Allowing or missing a forced win are classes of their own, whatever the values were. Where every move loses, a move
// is a fault only if it gives in at once: a four or an open three that stays open although it could be stopped.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rules/threats.h"
#include "study/proofs.h"

namespace tengen::study {

// Drops of value that make a class, set above the noise of a fast search: at good moves it sees a drop below 0.14 in
// 95 % and below 0.22 in 99 % (benchmarks/judge.py).
constexpr double kInaccuracy = 0.15, kMistake = 0.3, kBlunder = 0.5;

// The class of a move.
enum class Mark : std::uint8_t {
  Best,
  Good,
  Lost,  // every move loses
  Inaccuracy,
  Mistake,
  Blunder,
  MissedWin,
  AllowedWin,
};
constexpr bool is_fault(Mark mark) { return mark > Mark::Lost; }

// What the reason for a class is, for a sentence in any language.
enum class Why : std::uint8_t {
  MakesFive,
  Wins,  // the move wins by force
  LeavesFour,
  LeavesThree,
  Allows,  // the opponent now wins by force
  MissesFive,
  Misses,  // the move gives up a forced win
  NoDefence,
  Better,  // another move was worth more
};

// `line` can be played on the board: from before the move when `instead`, else from after it.
struct Reason {
  Why why;
  std::vector<Move> line = {};
  bool instead = false;
  std::vector<Move> shape = {};  // the stones of the four or three that was left open
  int moves = 0;                 // in how many moves the win would be
  std::optional<Force> force = {};

  bool operator==(const Reason&) const = default;
};

// What is known of one position: its value for `side`, the move to play and how the game would go on.
struct Look {
  double value;
  Color side;
  Move best = kNoMove;
  std::vector<Move> line = {};
  std::optional<Proof> proof = {};

  double of(Color c) const { return c == side ? value : -value; }
  bool operator==(const Look&) const = default;
};

struct Verdict {
  Mark mark;
  double drop = 0;  // the value the move cost its player, from 0 to 2
  std::optional<Reason> reason = {};

  bool operator==(const Verdict&) const = default;
};

// The verdict on the legal move `m`, played on `board`.
Verdict judge(const ThreatBoard& board, Move m, const Look& before, const Look& after);

}  // namespace tengen::study

// Judges what a person plays in a puzzle.
//
// The opponent defends as long as possible, every move that keeps a forced win counts, and a wrong move is answered by
// what refutes it.
#pragma once

#include <cstdint>
#include <vector>

#include "study/forced.h"

namespace tengen::study {

constexpr std::int64_t kTrainerNodes = 8'000;  // per question: an answer takes a few of them and should come at once
constexpr int kDeeper = 3;                     // times as many where a move is not settled by that

struct Answer {
  enum class State : std::uint8_t { Right, Solved, Wrong };

  State state;
  Move reply = kNoMove;               // the opponent's best defence to a right move
  std::vector<Move> refutation = {};  // what a wrong move runs into, opponent's move first
  bool loses = false;                 // the refutation wins for the opponent; otherwise it only stops the attack
};

// What a move does.
enum class Idea : std::uint8_t { Five, BlockFive, DoubleFour, Four, CounterFour, Block, DoubleThree, Three, Quiet };
Idea idea_of(const ThreatBoard& board, Move m, bool defence);

class Trainer {
 public:
  explicit Trainer(std::int64_t nodes = kTrainerNodes) : forced_(nodes), deeper_(kDeeper * nodes) {}

  // The legal move `m`, which is to win; `known` says that it solves the puzzle.
  Answer attacked(const ThreatBoard& board, Move m, bool known);
  // The legal move `m`, which is to stop a win.
  Answer defended(const ThreatBoard& board, Move m, bool known);
  // The win that is left to whoever had one; fours first, as a person would look for them.
  std::vector<Move> line(const ThreatBoard& board);

 private:
  bool starts_a_win(const ThreatBoard& board, Move m);
  std::vector<Move> quick_line(const ThreatBoard& board);
  Answer refuted(const ThreatBoard& board, Move m);

  ForcedPlay forced_, deeper_;
};

}  // namespace tengen::study

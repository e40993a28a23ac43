// A plan against an opponent whose answers are known: some quiet moves, then a win by forcing ones.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "attack.h"
#include "threats.h"

namespace tengen {

// Remembers all positions it has looked at, whichever way the board was turned, so that a game that follows its plan
// costs little more than its first move.
class Planner {
 public:
  // Every plan ends in a win by at most `stones` forcing moves; `answer` is asked a few times at each position, as the
  // opponent may draw lots.
  Planner(int stones, Answer answer) : stones_(stones), answer_(std::move(answer)) {}

  // The move that wins most often after at most `quiet` moves that force nothing, itself among them; kNoMove when none
  // ever wins. The board is left as it was; its game must not be over.
  Move move(ThreatBoard& board, int quiet) { return best(board, quiet).move; }

 private:
  struct Plan {
    float chance = 0;                 // of winning, over the opponent's lots
    Move move = kNoMove;
  };
  struct Reply {
    Move move;
    float chance;
  };
  struct View {
    std::uint64_t key;                // shared by all symmetric positions
    const std::vector<Move>* image;   // cell -> where it lies in the one that stands for them
    std::vector<Move> origin() const; // and back
  };

  Plan best(ThreatBoard& board, int quiet);
  Plan search(ThreatBoard& board, int quiet);
  // Chance to win after `m`, or any number not above `bound` when it cannot exceed it.
  float chance_after(ThreatBoard& board, Move m, int quiet, float bound);
  std::vector<Reply> replies(const ThreatBoard& board);
  static View look(const Position& position);

  int stones_;
  Answer answer_;
  std::vector<std::unordered_map<std::uint64_t, Plan>> plans_;            // by the number of quiet moves
  std::unordered_map<std::uint64_t, std::vector<Reply>> replies_;
};

}  // namespace tengen

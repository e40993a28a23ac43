// A plan against an opponent whose answers are known: some quiet moves, then a win by forcing ones.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "env/attack.h"
#include "rules/threats.h"

namespace tengen {

// Remembers all positions it has looked at, whichever way the board was turned, so that a game that follows its plan
// costs little more than its first move.
class Planner {
 public:
  // Every plan ends in a win by at most `stones` forcing moves; `answer` is asked until nothing new is heard, as the
  // opponent may draw lots. `pause` is called at every answer and may throw to end a search that takes minutes.
  Planner(int stones, std::function<Move(const ThreatBoard&)> answer, std::function<void()> pause)
      : stones_(stones), answer_(std::move(answer)), pause_(std::move(pause)) {}

  // The first move of a plan with at most `quiet` moves that force nothing, or fewer where they are enough. It beats
  // every answer that was drawn; kNoMove when none does. The board's game must not be over.
  Move move(ThreatBoard board, int quiet);

 private:
  struct Known {
    int failed = -1;  // so many quiet moves do not win
    Move win = kNoMove;
  };
  struct View {
    std::uint64_t key;               // shared by all symmetric positions
    const std::vector<Move>* image;  // cell -> where it lies in the one that stands for them
    Move back(Move m) const;
  };

  Move search(ThreatBoard& board, int quiet);
  Move forced_win(ThreatBoard& board);
  Move quiet_win(ThreatBoard& board, int quiet);
  bool beats_all(ThreatBoard& board, Move m, int quiet);
  std::vector<Move> replies(const ThreatBoard& board);
  Move ask(const ThreatBoard& board);
  static View look(const Position& position);

  int stones_;
  std::function<Move(const ThreatBoard&)> answer_;
  std::function<void()> pause_;
  std::unordered_map<std::uint64_t, Known> known_;
  std::unordered_map<std::uint64_t, std::vector<Move>> replies_;
};

}  // namespace tengen

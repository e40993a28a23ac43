// Plain minimax with alpha-beta and an evaluation by shapes: the classical opponent of the learning players.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rules/limit.h"
#include "rules/position.h"

namespace tengen {

// Worth of the shapes standing on the lines, black minus white. A stretch of a line between enemy stones counts once,
// by the strongest shape it holds: open four 5000, open three 500, four 400, closed three 30.
class LineSums {
 public:
  explicit LineSums(const Position& position);

  int total() const { return total_; }
  // Brings the four lines through `m` up to date after a stone came there; `restore` when it went.
  struct Before {
    int total;
    std::array<int, kDirections> lines;
  };
  Before update(const Position& position, Move m);
  void restore(const Position& position, Move m, const Before& before);

 private:
  void rescore(const Position& position, Move m, int d);

  int total_ = 0;
  std::array<std::array<int, 2 * kMaxSize - 1>, kDirections> lines_{};
};

class Minimax {
 public:
  static constexpr int kFive = 10000;  // a win, less one for each move on the way to it
  static constexpr int kLimit = 9000;  // no sum of shapes reaches a five

  struct Result {
    Move move = kNoMove;
    int score = 0;  // for the side to move
    int depth = 0;  // last depth searched to its end
    std::uint64_t nodes = 0;
    std::vector<Move> pv;
  };

  // `position` must not be over. Equally promising moves are tried in an order drawn from `seed`.
  Minimax(const Position& position, std::uint64_t seed);

  Result run(const SearchLimit& limit);
  void stop() { watch_.stop(); }  // from any thread

  // The evaluation of a position, for the side to move.
  static int evaluate(const Position& position, int black_minus_white);

 private:
  struct Candidate {
    Move move;
    int order;
  };
  using Candidates = std::vector<Candidate>;

  int search(int depth, int ply, int alpha, int beta, std::vector<Move>& pv);
  Candidates candidates() const;
  int order(Move m) const;
  Candidates root_candidates(std::uint64_t seed) const;

  Position position_;
  LineSums sums_;
  Candidates root_;
  Watch watch_;
  std::uint64_t nodes_ = 0;
};

}  // namespace tengen

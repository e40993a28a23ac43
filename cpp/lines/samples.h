// Games to learn from, and the positions in them as samples.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "lines/gradient.h"
#include "rules/position.h"
#include "rules/rng.h"

namespace tengen {

// Many games on one board, column by column. Rows are the moves after each game's opening.
struct LineGames {
  int width = 0, height = 0;
  // One entry a game.
  std::vector<std::int32_t> lengths, openings;  // moves in all, moves that were given
  std::vector<std::int32_t> winners;            // 0 black, 1 white, -1 nobody
  std::vector<std::int16_t> moves;              // of all games
  // One entry a row.
  std::vector<float> values;         // of the search, for the side to move, -1 to 1
  std::vector<float> weights;        // 0: not to be learned from
  std::vector<std::int32_t> counts;  // moves in the policy; 0: nothing to learn about moves
  // One entry for each move of a policy.
  std::vector<std::int16_t> policy_moves;
  std::vector<float> policy_shares;

  // Throws std::invalid_argument when columns do not fit together or hold what cannot be.
  void check(const LineShape& shape) const;
};

class LinePool {
 public:
  explicit LinePool(const LineShape& shape) : shape_(shape) {}
  LinePool(const LinePool&) = delete;
  LinePool& operator=(const LinePool&) = delete;

  // Returns how many samples came in.
  std::int64_t add(LineGames games);
  // Forgets the oldest games that came in together.
  void drop_oldest();
  std::int64_t oldest() const {
    return generations_.empty() ? 0 : static_cast<std::int64_t>(generations_.front()->rows.size());
  }
  std::int64_t samples() const { return samples_; }
  int generations() const { return static_cast<int>(generations_.size()); }

  // A sample at random. `mix`: share of the search's value in the value to learn, the rest is the result.
  void draw(Rng& rng, float mix, LineSample& out) const;
  const LineShape& shape() const { return shape_; }

 private:
  struct Row {
    std::int32_t game, row;  // row of the generation
  };
  // One line of the board: its first cell, and how many cells it has.
  struct Line {
    std::int16_t first, length;
    std::uint8_t direction;
  };
  struct Generation {
    LineGames games;
    Position empty;
    std::vector<std::int32_t> first_move, first_row, first_policy;  // of each game; of each row
    std::vector<Row> rows;
    std::vector<Line> lines;
    const Windows* windows;
  };

  static void look(const Generation& g, const Position& p, Sight* out);
  static void fill(const Generation& g, Row at, float mix, LineSample& out);

  LineShape shape_;
  std::deque<std::unique_ptr<Generation>> generations_;
  std::int64_t samples_ = 0;
};

}  // namespace tengen

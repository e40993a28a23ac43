// What every empty cell of a board sees, and the network's sums over them, kept up to date as stones come and go.
//
// Only the four window numbers of a cell are stored. The sums are brought up to date when they are asked for, from the
// last position on the way here that had them, and undo returns to that position's own: all integers, so they always
// equal a computation from nothing.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "lines/network.h"
#include "rules/position.h"

namespace tengen {

class LineFeatures {
 public:
  // The network must outlive this and fit the position's k and rule.
  LineFeatures(const LineNetwork& network, const Position& position);

  // Call after Position::play and after Position::undo.
  void play(const Position& position) { push(position, 1); }
  void undo();
  // For those who ask seldom: catches up with a position of the same game, whatever was played and taken back since.
  void follow(const Position& position);

  Sight sight(Move m) const { return sight_[m]; }
  bool makes_five(Color c, Move m) const { return tengen::makes_five(network_->windows(), c, sight_[m]); }

  const std::int32_t* sums();
  float value(Color turn) { return network_->value(sums(), turn); }
  float logit(Color turn) { return network_->logit(sums(), turn); }
  // Scores of the empty cells, by cell; others are left alone.
  void scores(const Position& position, float* out);

  const LineNetwork& network() const { return *network_; }
  bool is_ok(const Position& position);  // equals features built from scratch

 private:
  struct Change {
    Sight before;
    Move cell;
  };

  // Some moves, the last of a position, that are taken back together.
  struct Step {
    std::uint32_t changes;  // length of changes_ before them
    int ply;                // of the position after them
  };

  void push(const Position& position, int moves);
  void see(const Position& position, Move m);
  void change(Move m, Sight sight);
  void catch_up(std::size_t from);
  void add_all(std::int32_t* sums);
  int ply() const { return steps_.empty() ? start_ : steps_.back().ply; }
  std::int32_t* sums_at(std::size_t step) { return sums_.data() + step * network_->row(); }

  const LineNetwork* network_;
  int cells_;
  int start_;  // ply of the position this was made for
  std::array<Sight, kMaxCells> sight_{};
  std::vector<Change> changes_;
  std::vector<Step> steps_;
  std::vector<Move> moves_;                                     // of all steps
  std::vector<std::int32_t, CacheAligned<std::int32_t>> sums_;  // [steps + 1, row]
  std::vector<std::uint8_t> known_;                             // whether sums_ of that many steps is up to date
  std::array<std::uint32_t, kMaxCells> seen_{};
  std::uint32_t round_ = 0;
};

}  // namespace tengen

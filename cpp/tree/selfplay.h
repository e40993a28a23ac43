// Many games of a network against itself, their leaves gathered into one batch.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "rules/rng.h"
#include "tree/encode.h"
#include "tree/evaluation_cache.h"
#include "tree/opening.h"
#include "tree/puct.h"
#include "tree/root.h"
#include "tree/search_options.h"

namespace tengen {

// A finished game. Rows of `policies`, and the other lists, are for the moves after the opening.
struct PlayedGame {
  std::vector<Move> moves;
  int opening = 0;
  int winner = -1;                  // colour index, -1 for a draw
  std::vector<float> policies;      // [moves - opening, cells]
  std::vector<float> root_values;   // for the side to move
  std::vector<float> weights;       // 0: searched too little to learn its policy from
  std::vector<std::int8_t> proven;  // 1 proven win for the side to move, -1 proven loss, 0 otherwise
};

// One game slot: plays game after game, stopping whenever the network is needed.
class GameSlot {
 public:
  GameSlot(const Position& start, const SearchOptions& options, Encoding encoding, EvalCache* cache,
           std::uint64_t seed);

  // Plays on until a leaf waits for the network (true), or a game ended without needing one (false).
  bool run(std::vector<PlayedGame>& finished);
  void write_planes(float* out);
  void answer(const float* logits, float value);

  const TreeStats& stats() const { return tree_.stats(); }
  std::int64_t evaluations() const { return tree_.stats().evaluations + opening_evaluations_; }

 private:
  void begin_game();
  void begin_balancing();
  void end_balancing();
  void begin_search();
  bool search_over() const;
  bool simulate();
  void make_move(std::vector<PlayedGame>& finished);
  Move choose_move();
  void record_root();
  void finish(std::vector<PlayedGame>& finished, int winner);

  SearchOptions options_;
  Encoding encoding_;
  Rng rng_;
  ThreatBoard start_;
  Tree tree_;
  GumbelRoot gumbel_;
  PendingLeaf pending_;
  PlayedGame game_;
  int symmetry_ = 0;
  std::vector<float> unturned_;

  // The move being searched.
  bool searching_ = false, fast_ = false;
  int sims_ = 0, done_ = 0;

  // The last opening move being chosen: candidates and what the network says of each for the side that replies.
  bool balancing_ = false;
  ThreatBoard opening_;
  std::vector<Move> candidates_;
  std::vector<float> values_;
  std::int64_t opening_evaluations_ = 0;
};

struct SelfPlayStats {
  std::int64_t simulations = 0, evaluations = 0, cache_hits = 0, games = 0, plies = 0;
};

class SelfPlay {
 public:
  // With `games` above 0 no more than that many are started: a slot left without one stays idle, and select() gives 0
  // once all are finished.
  SelfPlay(const Position& start, Encoding encoding, int slots, std::uint64_t seed, const SearchOptions& options,
           int games = 0);
  SelfPlay(SelfPlay&&) = default;

  // Plays every game until its next leaf needs the network and writes the planes of those leaves. Returns how many;
  // fewer than slots() when some games ended without needing it.
  int select(float* planes);
  // One row of logits and one value for each leaf of the last select().
  void expand(const float* logits, const float* values);
  std::vector<PlayedGame> take_games();

  int slots() const { return static_cast<int>(games_.size()); }
  int cells() const { return cells_; }
  int plane_floats() const { return planes(encoding_) * cells_; }
  int waiting() const { return static_cast<int>(waiting_.size()); }
  SelfPlayStats stats() const;

 private:
  bool gather(int slot, float* planes);

  Encoding encoding_;
  int cells_;
  std::unique_ptr<EvalCache> cache_;
  std::vector<std::unique_ptr<GameSlot>> games_;
  std::vector<int> waiting_;
  std::vector<char> idle_;
  std::int64_t to_start_;  // games that may still begin after those of the slots
  std::vector<PlayedGame> finished_;
  std::int64_t games_played_ = 0, plies_played_ = 0;
};

}  // namespace tengen

// How a search spends its simulations among the root's moves, which move it plays and what a network should learn.
#pragma once

#include <array>
#include <vector>

#include "rules/rng.h"
#include "tree/puct.h"

namespace tengen {

// Gumbel noise, sequential halving, and targets from completed action values. Noise is drawn anew by begin().
class GumbelRoot {
 public:
  // The root must be open and unproven. `scale` 0 searches without noise.
  void begin(Tree& tree, Rng& rng, int sims, float scale);
  // Index of the tried root move the next simulation begins with.
  int next(Tree& tree);
  // The best move: largest noise + log prior + sigma(q) among the moves that got furthest.
  Move best(const Tree& tree) const;

 private:
  void consider(Tree& tree);
  void halve(const Tree& tree);
  void begin_phase();
  float score(const Tree& tree, int i) const;

  int sims_ = 0, used_ = 0;
  int considered_ = 0;                  // moves at the start
  int visits_each_ = 0;                 // of each candidate in this phase
  std::size_t turn_ = 0;                // simulations given in this phase
  std::vector<int> candidates_;         // indices of tried root moves
  std::array<float, kMaxCells> noise_;  // by cell
};

// sigma of the Gumbel papers with values brought to [0, 1].
float sigma(const Tree& tree, float q);

// Improved policy: softmax of log prior + sigma(completed q). Writes a probability for every cell.
void gumbel_target(const Tree& tree, float* out);
// Visit shares of the moves that are not refuted, raised to 1 / temperature.
void visit_target(const Tree& tree, float temperature, float* out);

// Mixes Dirichlet noise into the root's priors.
void add_noise(Tree& tree, Rng& rng, float alpha, float fraction);

// The move that proves the root best, or kNoMove when the root is unproven.
Move proven_move(const Tree& tree);
// The move with most visits (ties: the better value); kNoMove when nothing was tried.
Move most_visited(const Tree& tree);
Move sample(const float* policy, int cells, Rng& rng);

}  // namespace tengen

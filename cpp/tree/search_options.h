// Settings of the tree search and of self-play; src/tengen/inference/search_options.py says what each means, and a test
// compares names and defaults.
#pragma once

#include <cstdint>

namespace tengen {

enum class Formula : std::uint8_t {
  Puct,     // c * P * sqrt(N) / (1 + n)
  Printed,  // c * P * sqrt(N / (1 + n))
};

struct SearchOptions {
  int sims = 64;
  float c_puct = 2.0f;
  Formula formula = Formula::Puct;
  float fpu = 0.2f;
  bool fpu_zero = false;

  bool gumbel = true;
  int gumbel_considered = 16;
  float gumbel_scale = 1.0f;
  float c_visit = 50.0f;
  float c_scale = 1.0f;

  float noise_alpha = 0.3f;
  float noise_fraction = 0.25f;
  float temperature = 1.0f;
  int temperature_moves = 10;
  float random_move = 0.0f;

  bool solver = true;
  int vcf_nodes = 0;
  bool resign_proven = true;

  int opening_moves_min = 0;
  int opening_moves_max = 0;
  int opening_tries = 12;

  bool reuse_tree = true;
  float fast_fraction = 0.0f;
  int fast_sims = 16;
  int cache_size = 0;
  bool random_symmetry = false;
};

}  // namespace tengen

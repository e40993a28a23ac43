// Learns the evaluation and the move ordering of the engine from data files, by stochastic gradient descent.
//
// The evaluation is a logistic fit: the odds of winning by what the cells are worth to either side and which threats
// stand. Its target mixes the search's value with the game's result. The move ordering is a softmax fit of the best
// move. A code's weight is the sum of its shapes and a correction of its own that is pulled to zero. Games are replayed
// in a new order in every epoch, nothing is stored but the games; one game in twenty is held out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tengen::bench {

struct FitPlan {
  std::vector<std::string> files;  // of one rule; boards may differ
  std::string header;              // the C++ header to write
  int epochs = 10;
  double search_share = 0.7;  // of the target; the rest is the result
  bool proven = true;         // positions whose search proved the result take part
  double rate = 0.003;
  double pull = 20;  // towards zero of the corrections, in positions
  std::uint64_t seed = 1;
};

// Prints a line for each epoch.
void fit(const FitPlan& plan);

}  // namespace tengen::bench

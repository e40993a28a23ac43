#include "evaluate.h"

#include <algorithm>
#include <cmath>

namespace tengen {

int evaluate(const ThreatBoard& board) {
  const Color own = board.turn();
  const int value = board.score(own) * 9 / 8 - board.score(~own) + 20;
  return std::clamp(value, -kMaxEval, kMaxEval);
}

int move_value(std::uint16_t own_code, std::uint16_t opponent_code) {
  return 40 * cell_value(own_code) + 32 * cell_value(opponent_code);
}

double expected_result(int evaluation) { return std::tanh(evaluation / 600.0); }

}  // namespace tengen

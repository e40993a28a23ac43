#include "search/evaluate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "search/evaluation_weights.h"

namespace tengen {
namespace {

// The same shapes in another order of directions are worth the same: the four nibbles, sorted, largest first.
std::uint16_t sorted_code(int code) {
  std::array<int, kDirections> shapes;
  for (int d = 0; d < kDirections; ++d) shapes[d] = code >> 4 * d & 0xf;
  std::sort(shapes.begin(), shapes.end(), std::greater<>());
  return static_cast<std::uint16_t>(shapes[0] << 12 | shapes[1] << 8 | shapes[2] << 4 | shapes[3]);
}

// A learned number for every code: a sum over its shapes, corrected for the combinations met often.
template <std::size_t N>
std::vector<int> expand(const std::array<int, kShapes>& shapes, const std::array<weights::Correction, N>& corrections) {
  std::vector<int> sorted(1 << 16, 0);
  for (const auto& c : corrections) sorted[c.code] = c.value;
  std::vector<int> values(1 << 16);
  for (int code = 1; code < 1 << 16; ++code) {
    int sum = sorted[sorted_code(code)];
    for (int d = 0; d < kDirections; ++d)
      if (const int shape = code >> 4 * d & 0xf; shape < kShapes) sum += shapes[shape];
    values[code] = sum;
  }
  return values;
}

std::vector<std::int32_t> pack_weights() {
  const auto moving = expand(weights::kMovingShapes, weights::kMovingCodes);
  const auto waiting = expand(weights::kWaitingShapes, weights::kWaitingCodes);
  std::vector<std::int32_t> packed(1 << 16);
  for (std::size_t code = 1; code < packed.size(); ++code) packed[code] = waiting[code] * 65536 + moving[code];
  return packed;
}

int moving_part(std::int32_t packed) { return static_cast<std::int16_t>(packed); }
int waiting_part(std::int32_t packed) { return (packed + 0x8000) >> 16; }

std::array<std::int16_t, 1 << kThreatBits> expand_threats() {
  std::array<std::int16_t, 1 << kThreatBits> table{};
  for (int mask = 0; mask < 1 << kThreatBits; ++mask) {
    int sum = weights::kTempo;
    for (int bit = 0; bit < kThreatBits; ++bit) sum += (mask >> bit & 1) * weights::kThreatBitValues[bit];
    table[mask] = static_cast<std::int16_t>(sum);
  }
  for (const auto& c : weights::kThreatMasks) table[c.code] = static_cast<std::int16_t>(table[c.code] + c.value);
  return table;
}

}  // namespace

const std::int32_t* evaluation_weights() {
  static const std::vector<std::int32_t> packed = pack_weights();
  return packed.data();
}

int threat_mask(const ThreatBoard& board) {
  const Color own = board.turn();
  const auto own_has = [&](Threat t) { return board.count(own, t) > 0; };
  const auto opponent_has = [&](Threat t) { return board.count(~own, t) > 0; };
  return own_has(Threat::FourThree) | own_has(Threat::FourPlus) << 1 | own_has(Threat::Four) << 2 |
         own_has(Threat::DoubleThree) << 3 | (own_has(Threat::ThreePlus) || own_has(Threat::Three)) << 4 |
         (opponent_has(Threat::OpenFour) || opponent_has(Threat::DoubleFour)) << 5 |
         opponent_has(Threat::FourThree) << 6 | opponent_has(Threat::FourPlus) << 7 |
         opponent_has(Threat::Four) << 8 | opponent_has(Threat::DoubleThree) << 9 |
         (opponent_has(Threat::ThreePlus) || opponent_has(Threat::Three)) << 10;
}

int evaluate(const ThreatBoard& board) {
  static const auto threats = expand_threats();
  const Color own = board.turn();
  const int value = moving_part(board.score(own)) - waiting_part(board.score(~own)) + threats[threat_mask(board)];
  return std::clamp(value, -kMaxEval, kMaxEval);
}

const MoveValues& MoveValues::get() {
  static const MoveValues values;
  return values;
}

MoveValues::MoveValues() {
  const auto own = expand(weights::kOwnMoveShapes, weights::kOwnMoveCodes);
  const auto opponent = expand(weights::kOpponentMoveShapes, weights::kOpponentMoveCodes);
  std::copy(own.begin(), own.end(), own_.begin());
  std::copy(opponent.begin(), opponent.end(), opponent_.begin());
}

double expected_result(int evaluation) { return std::tanh(evaluation / (2.0 * kEvalUnit)); }

}  // namespace tengen

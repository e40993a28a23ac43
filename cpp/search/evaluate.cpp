#include "search/evaluate.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "search/weights/caro.h"
#include "search/weights/freestyle.h"
#include "search/weights/renju.h"
#include "search/weights/standard.h"

namespace tengen {
namespace {

template <class T>
std::vector<T> expand(const weights::Codes& codes) {
  std::vector<int> sorted(kCodes, 0);
  for (const auto& c : codes.corrections) sorted[c.code] = c.value;
  std::vector<T> values(kCodeNumbers);
  for (int code = 1; code < kCodes; ++code) {
    int sum = sorted[sorted_code(code)];
    for (int d = 0; d < kDirections; ++d) sum += codes.shapes[code >> 4 * d & 0xf];
    values[code_number(static_cast<Code>(code))] = static_cast<T>(sum);
  }
  return values;
}

std::vector<std::int32_t> pack(const weights::Side& side) {
  const auto moving = expand<std::int32_t>(side.moving), waiting = expand<std::int32_t>(side.waiting);
  std::vector<std::int32_t> packed(kCodeNumbers);
  // Codes of several fives do not fit and wrap around; the game is over before they are looked up.
  for (std::size_t i = 0; i < packed.size(); ++i)
    packed[i] = static_cast<std::int32_t>((static_cast<std::uint32_t>(waiting[i]) << 16) +
                                          static_cast<std::uint32_t>(moving[i]));
  return packed;
}

int moving_part(std::int32_t packed) { return static_cast<std::int16_t>(packed); }
int waiting_part(std::int32_t packed) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(packed) + 0x8000u) >> 16;
}

}  // namespace

std::uint16_t sorted_code(int code) {
  std::array<int, kDirections> shapes;
  for (int d = 0; d < kDirections; ++d) shapes[d] = code >> 4 * d & 0xf;
  std::sort(shapes.begin(), shapes.end(), std::greater<>());
  return static_cast<std::uint16_t>(shapes[0] << 12 | shapes[1] << 8 | shapes[2] << 4 | shapes[3]);
}

int threat_mask(const ThreatBoard& board) {
  const Color own = board.turn();
  const auto own_has = [&](Threat t) { return board.count(own, t) > 0; };
  const auto opponent_has = [&](Threat t) { return board.count(~own, t) > 0; };
  return own_has(Threat::FourThree) | own_has(Threat::FourPlus) << 1 | own_has(Threat::Four) << 2 |
         own_has(Threat::DoubleThree) << 3 | (own_has(Threat::ThreePlus) || own_has(Threat::Three)) << 4 |
         (opponent_has(Threat::OpenFour) || opponent_has(Threat::DoubleFour)) << 5 |
         opponent_has(Threat::FourThree) << 6 | opponent_has(Threat::FourPlus) << 7 | opponent_has(Threat::Four) << 8 |
         opponent_has(Threat::DoubleThree) << 9 |
         (opponent_has(Threat::ThreePlus) || opponent_has(Threat::Three)) << 10;
}

double expected_result(int evaluation) { return std::tanh(evaluation / (2.0 * kEvalUnit)); }

const Evaluation& Evaluation::get(Rule rule) {
  switch (rule) {
    case Rule::Freestyle: {
      static const Evaluation freestyle(weights::freestyle::kSide);
      return freestyle;
    }
    case Rule::Standard: {
      static const Evaluation standard(weights::standard::kSide);
      return standard;
    }
    case Rule::Renju: {
      static const Evaluation renju(weights::renju::kBlackSide, weights::renju::kWhiteSide);
      return renju;
    }
    default: {
      static const Evaluation caro(weights::caro::kSide);
      return caro;
    }
  }
}

Evaluation::Side::Side(const weights::Side& learned)
    : cells(pack(learned)), own_move(expand<std::int16_t>(learned.own_move)),
      opponent_move(expand<std::int16_t>(learned.opponent_move)), threats(learned.threats.data()) {}

Evaluation::Evaluation(const weights::Side& both) { sides_[0] = sides_[1] = std::make_shared<const Side>(both); }

Evaluation::Evaluation(const weights::Side& black, const weights::Side& white)
    : sides_{std::make_shared<const Side>(black), std::make_shared<const Side>(white)} {}

int Evaluation::operator()(const ThreatBoard& board) const {
  const Color own = board.turn();
  const int value =
      moving_part(board.score(own)) - waiting_part(board.score(~own)) + sides_[index(own)]->threats[threat_mask(board)];
  return std::clamp(value * kEvalUnit / kCellUnit, -kMaxEval, kMaxEval);
}

}  // namespace tengen

// How promising an attack looks before it is searched: its first proof number in the search by threats.
//
// The weights are those of a logistic regression on 990,000 attacks of such searches in renju puzzles, 12,000 of them
// proved: the tenth of the attacks that looks best holds two thirds of the proofs. Units: 1/100 of a factor of e in the
// odds. Numbers only steer the search; what it proves does not depend on them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "rules/threats.h"
#include "rules/types.h"

namespace tengen {

// The part that all attacks of a position share: what else the attacker has, and the counter-fours of the defender.
inline int promise_of_position(const ThreatBoard& board, Color attacker) {
  static constexpr std::array<int, 16> log{0,   69,  110, 139, 161, 179, 195, 208,
                                           220, 230, 240, 248, 256, 264, 271, 277};  // 100 ln(1 + n)
  const auto weigh = [](int weight, int count) { return weight * log[std::min(count, 15)] / 100; };
  const auto own = [&](int weight, Threat t) { return weigh(weight, board.count(attacker, t)); };
  return own(168, Threat::FourPlus) + own(143, Threat::FourThree) + own(142, Threat::DoubleThree) +
         own(85, Threat::ThreePlus) + own(41, Threat::Four) + own(30, Threat::Three) -
         weigh(165, board.cells(~attacker, Group::Four).count()) -
         weigh(45, board.cells(~attacker, Group::Three).count()) - 360;
}

// What the stone itself makes, stops, and how near it is to the stone before.
inline int promise_of_attack(const ThreatBoard& board, Color attacker, Move m) {
  static constexpr std::array<int, kThreats> by_threat{0, 0, 0, 0, -168, -54, 184, -48, -112, -76, 0, 0, 0, 0};
  static constexpr std::array<int, kShapes> made{0, 0, 0, 0, 30, 73, 30, 0, 0, 0, 0, 0};
  static constexpr std::array<int, kShapes> stopped{0, 0, 0, -17, -45, -24, 0, 0, 0, 0, 0, 0};
  int sum = by_threat[static_cast<int>(board.threat(attacker, m))];
  for (int d = 0; d < kDirections; ++d)
    sum +=
        made[static_cast<int>(board.shape(attacker, m, d))] + stopped[static_cast<int>(board.shape(~attacker, m, d))];
  const Threat enemy = board.threat(~attacker, m);
  sum += enemy == Threat::DoubleThree ? -145 : enemy == Threat::FourPlus ? 91 : 0;
  const Move last = board.position().last();
  if (last == kNoMove) return sum;
  const int width = board.position().width();
  const int distance = std::max(std::abs(last / width - m / width), std::abs(last % width - m % width));
  return sum + (distance == 1 ? 56 : distance <= 4 ? 40 : 0);
}

// From the sum of both: two for each factor of e in the odds against the attack, less two.
inline std::uint32_t first_proof_number(int promise) {
  return static_cast<std::uint32_t>(std::clamp((-promise - 100 + 25) / 50, 1, 30));
}

}  // namespace tengen

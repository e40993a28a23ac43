// How promising an attack looks before it is searched: its first proof number in the search by threats.
//
// The weights are those of a logistic regression on attacks of such searches in 207 renju puzzles, 10 million of them,
// 34,000 proved: the tenth of the attacks that looks best holds 85 % of the proofs. Units: 1/100 of a factor
// of e in the odds. Numbers only steer the search; what it proves does not depend on them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "rules/threats.h"
#include "rules/types.h"

namespace tengen {

// The part that all attacks of a position share: what else each side could make.
inline int promise_of_position(const ThreatBoard& board, Color attacker) {
  static constexpr std::array<int, 16> log{0,   69,  110, 139, 161, 179, 195, 208,
                                           220, 230, 240, 248, 256, 264, 271, 277};  // 100 ln(1 + n)
  static constexpr std::array<int, kThreats> own{0, -29, -22, 11, 8, 26, -11, 18, 114, 121, 0, 0, 0, 29};
  static constexpr std::array<int, kThreats> enemy{0, -3, -52, -47, -27, -27, -12, -89, -132, -288, -218, -303, 0, 34};
  int sum = 0;
  for (int t = 1; t < kThreats; ++t)
    sum += own[t] * log[std::min(board.count(attacker, static_cast<Threat>(t)), 15)] +
           enemy[t] * log[std::min(board.count(~attacker, static_cast<Threat>(t)), 15)];
  return sum / 100 + (attacker == Color::White ? 37 : 0) - 483;
}

// What the stone itself makes and stops, and how near it is to the two stones before.
inline int promise_of_attack(const ThreatBoard& board, Color attacker, Move m) {
  static constexpr std::array<int, kThreats> own{0, -288, -276, -164, -167, 47, 317, 52, 7, 23, 0, 0, 0, -34};
  static constexpr std::array<int, kThreats> enemy{0, -6, -11, -36, -51, -58, -189, 101, 98, 240, -60, 73, 0, -10};
  static constexpr std::array<int, kGrades> made{0, 20, 13, 27, 101, 130, 195, 82, 0, 0, 0, 0, 11, 61, 165, 274};
  static constexpr std::array<int, kGrades> stopped{0,   -26, -18, -40, -24, 10,  45,  54,
                                                    260, 320, 0,   -6,  -13, -15, -30, 59};
  // By the distance from the answer and from the attack before it.
  static constexpr std::array<int, 7> after_answer{0, 112, 115, 137, 140, 54, 54},
      after_attack{0, 5, -19, -7, -20, 0, 0};
  int sum = own[static_cast<int>(board.threat(attacker, m))] + enemy[static_cast<int>(board.threat(~attacker, m))];
  for (int d = 0; d < kDirections; ++d)
    sum += made[board.code(attacker, m) >> 4 * d & 0xf] + stopped[board.code(~attacker, m) >> 4 * d & 0xf];
  const Position& p = board.position();
  const auto near = [&](int back, const std::array<int, 7>& worth) {
    if (p.ply() < back) return 0;
    const Move stone = p.move_at(p.ply() - back);
    const int rows = std::abs(stone / p.width() - m / p.width()), columns = std::abs(stone % p.width() - m % p.width());
    const int distance = std::max(rows, columns);
    return distance < 7 ? worth[distance] : 0;
  };
  return sum + near(1, after_answer) + near(2, after_attack);
}

// From the sum of both: five for each two factors of e in the odds against the attack, beyond three factors.
inline std::uint32_t first_proof_number(int promise) {
  return static_cast<std::uint32_t>(std::clamp((-promise - 300) / 40, 1, 60));
}

}  // namespace tengen

#include "bench/runner/openings.h"

#include <algorithm>
#include <cmath>

#include "rules/position.h"

namespace tengen::bench {

std::vector<Move> random_opening(const Variant& v, Rng& random) {
  Position position(v.width, v.height, v.k, v.rule);
  const int stones = 2 + random.below(8);
  const int margin = std::min(3, (std::min(v.width, v.height) - 1) / 2);
  const int row = margin + random.below(v.height - 2 * margin), col = margin + random.below(v.width - 2 * margin);
  std::vector<Move> moves{static_cast<Move>(row * v.width + col)};
  position.play(moves[0]);
  for (int tries = 0; static_cast<int>(moves.size()) < stones && tries < 1000; ++tries) {
    const Move near = moves[random.below(static_cast<int>(moves.size()))];
    const int r = near / v.width - 2 + random.below(5), c = near % v.width - 2 + random.below(5);
    if (r < 0 || c < 0 || r >= v.height || c >= v.width) continue;
    const auto m = static_cast<Move>(r * v.width + c);
    if (!position.legal(m) || position.makes_five(position.turn(), m)) continue;
    position.play(m);
    moves.push_back(m);
  }
  return moves;
}

bool even(Engine& engine, const std::vector<Move>& opening, std::uint64_t nodes, double bound) {
  for (const std::uint64_t budget : {nodes / 16, nodes}) {
    const tengen_found found = engine.search(opening, {std::max<std::uint64_t>(budget, 100), 0});
    // The cheap look may be twice as far off: it only saves the longer search.
    const double limit = budget == nodes ? bound : 2 * bound;
    if (found.proven || std::abs(std::tanh(found.logit / 2)) >= limit) return false;
  }
  return true;
}

std::vector<int> canonical(const Variant& v, const std::vector<Move>& opening) {
  std::vector<int> best;
  for (int symmetry = 0; symmetry < (v.width == v.height ? 8 : 4); ++symmetry) {
    std::vector<int> stones;
    for (std::size_t i = 0; i < opening.size(); ++i) {
      int r = opening[i] / v.width, c = opening[i] % v.width;
      if (symmetry & 1) r = v.height - 1 - r;
      if (symmetry & 2) c = v.width - 1 - c;
      if (symmetry & 4) std::swap(r, c);
      stones.push_back(2 * (r * v.width + c) + static_cast<int>(i % 2));
    }
    std::sort(stones.begin(), stones.end());
    if (best.empty() || stones < best) best = stones;
  }
  return best;
}

}  // namespace tengen::bench

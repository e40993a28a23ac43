#include "lines/probe.h"

#include <ctime>
#include <vector>

#include "lines/features.h"
#include "rules/rng.h"

namespace tengen {
namespace {

// A random empty cell, near a stone or the centre when there is one; kNoMove when the board is full.
Move random_move(const Position& p, const LineFeatures& features, Rng& rng) {
  std::vector<Move> near, any;
  for (Move m = 0; m < p.cells(); ++m)
    if (p.empty(m)) {
      any.push_back(m);
      if (features.sight(m) && !features.makes_five(p.turn(), m)) near.push_back(m);
    }
  const auto& pool = near.empty() ? any : near;
  return pool.empty() ? kNoMove : pool[rng.below(static_cast<int>(pool.size()))];
}

}  // namespace

bool walk_is_exact(const LineNetwork& network, const ThreatBoard& board, int steps, std::uint64_t seed) {
  Position p = board.position();
  LineFeatures features(network, p), seldom(network, p);
  Rng rng(seed);
  const int base = p.ply();
  for (int i = 0; i < steps; ++i) {
    const bool back = p.ply() > base && (p.won() || p.full() || rng.below(5) < 2);
    if (back) {
      p.undo();
      features.undo();
    } else if (!p.won() && !p.full()) {
      p.play(random_move(p, features, rng));
      features.play(p);
    }
    if (rng.below(3) == 0 && !features.is_ok(p)) return false;
    if (rng.below(6) > 0) continue;
    seldom.follow(p);
    if (rng.below(2) == 0 && !seldom.is_ok(p)) return false;
  }
  return features.is_ok(p);
}

double evaluations_per_second(const LineNetwork& network, const ThreatBoard& start, int evaluations, bool threats) {
  ThreatBoard board = start;
  Position plain = start.position();
  LineFeatures features(network, plain);
  Rng rng(1);
  std::vector<float> scores(plain.cells());
  // Paths are made beforehand: what is measured is play, undo and evaluation.
  struct Path {
    int back;
    std::vector<Move> on;
  };
  std::vector<Path> paths(256);
  const int base = plain.ply();
  for (auto& path : paths) {
    path.back = std::min(1 + rng.below(3), plain.ply() - base);
    for (int i = 0; i < path.back; ++i) plain.undo(), features.undo();
    for (int i = 1 + rng.below(3); i > 0 && plain.ply() - base < 10 && plain.empties() > 2; --i) {
      path.on.push_back(random_move(plain, features, rng));
      plain.play(path.on.back(), false), features.play(plain);
    }
  }
  while (plain.ply() > base) plain.undo(), features.undo();
  float sum = 0;
  double spent = 0;
  for (int done = 0; done < evaluations; done += static_cast<int>(paths.size())) {
    const std::clock_t begin = std::clock();
    for (const auto& path : paths) {
      for (int i = 0; i < path.back; ++i) {
        threats ? board.undo() : plain.undo();
        features.undo();
      }
      for (const Move m : path.on) {
        if (threats)
          board.play(m);
        else
          plain.play(m, false);
        features.play(threats ? board.position() : plain);
      }
      const Position& p = threats ? board.position() : plain;
      sum += features.value(p.turn());
      features.scores(p, scores.data());
      sum += scores[0];
    }
    spent += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    for (const Position& p = threats ? board.position() : plain; p.ply() > base;) {
      threats ? board.undo() : plain.undo();
      features.undo();
    }
  }
  return sum == 12345.678f ? 0 : evaluations / spent;
}

}  // namespace tengen

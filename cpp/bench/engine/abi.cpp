#include "bench/engine/abi.h"

#include <cstdlib>
#include <memory>
#include <string_view>

#include "search/alphabeta.h"
#include "search/evaluate.h"

using namespace tengen;

struct tengen_engine {
  Position start;
  AlphaBeta search;
  Parameters parameters;
  std::uint64_t seed = 0;
  bool changed = false;
};

int tengen_abi() { return TENGEN_ABI; }

int tengen_parameter_count() { return static_cast<int>(kParameters.size()); }

void tengen_parameter_info(int index, tengen_parameter* out) {
  const ParameterInfo& p = kParameters[index];
  *out = {p.name.data(), p.meaning.data(), p.value, p.low, p.high};
}

tengen_engine* tengen_create(int width, int height, int k, int rule, int threads, int hash_megabytes) {
  if (width < 1 || height < 1 || width > kMaxSize || height > kMaxSize || k < kMinK || k > kMaxK || rule < 0 ||
      rule > 3)
    return nullptr;
  return new tengen_engine{Position(width, height, k, static_cast<Rule>(rule)),
                           AlphaBeta(threads, static_cast<std::size_t>(hash_megabytes), 0),
                           {}};
}

void tengen_destroy(tengen_engine* engine) { delete engine; }

void tengen_reset(tengen_engine* engine, std::uint64_t seed) {
  engine->parameters = {};
  engine->seed = seed;
  engine->changed = true;
}

int tengen_set(tengen_engine* engine, const char* name, int value) {
  for (const ParameterInfo& p : kParameters) {
    if (p.name != std::string_view(name)) continue;
    if (value < p.low || value > p.high) return 2;
    engine->parameters.*p.field = value;
    engine->changed = true;
    return 0;
  }
  return 1;
}

void tengen_search(tengen_engine* engine, const std::int16_t* moves, int count, std::uint64_t nodes, double seconds,
                   tengen_found* out) {
  if (engine->changed) engine->search.renew(engine->seed, engine->parameters);
  engine->changed = false;
  Position position = engine->start;
  for (int i = 0; i < count; ++i) position.play(moves[i]);
  engine->search.arm();
  const AlphaBeta::Report report = engine->search.run(ThreatBoard(position), {seconds, nodes, 0}, 1);
  const RootMove& best = report.lines.front();
  const bool proven = std::abs(best.score) > kSureWin;
  const int plies = best.score > 0 ? kMate - best.score : -kMate - best.score;
  *out = {best.move, proven ? plies : 0, proven ? 0.0 : static_cast<double>(best.score) / kEvalUnit, report.nodes,
          report.depth};
}

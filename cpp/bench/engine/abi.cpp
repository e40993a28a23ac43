#include "bench/engine/abi.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "search/alphabeta.h"
#include "search/evaluate.h"

using namespace tengen;

struct tengen_engine {
  Position start;
  AlphaBeta search;
  Parameters parameters;
  std::uint64_t seed = 0;
  bool changed = false;
  std::map<std::string, std::unique_ptr<LineNetwork>> networks{};  // by their files
};

namespace {

std::unique_ptr<LineNetwork> read_network(std::ifstream& file, const Position& board) {
  std::array<std::int32_t, 2> head{};
  file.read(reinterpret_cast<char*>(head.data()), sizeof head);
  const LineShape shape{board.k(), board.rule(), head[0], head[1]};
  if (!shape.fault().empty()) return nullptr;
  std::size_t size = 0;
  for (const LineTensor& t : line_tensors(shape)) size += t.size();
  std::vector<float> weights(size);
  file.read(reinterpret_cast<char*>(weights.data()), static_cast<std::streamsize>(size * sizeof(float)));
  if (!file || file.peek() != std::ifstream::traits_type::eof() || !LineNetwork::fault(shape, weights).empty())
    return nullptr;
  return std::make_unique<LineNetwork>(shape, weights);
}

}  // namespace

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
  engine->search.use(nullptr);
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

int tengen_network(tengen_engine* engine, const char* path) {
  auto& network = engine->networks[path];
  if (!network) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return 1;
    network = read_network(file, engine->start);
  }
  engine->search.use(network.get());
  return network ? 0 : 2;
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

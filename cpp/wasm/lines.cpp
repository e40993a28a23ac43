#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lines/network.h"
#include "lines/tree.h"
#include "wasm/api.h"
#include "wasm/state.h"

using namespace tengen;
using wasm::board, wasm::buffer, wasm::network, wasm::Writer;

namespace {

constexpr double kFrameSeconds = 0.1;

std::vector<std::uint8_t> file;  // the arrays of a network, as its file holds them
float policy_temperature = 1;

// The table and its bias are integers in the file, everything else is floats.
std::vector<float> weights_of(const LineShape& shape) {
  const auto tensors = line_tensors(shape);
  const std::size_t integers = tensors[0].size() + tensors[1].size();
  if (file.size() < 2 * integers || (file.size() - 2 * integers) % 4) return {};
  std::vector<float> weights(integers + (file.size() - 2 * integers) / 4);
  for (std::size_t i = 0; i < integers; ++i) {
    std::int16_t number;
    std::memcpy(&number, file.data() + 2 * i, 2);
    weights[i] = static_cast<float>(number) / kFeatureUnit;
  }
  std::memcpy(weights.data() + integers, file.data() + 2 * integers, file.size() - 2 * integers);
  return weights;
}

std::string taken(const LineShape& shape) {
  if (const std::string fault = shape.fault(); !fault.empty()) return fault;
  const std::vector<float> weights = weights_of(shape);
  if (const std::string fault = LineNetwork::fault(shape, weights); !fault.empty()) return fault;
  network = std::make_shared<const LineNetwork>(shape, weights);
  return "";
}

// The move to play comes first, the others in the tree's order.
void write_report(const LineTree& tree, std::int64_t done, double seconds, int lines) {
  auto shown = tree.tried();
  const Move best = tree.best();
  std::stable_partition(shown.begin(), shown.end(), [&](const LineEdge* e) { return e->move == best; });
  shown.resize(std::min<std::size_t>(lines, shown.size()));
  Writer out;
  out.put(tree.depth());
  out.put_wide(static_cast<std::uint64_t>(done));
  out.put(std::llround(seconds * 1000));
  out.put_double(tree.value());
  out.put(static_cast<std::int64_t>(shown.size()));
  for (const LineEdge* e : shown) {
    const Proof proof = e->proof.load();
    out.put(e->move);
    out.put(proof == Proof::Win ? e->distance + 1 : proof == Proof::Loss ? -(e->distance + 1) : 0);
    out.put_double(e->value());
    out.put(e->visits.load());
    out.put_double(e->prior);
    out.put_list(tree.line(e->move));
  }
}

}  // namespace

std::uint8_t* tengen_network_file(int size) {
  file.assign(static_cast<std::size_t>(size), 0);
  return file.data();
}

int tengen_network(int k, int rule, int channels, int hidden, double temperature) {
  network.reset();
  std::string fault = "there is no such game";
  if (k >= kMinK && k <= kMaxK && rule >= 0 && rule <= static_cast<int>(Rule::Caro))
    fault = taken({k, static_cast<Rule>(rule), channels, hidden});
  file = {};
  policy_temperature = static_cast<float>(temperature);
  Writer out;
  out.put(static_cast<std::int64_t>(fault.size()));
  for (const char c : fault) out.put(c);
  return fault.empty();
}

int tengen_network_fits() {
  return network && network->shape().k == board->position().k() && network->shape().rule == board->position().rule();
}

void tengen_think(double sims, double seconds, int lines, double memory_megabytes) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  const auto most = static_cast<std::int64_t>(sims);
  LineTree tree(*network, *board, {.temperature = policy_temperature, .memory_mb = memory_megabytes});
  std::int64_t done = 0;
  while (tree.proof() == Proof::None && (!most || done < most)) {
    const double left = seconds > 0 ? seconds - spent() : kFrameSeconds;
    done += tree.think({most ? most - done : 0, std::clamp(left, 1e-4, kFrameSeconds), 1, nullptr});
    if (seconds > 0 && spent() >= seconds && tree.best() != kNoMove) break;
    write_report(tree, done, spent(), lines);
    tengen_progress();
  }
  tree.open_root();
  write_report(tree, done, spent(), lines);
}

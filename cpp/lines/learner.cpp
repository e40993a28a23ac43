#include "lines/learner.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

namespace tengen {

LineArrays line_arrays(const LineShape& shape, float* flat) {
  std::map<std::string, float*> at;
  for (const auto& t : line_tensors(shape)) at[t.name] = flat, flat += t.size();
  const std::size_t other = shape.views() - 1;
  LineArrays a{};
  a.table[0] = at["table"];
  a.table[1] = at["table"] + other * shape.windows() * shape.channels;
  a.bias[0] = at["bias"];
  a.bias[1] = at["bias"] + other * shape.channels;
  a.v1 = at["value_1"], a.v1b = at["value_1_bias"], a.v1c = at["value_1_black"];
  a.v2 = at["value_2"], a.v2b = at["value_2_bias"], a.v3 = at["value_3"], a.v3b = at["value_3_bias"];
  a.g1 = at["gate_1"], a.g1b = at["gate_1_bias"], a.g1c = at["gate_1_black"];
  a.g2 = at["gate_2"], a.g2b = at["gate_2_bias"], a.far = at["far"], a.farb = at["far_bias"];
  return a;
}

namespace {

// Spread of a tensor's first values.
float spread(const std::string& name, const LineShape& shape) {
  if (name == "table") return 0.25f;
  if (name == "value_1" || name == "gate_1") return std::sqrt(2.0f / static_cast<float>(shape.row()));
  if (name == "value_2") return std::sqrt(2.0f / static_cast<float>(shape.hidden));
  if (name == "value_3" || name == "gate_2" || name == "far") return 0.1f / std::sqrt(static_cast<float>(shape.hidden));
  return 0;
}

void divide(LineLoss& loss) {
  const double w = std::max(loss.weight, 1e-9);
  loss.policy /= w, loss.value /= w, loss.entropy /= w, loss.error /= w;
}

}  // namespace

LineLearner::LineLearner(const LineShape& shape, std::uint64_t seed) : shape_(shape), scratch_(kLearnScratch) {
  Rng rng(seed);
  for (const auto& t : line_tensors(shape)) {
    const float scale = spread(t.name, shape);
    for (std::size_t i = 0; i < t.size(); ++i)
      weights.push_back(scale > 0 ? scale * static_cast<float>(rng.normal()) : 0.0f);
  }
  const LineArrays a = line_arrays(shape, weights.data());
  for (float* table : a.table) std::fill(table, table + shape.channels, 0.0f);
  average = weights;
  bound();
  mean.assign(weights.size(), 0);
  square.assign(weights.size(), 0);
  gradient_.assign(weights.size(), 0);
}

LineLoss LineLearner::learn(const LinePool& pool, const LearnOptions& o) {
  const LearnKernels& kernels = learn_kernels();
  const LineArrays w = line_arrays(shape_, weights.data()), g = line_arrays(shape_, gradient_.data());
  const auto sample = std::make_unique<LineSample>();
  Rng rng(o.seed);
  LineLoss loss;
  for (int step = 0; step < o.steps; ++step) {
    for (int i = 0; i < o.batch; ++i) {
      pool.draw(rng, o.value_mix, *sample);
      kernels.sample(shape_, w, g, *sample, o.value_weight, scratch_.data(), loss);
    }
    if (!std::isfinite(loss.policy + loss.value)) {
      std::fill(gradient_.begin(), gradient_.end(), 0.0f);
      throw std::runtime_error("the loss is not a number; choose a smaller rate");
    }
    const int counted = static_cast<int>(std::min<std::int64_t>(++steps, 1'000'000));
    // A young average follows closely.
    const float keep = std::min(o.average, static_cast<float>(steps) / static_cast<float>(steps + 10));
    kernels.adam(weights.data(), gradient_.data(), mean.data(), square.data(), average.data(), weights.size(),
                 1.0f / static_cast<float>(o.batch), o.rate, o.decay, keep, counted);
    bound();
  }
  divide(loss);
  return loss;
}

LineLoss LineLearner::measure(const LinePool& pool, int samples, float value_weight, float value_mix,
                              std::uint64_t seed) const {
  Numbers weights_copy = average, gradient(average.size()), scratch(kLearnScratch);
  const LineArrays w = line_arrays(shape_, weights_copy.data()), g = line_arrays(shape_, gradient.data());
  const auto sample = std::make_unique<LineSample>();
  Rng rng(seed);
  LineLoss loss;
  for (int i = 0; i < samples; ++i) {
    pool.draw(rng, value_mix, *sample);
    learn_kernels().sample(shape_, w, g, *sample, value_weight, scratch.data(), loss);
  }
  divide(loss);
  return loss;
}

// What the integers of play can hold.
void LineLearner::bound() {
  const auto tensors = line_tensors(shape_);
  const std::size_t bias = tensors[0].size(), end = bias + tensors[1].size();
  constexpr float kMost = kTableMax - 0.01f;
  for (Numbers* numbers : {&weights, &average}) {
    float* x = numbers->data();
    for (std::size_t i = 0; i < bias; ++i) x[i] = std::clamp(x[i], -kMost, kMost);
    for (std::size_t i = bias; i < end; ++i) x[i] = std::clamp(x[i], -kMost, 0.0f);
  }
}

}  // namespace tengen

#include "lines/network.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "rules/fastmath.h"
#include "rules/refuse.h"

namespace tengen {
namespace {

constexpr int kMaxHidden = 128;

std::int16_t rounded(float x, float unit) { return static_cast<std::int16_t>(std::lrint(x * unit)); }

void rectify(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] = x[i] > 0 ? x[i] : 0;
}

// bias + sum of products, one after the other.
float product(const float* a, const float* b, int n, float bias) {
  for (int i = 0; i < n; ++i) bias += a[i] * b[i];
  return bias;
}

// tanh(x / 2), the same on every processor.
float squash(float x) {
  const float e = fast_exp(x > 0 ? -x : x);
  const float v = (1 - e) / (1 + e);
  return x > 0 ? v : -v;
}

}  // namespace

std::string LineShape::fault() const {
  if (channels != 16 && channels != 32 && channels != 64)
    return "a line network has 16, 32 or 64 channels, not " + std::to_string(channels);
  if (hidden < 16 || hidden > kMaxHidden || hidden % 16)
    return "hidden layers have 16, 32, ... or 128 units, not " + std::to_string(hidden);
  return "";
}

void LineShape::check() const { refuse_fault(fault()); }

std::vector<LineTensor> line_tensors(const LineShape& shape) {
  shape.check();
  const int c = shape.channels, h = shape.hidden, v = shape.views();
  return {{"table", {v, shape.windows(), c}},
          {"bias", {v, c}},
          {"value_1", {2 * c, h}},
          {"value_1_bias", {h}},
          {"value_1_black", {h}},
          {"value_2", {h, h}},
          {"value_2_bias", {h}},
          {"value_3", {h}},
          {"value_3_bias", {1}},
          {"gate_1", {2 * c, h}},
          {"gate_1_bias", {h}},
          {"gate_1_black", {h}},
          {"gate_2", {h, 2 * c}},
          {"gate_2_bias", {2 * c}},
          {"far", {h}},
          {"far_bias", {1}}};
}

std::string LineNetwork::fault(const LineShape& shape, std::span<const float> weights) {
  const auto tensors = line_tensors(shape);
  std::size_t size = 0;
  for (const auto& t : tensors) size += t.size();
  if (weights.size() != size)
    return "this line network has " + std::to_string(size) + " weights, not " + std::to_string(weights.size());
  for (const float w : weights)
    if (!std::isfinite(w)) return "the network holds a weight that is not a number";
  const std::size_t bias = tensors[0].size(), end = bias + tensors[1].size();
  for (std::size_t i = 0; i < end; ++i)
    if (std::abs(weights[i]) > kTableMax) return "the network's table holds a weight out of range";
  for (std::size_t i = bias; i < end; ++i)
    if (weights[i] > 0) return "the network's table has a bias above 0";
  return "";
}

LineNetwork::LineNetwork(const LineShape& shape, std::span<const float> weights, const LineKernels& kernels)
    : shape_(shape), kernels_(&kernels), tensors_(line_tensors(shape)) {
  refuse_fault(fault(shape, weights));
  windows_ = &Windows::get(shape.k, shape.rule);
  const int c = shape.channels, n = windows_->count();
  const float* black = weights.data();
  const float* white = black + (shape.views() - 1) * static_cast<std::size_t>(n) * c;
  table_.assign(static_cast<std::size_t>(n) * row(), 0);
  for (int w = 1; w < n; ++w)
    for (int i = 0; i < c; ++i) {
      table_[static_cast<std::size_t>(w) * row() + i] =
          rounded(black[static_cast<std::size_t>(w) * c + i], kFeatureUnit);
      table_[static_cast<std::size_t>(w) * row() + c + i] = rounded(
          white[static_cast<std::size_t>(windows_->swapped(static_cast<std::uint16_t>(w))) * c + i], kFeatureUnit);
    }
  const float* bias = black + tensors_[0].size();
  bias_.resize(row());
  for (int i = 0; i < c; ++i) {
    bias_[i] = rounded(bias[i], kFeatureUnit);
    bias_[c + i] = rounded(bias[(shape.views() - 1) * c + i], kFeatureUnit);
  }
  heads_.assign(bias + tensors_[1].size(), weights.data() + weights.size());
  v1_ = at("value_1"), v1b_ = at("value_1_bias"), v1c_ = at("value_1_black");
  v2_ = at("value_2"), v2b_ = at("value_2_bias"), v3_ = at("value_3"), v3b_ = at("value_3_bias");
  g1_ = at("gate_1"), g1b_ = at("gate_1_bias"), g1c_ = at("gate_1_black");
  g2_ = at("gate_2"), g2b_ = at("gate_2_bias"), far_ = at("far"), farb_ = at("far_bias");
}

const float* LineNetwork::at(const char* name) const {
  std::size_t offset = 0;
  for (std::size_t i = 2; i < tensors_.size(); offset += tensors_[i++].size())
    if (tensors_[i].name == name) return heads_.data() + offset;
  refuse(name);
}

// The first layer of a head, for the side to move.
void LineNetwork::head(const std::int32_t* sums, Color turn, const float* weights, const float* bias,
                       const float* black, float* out) const {
  const int c = shape_.channels, h = shape_.hidden;
  alignas(64) float in[kMaxRow], start[kMaxHidden];
  const std::int32_t* own = sums + (turn == Color::Black ? 0 : c);
  const std::int32_t* other = sums + (turn == Color::Black ? c : 0);
  constexpr float kScale = 1.0f / (kFeatureUnit * kSumScale);
  for (int i = 0; i < c; ++i)
    in[i] = static_cast<float>(own[i]) * kScale, in[c + i] = static_cast<float>(other[i]) * kScale;
  for (int i = 0; i < h; ++i) start[i] = turn == Color::Black ? bias[i] + black[i] : bias[i];
  kernels_->dense(in, 2 * c, weights, start, h, out);
  rectify(out, h);
}

float LineNetwork::logit(const std::int32_t* sums, Color turn) const {
  const int h = shape_.hidden;
  alignas(64) float a[kMaxHidden], b[kMaxHidden];
  head(sums, turn, v1_, v1b_, v1c_, a);
  kernels_->dense(a, h, v2_, v2b_, h, b);
  rectify(b, h);
  return product(b, v3_, h, v3b_[0]);
}

float LineNetwork::value(const std::int32_t* sums, Color turn) const { return squash(logit(sums, turn)); }

void LineNetwork::gate(const std::int32_t* sums, Color turn, LineGate& out) const {
  const int c = shape_.channels, h = shape_.hidden;
  alignas(64) float a[kMaxHidden], g[kMaxRow];
  head(sums, turn, g1_, g1b_, g1c_, a);
  kernels_->dense(a, h, g2_, g2b_, 2 * c, g);
  const int own = turn == Color::Black ? 0 : c;
  for (int i = 0; i < 2 * c; ++i) {
    const float x = std::clamp(g[i] * kGateUnit, -static_cast<float>(kGateMax), static_cast<float>(kGateMax));
    out.weights[i < c ? own + i : i - own] = static_cast<std::int16_t>(std::lrint(x));
  }
  out.far = product(a, far_, h, farb_[0]);
}

}  // namespace tengen

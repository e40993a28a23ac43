// Conversions shared by the bindings of the line network.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <stdexcept>
#include <string>

#include "lines/network.h"
#include "lines/samples.h"
#include "lines/tree.h"
#include "rules/names.h"
#include "rules/position.h"
#include "search.h"

namespace tengen {

using Flat = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline LineShape line_shape(int k, const std::string& rule, int channels, int hidden) {
  if (k < kMinK || k > kMaxK) throw std::invalid_argument("k must be 3 to 6");
  const LineShape shape{k, rule_from_name(rule), channels, hidden};
  shape.check();
  return shape;
}

inline void check_fits(const LineNetwork& net, const Position& p) {
  if (net.shape().k != p.k() || net.shape().rule != p.rule())
    throw std::invalid_argument("the network was made for another game");
}

// Takes `key` out of a copy of the settings into `field`, when it is there.
template <class T>
void take_setting(nb::dict& left, const char* key, T& field) {
  if (!left.contains(key)) return;
  try {
    field = nb::cast<T>(nb::object(left[key]));
  } catch (const nb::cast_error&) {
    throw std::invalid_argument(std::string("option ") + key + " has a value of the wrong type");
  }
  nb::del(left[key]);
}

inline void refuse_settings_left(const nb::dict& left) {
  for (auto [key, value] : left)
    throw std::invalid_argument("unknown option '" + nb::cast<std::string>(key) + "' of the line search");
}

void take_search_settings(nb::dict& left, LineSearchOptions& options);

}  // namespace tengen

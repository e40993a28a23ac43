#include "search.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace tengen {

namespace {

// One row per field: how Python writes it and reads it.
struct Field {
  std::function<void(SearchOptions&, nb::handle)> set;
  std::function<nb::object(const SearchOptions&)> get;
};

template <class T>
Field field(T SearchOptions::* member) {
  return {[member](SearchOptions& o, nb::handle value) { o.*member = nb::cast<T>(value); },
          [member](const SearchOptions& o) { return nb::cast(o.*member); }};
}

void set_formula(SearchOptions& o, nb::handle value) {
  const auto name = nb::cast<std::string>(value);
  if (name != "puct" && name != "printed")
    throw std::invalid_argument("unknown formula '" + name + "'; choose puct or printed");
  o.formula = name == "puct" ? Formula::Puct : Formula::Printed;
}

nb::object get_formula(const SearchOptions& o) { return nb::cast(o.formula == Formula::Puct ? "puct" : "printed"); }

const std::map<std::string, Field>& option_fields() {
  using O = SearchOptions;
  static const std::map<std::string, Field> table = {
      {"sims", field(&O::sims)},
      {"c_puct", field(&O::c_puct)},
      {"formula", {set_formula, get_formula}},
      {"fpu", field(&O::fpu)},
      {"fpu_zero", field(&O::fpu_zero)},
      {"gumbel", field(&O::gumbel)},
      {"gumbel_considered", field(&O::gumbel_considered)},
      {"gumbel_scale", field(&O::gumbel_scale)},
      {"c_visit", field(&O::c_visit)},
      {"c_scale", field(&O::c_scale)},
      {"noise_alpha", field(&O::noise_alpha)},
      {"noise_fraction", field(&O::noise_fraction)},
      {"temperature", field(&O::temperature)},
      {"temperature_moves", field(&O::temperature_moves)},
      {"random_move", field(&O::random_move)},
      {"solver", field(&O::solver)},
      {"vcf_nodes", field(&O::vcf_nodes)},
      {"resign_proven", field(&O::resign_proven)},
      {"opening_moves_min", field(&O::opening_moves_min)},
      {"opening_moves_max", field(&O::opening_moves_max)},
      {"opening_tries", field(&O::opening_tries)},
      {"reuse_tree", field(&O::reuse_tree)},
      {"fast_fraction", field(&O::fast_fraction)},
      {"fast_sims", field(&O::fast_sims)},
      {"cache_size", field(&O::cache_size)},
      {"random_symmetry", field(&O::random_symmetry)},
  };
  return table;
}

[[noreturn]] void unknown_option(const std::string& key) {
  std::string known;
  for (const auto& [name, _] : option_fields()) known += (known.empty() ? "" : ", ") + name;
  throw std::invalid_argument("unknown search option '" + key + "'; the options are " + known);
}

}  // namespace

Encoding encoding_from_name(const std::string& name) {
  if (name == "stones") return Encoding::Stones;
  if (name == "shapes") return Encoding::Shapes;
  throw std::invalid_argument("unknown encoding '" + name + "'; choose stones or shapes");
}

SearchOptions options_from_dict(const Dict& values) {
  SearchOptions options;
  for (auto [key, value] : values) {
    const auto name = nb::cast<std::string>(key);
    const auto found = option_fields().find(name);
    if (found == option_fields().end()) unknown_option(name);
    try {
      found->second.set(options, value);
    } catch (const nb::cast_error&) {
      throw std::invalid_argument("search option " + name + " has a value of the wrong type");
    }
  }
  if (options.sims < 1) throw std::invalid_argument("sims must be at least 1");
  if (options.fast_sims < 1) throw std::invalid_argument("fast_sims must be at least 1");
  if (options.gumbel_considered < 1) throw std::invalid_argument("gumbel_considered must be at least 1");
  if (options.noise_alpha <= 0) throw std::invalid_argument("noise_alpha must be above 0");
  if (options.opening_moves_max < options.opening_moves_min)
    throw std::invalid_argument("opening_moves_max is smaller than opening_moves_min");
  return options;
}

Dict option_defaults() {
  const SearchOptions options;
  Dict values;
  for (const auto& [name, field] : option_fields()) values[name.c_str()] = field.get(options);
  return values;
}

void check_planes(const Planes& planes, Encoding encoding, int height, int width, std::size_t least) {
  const bool fits = planes.shape(0) >= least && planes.shape(1) == static_cast<std::size_t>(tengen::planes(encoding)) &&
                    planes.shape(2) == static_cast<std::size_t>(height) &&
                    planes.shape(3) == static_cast<std::size_t>(width);
  if (!fits)
    throw std::invalid_argument("planes must have shape [" + std::to_string(least) + " or more, " +
                                std::to_string(tengen::planes(encoding)) + ", " + std::to_string(height) + ", " +
                                std::to_string(width) + "]");
}

void check_answers(const Rows& logits, const Values& values, std::size_t leaves, std::size_t cells) {
  if (logits.shape(0) != leaves || logits.shape(1) != cells || values.shape(0) != leaves)
    throw std::invalid_argument("expected policy [" + std::to_string(leaves) + ", " + std::to_string(cells) +
                                "] and value [" + std::to_string(leaves) + "]");
  const auto finite = [](const float* from, std::size_t count) {
    return std::all_of(from, from + count, [](float x) { return std::isfinite(x); });
  };
  if (!finite(logits.data(), leaves * cells) || !finite(values.data(), leaves))
    throw std::invalid_argument("the network answered with a number that is not finite");
}

}  // namespace tengen

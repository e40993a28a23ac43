#include "search.h"

#include <nanobind/stl/string.h>

#include <functional>
#include <map>

namespace tengen {

namespace {

using Setter = std::function<void(SearchOptions&, nb::handle)>;

template <class T>
Setter field(T SearchOptions::* member) {
  return [member](SearchOptions& o, nb::handle value) { o.*member = nb::cast<T>(value); };
}

void set_formula(SearchOptions& o, nb::handle value) {
  const auto name = nb::cast<std::string>(value);
  if (name != "puct" && name != "printed")
    throw std::invalid_argument("unknown formula '" + name + "'; choose puct or printed");
  o.formula = name == "puct" ? Formula::Puct : Formula::Printed;
}

const std::map<std::string, Setter>& setters() {
  using O = SearchOptions;
  static const std::map<std::string, Setter> table = {
      {"sims", field(&O::sims)},
      {"c_puct", field(&O::c_puct)},
      {"formula", set_formula},
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
  for (const auto& [name, _] : setters()) known += (known.empty() ? "" : ", ") + name;
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
    const auto setter = setters().find(name);
    if (setter == setters().end()) unknown_option(name);
    try {
      setter->second(options, value);
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
}

}  // namespace tengen

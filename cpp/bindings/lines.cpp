#include "lines.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "board.h"
#include "lines/features.h"
#include "lines/network.h"
#include "lines/probe.h"

namespace nb = nanobind;
using namespace tengen;

namespace {

const LineKernels& kernels_named(const std::string& name) {
  if (name.empty()) return line_kernels();
  std::string known;
  for (const auto* k : all_line_kernels()) {
    if (k->name == name) return *k;
    known += (known.empty() ? "" : ", ") + std::string(k->name);
  }
  throw std::invalid_argument("no kernels '" + name + "' on this processor; there are " + known);
}

std::pair<nb::ndarray<nb::numpy, float>, float> evaluate(const LineNetwork& net, const BoardHandle& h) {
  const Position& p = h.board.position();
  check_fits(net, p);
  LineFeatures features(net, p);
  std::vector<float> scores(p.cells());
  features.scores(p, scores.data());
  const std::size_t cells = scores.size();
  return {to_numpy(scores, {cells}), features.value(p.turn())};
}

std::vector<std::pair<std::string, std::vector<int>>> tensors(int k, const std::string& rule, int channels,
                                                              int hidden) {
  std::vector<std::pair<std::string, std::vector<int>>> out;
  for (const auto& t : line_tensors(line_shape(k, rule, channels, hidden))) out.emplace_back(t.name, t.extents);
  return out;
}

nb::ndarray<nb::numpy, std::uint16_t> sights(const BoardHandle& h, bool swapped) {
  const Position& p = h.board.position();
  const Windows& windows = Windows::get(p.k(), p.rule());
  std::vector<std::uint16_t> out(static_cast<std::size_t>(p.cells()) * kDirections);
  for (Move m = 0; m < p.cells(); ++m)
    for (int d = 0; d < kDirections && p.empty(m); ++d) {
      const auto w = windows.number(p.window(m, d));
      out[m * kDirections + d] = swapped ? windows.swapped(w) : w;
    }
  return to_numpy(out, {static_cast<std::size_t>(p.cells()), kDirections});
}

}  // namespace

void bind_lines(nb::module_& m) {
  nb::class_<LineNetwork>(m, "LineNetwork", "A line network: evaluated incrementally, in integers.")
      .def(
          "__init__",
          [](LineNetwork* self, int k, const std::string& rule, int channels, int hidden, Flat weights,
             const std::string& kernels) {
            new (self) LineNetwork(line_shape(k, rule, channels, hidden), {weights.data(), weights.size()},
                                   kernels_named(kernels));
          },
          nb::arg("k"), nb::arg("rule"), nb::arg("channels"), nb::arg("hidden"), nb::arg("weights"),
          nb::arg("kernels") = "")
      .def("evaluate", &evaluate, nb::arg("board"), "Move scores of every cell and the value for the side to move.")
      .def_prop_ro("kernels", [](const LineNetwork& net) { return std::string(net.kernels().name); });
  m.def("line_tensors", &tensors, nb::arg("k"), nb::arg("rule"), nb::arg("channels"), nb::arg("hidden"),
        "Names and extents of a line network's arrays, in the order of its flat weights.");
  m.def("line_sights", &sights, nb::arg("board"), nb::arg("swapped") = false,
        "Window numbers [cells, 4] of the empty cells, 0 for taken ones; `swapped` with the colours exchanged.");
  m.def(
      "line_kernels",
      [] {
        std::vector<std::string> names;
        for (const auto* k : all_line_kernels()) names.emplace_back(k->name);
        return names;
      },
      "The versions of the inner loops that this processor runs, plainest first.");
  m.def(
      "line_walk_is_exact",
      [](const LineNetwork& net, const BoardHandle& h, int steps, std::uint64_t seed) {
        check_fits(net, h.board.position());
        return walk_is_exact(net, h.board, steps, seed);
      },
      nb::arg("network"), nb::arg("board"), nb::arg("steps"), nb::arg("seed"),
      "Random moves and undos: the sums always equal those of a fresh computation.");
  m.def(
      "line_speed",
      [](const LineNetwork& net, const BoardHandle& h, int evaluations, bool threats) {
        check_fits(net, h.board.position());
        nb::gil_scoped_release release;
        return evaluations_per_second(net, h.board, evaluations, threats);
      },
      nb::arg("network"), nb::arg("board"), nb::arg("evaluations"), nb::arg("threats"),
      "Evaluations a second along the paths of a tree.");
}

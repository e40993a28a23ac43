#include "search/minimax.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "board.h"

namespace nb = nanobind;
using namespace tengen;

void bind_minimax(nb::module_& m) {
  nb::class_<Minimax::Result>(m, "MinimaxResult")
      .def_ro("move", &Minimax::Result::move)
      .def_ro("score", &Minimax::Result::score)
      .def_ro("depth", &Minimax::Result::depth)
      .def_ro("nodes", &Minimax::Result::nodes)
      .def_ro("pv", &Minimax::Result::pv);
  nb::class_<Minimax>(m, "Minimax")
      .def(
          "__init__",
          [](Minimax* self, const BoardHandle& h, std::uint64_t seed) { new (self) Minimax(h.board.position(), seed); },
          nb::arg("board"), nb::arg("seed"))
      .def(
          "run",
          [](Minimax& self, double seconds, std::uint64_t nodes, int depth) {
            return self.run({seconds, nodes, depth});
          },
          nb::arg("seconds"), nb::arg("nodes"), nb::arg("depth"), nb::call_guard<nb::gil_scoped_release>(),
          "0 seconds or nodes: no such limit.")
      .def("stop", &Minimax::stop);
  m.def(
      "minimax_evaluate",
      [](const BoardHandle& h) { return Minimax::evaluate(h.board.position(), LineSums(h.board.position()).total()); },
      "Worth of the shapes on the board for the side to move.");
}

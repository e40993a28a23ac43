#include "search/alphabeta.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "board.h"
#include "lines.h"
#include "search/clock.h"
#include "search/evaluate.h"

namespace nb = nanobind;
using namespace tengen;

namespace {

int static_evaluation(const BoardHandle& h) {
  ThreatBoard board = h.board;
  const Evaluation& evaluation = Evaluation::get(board.position().rule());
  evaluation.weigh(board);
  return evaluation(board);
}

}  // namespace

void bind_alphabeta(nb::module_& m) {
  nb::class_<RootMove>(m, "AlphaBetaLine")
      .def_ro("move", &RootMove::move)
      .def_ro("score", &RootMove::score)
      .def_ro("pv", &RootMove::pv);
  nb::class_<AlphaBeta::Report>(m, "AlphaBetaReport")
      .def_ro("lines", &AlphaBeta::Report::lines)
      .def_ro("depth", &AlphaBeta::Report::depth)
      .def_ro("selective_depth", &AlphaBeta::Report::selective_depth)
      .def_ro("nodes", &AlphaBeta::Report::nodes)
      .def_ro("seconds", &AlphaBeta::Report::seconds);
  nb::class_<AlphaBeta>(m, "AlphaBeta")
      .def(nb::init<int, std::size_t, std::uint64_t>(), nb::arg("threads"), nb::arg("hash_mb"), nb::arg("seed"))
      .def("arm", &AlphaBeta::arm, "Call before each run; from then on stop() ends it.")
      .def(
          "run",
          [](AlphaBeta& self, const BoardHandle& h, double seconds, std::uint64_t nodes, int depth, int lines,
             double soft) {
            if (self.network()) check_fits(*self.network(), h.board.position());
            return self.run(h.board, {seconds, nodes, depth, soft}, lines);
          },
          nb::arg("board"), nb::arg("seconds"), nb::arg("nodes"), nb::arg("depth"), nb::arg("lines"),
          nb::arg("soft") = 0.0, nb::call_guard<nb::gil_scoped_release>(),
          "0 seconds, nodes or depth: no such limit. After `soft` seconds, more or less, a search that is sure ends.")
      .def("use", &AlphaBeta::use, nb::arg("network").none(), nb::keep_alive<1, 2>(),
           "From the next run on this line network values positions, whose rule and k must be its own; None: the "
           "tables.")
      .def("snapshot", &AlphaBeta::snapshot, nb::call_guard<nb::gil_scoped_release>())
      .def("stop", &AlphaBeta::stop)
      .def("clear", &AlphaBeta::clear);
  m.attr("ALPHABETA_MATE") = kMate;
  m.attr("ALPHABETA_SURE_WIN") = kSureWin;
  m.def("evaluate", &static_evaluation, nb::arg("board"),
        "For the side to move; neither side may be able to make five.");
  const auto clock = [](auto policy) {
    return [policy](std::optional<double> turn, std::optional<double> left, int stones, int cells, double increment) {
      return policy({turn, left, stones, cells, increment});
    };
  };
  m.def("clock_budget", clock(&clock_budget), nb::arg("turn").none(), nb::arg("left").none(), nb::arg("stones"),
        nb::arg("cells"), nb::arg("increment") = 0.0);
  m.def("clock_stretched", clock(&clock_stretched), nb::arg("turn").none(), nb::arg("left").none(), nb::arg("stones"),
        nb::arg("cells"), nb::arg("increment") = 0.0);
  m.attr("CLOCK_SAFETY") = kClockSafety;
  m.attr("CLOCK_LEAST") = kClockLeast;
  m.attr("CLOCK_OVERHEAD") = kClockOverhead;
  m.def("expected_result", &expected_result, nb::arg("evaluation"));
}

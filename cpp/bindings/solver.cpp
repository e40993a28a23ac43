#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "board.h"
#include "solve/defences.h"
#include "solve/vcf.h"
#include "solve/vct.h"

namespace nb = nanobind;
using namespace tengen;

namespace {

Color side_of(int attacker) {
  if (attacker != 0 && attacker != 1) throw std::invalid_argument("attacker is 0 for black or 1 for white");
  return static_cast<Color>(attacker);
}

// A search that Python keeps, so that its table and buffers are made once.
struct VcfHandle {
  Vcf vcf;
  std::atomic<bool> stop{false};
  std::mutex one_at_a_time;

  explicit VcfHandle(std::size_t hash_entries) : vcf(hash_entries) {}

  VcfResult solve(const BoardHandle& h, int attacker, std::int64_t nodes, double seconds) {
    const Color side = side_of(attacker);
    const nb::gil_scoped_release release;
    const std::lock_guard lock(one_at_a_time);
    stop = false;
    ThreatBoard board = h.board;
    return vcf.solve(board, side, {.nodes = nodes, .seconds = seconds, .stop = &stop});
  }
};

struct VctHandle {
  Vct vct;
  std::atomic<bool> stop{false};
  std::mutex one_at_a_time;

  VctHandle(std::size_t max_positions, std::size_t vcf_entries) : vct(max_positions, vcf_entries) {}

  VctResult solve(const BoardHandle& h, int attacker, std::int64_t nodes, double seconds, std::int64_t vcf_nodes) {
    const Color side = side_of(attacker);
    const nb::gil_scoped_release release;
    const std::lock_guard lock(one_at_a_time);
    stop = false;
    ThreatBoard board = h.board;
    return vct.solve(board, side, {.nodes = nodes, .seconds = seconds, .stop = &stop, .vcf_nodes = vcf_nodes});
  }

  nb::list tree() const {
    nb::list nodes;
    for (const WinNode& node : vct.tree()) {
      nb::dict answers;
      for (const auto& answer : node.answers) answers[nb::int_(answer.move)] = answer.node;
      nodes.append(nb::make_tuple(node.fours, node.attack, node.threat, answers));
    }
    return nodes;
  }
};

// The defender's cells that may stop a win by fours; empty when `line` does not win here.
std::vector<Move> stopping_cells(const BoardHandle& h, int attacker, const std::vector<Move>& line) {
  ThreatBoard board = h.board;
  const Color side = static_cast<Color>(attacker);
  const bool turned = board.turn() != side;
  if (turned) board.pass();
  Vcf vcf(std::size_t{1} << 10);
  LineWalk walk(board, side, vcf);
  std::vector<Move> cells;
  if (walk.check(line)) walk.cells().each([&](Move m) { cells.push_back(m); });
  return cells;
}

}  // namespace

void bind_solver(nb::module_& m) {
  nb::class_<VcfResult>(m, "VcfResult")
      .def_ro("win", &VcfResult::win)
      .def_ro("exhausted", &VcfResult::exhausted, "No win, and every sequence of fours was tried.")
      .def_ro("nodes", &VcfResult::nodes);
  nb::class_<VcfHandle>(m, "Vcf")
      .def(nb::init<std::size_t>(), nb::arg("hash_entries") = std::size_t{1} << 16)
      .def("solve", &VcfHandle::solve, nb::arg("board"), nb::arg("attacker"), nb::arg("nodes"),
           nb::arg("seconds") = 0.0)
      .def(
          "line", [](const VcfHandle& h) { return h.vcf.line(); }, "Attack, answer, attack ... of the last win.")
      .def(
          "stop", [](VcfHandle& h) { h.stop = true; }, "Ends a solve that runs in another thread.")
      .def("clear", [](VcfHandle& h) { h.vcf.clear(); });
  nb::class_<VctResult>(m, "VctResult")
      .def_ro("win", &VctResult::win)
      .def_ro("exhausted", &VctResult::exhausted, "No win by the threats considered, and nothing was cut off.")
      .def_ro("nodes", &VctResult::nodes);
  nb::class_<VctHandle>(m, "Vct")
      .def(nb::init<std::size_t, std::size_t>(), nb::arg("max_positions") = std::size_t{1} << 20,
           nb::arg("vcf_entries") = std::size_t{1} << 18)
      .def("solve", &VctHandle::solve, nb::arg("board"), nb::arg("attacker"), nb::arg("nodes"),
           nb::arg("seconds") = 0.0, nb::arg("vcf_nodes") = 2000)
      .def(
          "line", [](const VctHandle& h) { return h.vct.line(); }, "The win along the longest defence.")
      .def("tree", &VctHandle::tree,
           nb::sig("def tree(self) -> list[tuple[list[int], int, list[int], dict[int, int]]]"),
           "Nodes of the proof, root first: (fours, attack, threat, {answer: node}).")
      .def("stop", [](VctHandle& h) { h.stop = true; }, "Ends a solve that runs in another thread.");
  m.def("stopping_cells", &stopping_cells, nb::arg("board"), nb::arg("attacker"), nb::arg("line"),
        "Cells where a stone of the defender may stop this win by fours; no other can.");
}

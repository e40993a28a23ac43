#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <vector>

#include "board.h"
#include "vcf.h"

namespace nb = nanobind;
using namespace tengen;

namespace {

// A search that Python keeps, so that its table and buffers are made once.
struct VcfHandle {
  Vcf vcf;
  std::atomic<bool> stop{false};

  explicit VcfHandle(std::size_t hash_entries) : vcf(hash_entries) {}

  VcfResult solve(const BoardHandle& h, int attacker, std::int64_t nodes, double seconds) {
    const nb::gil_scoped_release release;
    stop = false;
    ThreatBoard board = h.board;
    return vcf.solve(board, static_cast<Color>(attacker), {.nodes = nodes, .seconds = seconds, .stop = &stop});
  }
};

}  // namespace

void bind_solver(nb::module_& m) {
  nb::class_<VcfResult>(m, "VcfResult")
      .def_ro("win", &VcfResult::win)
      .def_ro("exhausted", &VcfResult::exhausted, "No win, and every sequence of fours was tried.")
      .def_ro("nodes", &VcfResult::nodes);
  nb::class_<VcfHandle>(m, "Vcf")
      .def(nb::init<std::size_t>(), nb::arg("hash_entries") = std::size_t{1} << 16)
      .def("solve", &VcfHandle::solve, nb::arg("board"), nb::arg("attacker"), nb::arg("nodes"), nb::arg("seconds") = 0.0)
      .def("line", [](const VcfHandle& h) { return h.vcf.line(); }, "Attack, answer, attack ... of the last win.")
      .def("stop", [](VcfHandle& h) { h.stop = true; }, "Ends a solve that runs in another thread.")
      .def("clear", [](VcfHandle& h) { h.vcf.clear(); });
}

#include "search/person.h"

#include <nanobind/nanobind.h>

#include "board.h"

namespace nb = nanobind;
using namespace tengen;

void bind_person(nb::module_& m) {
  nb::class_<Person::Choice>(m, "PersonChoice")
      .def_ro("move", &Person::Choice::move)
      .def_ro("nodes", &Person::Choice::nodes);
  nb::class_<Person>(m, "Person")
      .def(
          "__init__",
          [](Person* self, double sees, double reads, int nodes, std::uint64_t seed) {
            new (self) Person({sees, reads, nodes}, seed);
          },
          nb::arg("sees"), nb::arg("reads"), nb::arg("nodes"), nb::arg("seed"))
      .def(
          "choose",
          [](Person& self, const BoardHandle& h, double seconds, std::uint64_t nodes) {
            return self.choose(h.board, {seconds, nodes, 0});
          },
          nb::arg("board"), nb::arg("seconds"), nb::arg("nodes"), nb::call_guard<nb::gil_scoped_release>(),
          "0 seconds or nodes: no such limit.");
}

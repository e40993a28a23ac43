#include <nanobind/nanobind.h>

#include "bench/yardstick.h"

namespace nb = nanobind;
using namespace tengen;

void bind_bench(nb::module_& m) {
  m.def("reference_rounds_per_second", &reference_rounds_per_second, nb::arg("seconds"),
        nb::call_guard<nb::gil_scoped_release>());
  m.def("vcf_nps", &vcf_nps, nb::arg("seconds"), nb::call_guard<nb::gil_scoped_release>(),
        "Nodes per second of the search for continuous fours on fixed positions.");
}

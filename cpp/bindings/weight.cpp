#include "search/weight.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "board.h"

namespace nb = nanobind;
using namespace tengen;

void bind_weight(nb::module_& m) {
  m.def(
      "weight_moves", [](const BoardHandle& h) { return weight_moves(h.board); }, nb::arg("board"),
      "Cells of the largest sum in the score table.");
}

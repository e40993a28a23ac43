#include "search/greedy.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "board.h"

namespace nb = nanobind;
using namespace tengen;

void bind_greedy(nb::module_& m) {
  m.def(
      "greedy_moves",
      [](const BoardHandle& h) {
        std::vector<Move> moves;
        greedy_moves(h.board, moves);
        return moves;
      },
      nb::arg("board"), "Cells of the greedy rule's first non-empty layer.");
}

#include "board.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "rules/names.h"

namespace nb = nanobind;
using namespace tengen;

namespace {

using Moves = std::vector<Move>;

Moves moves_of(const Position& p) {
  Moves moves;
  for (int i = 0; i < p.ply(); ++i) moves.push_back(p.move_at(i));
  return moves;
}

Moves legal_moves(const BoardHandle& h) {
  const Position& p = h.board.position();
  Moves moves;
  for (int m = 0; m < p.cells(); ++m)
    if (p.legal(static_cast<Move>(m))) moves.push_back(static_cast<Move>(m));
  return moves;
}

std::map<int, std::string> forbidden_cells(const BoardHandle& h) {
  std::map<int, std::string> reasons;
  if (h.board.turn() == Color::Black)
    h.board.doubtful().each([&](Move m) {
      const auto why = h.board.position().forbidden(Color::Black, m);
      if (why != Forbidden::No) reasons[m] = forbidden_name(why);
    });
  return reasons;
}

// Any number of stones, but nobody may have five already.
void set_up(BoardHandle& h, const Moves& black, const Moves& white, bool black_to_move) {
  const Position& old = h.board.position();
  if (old.stones()) throw std::invalid_argument("a position is set up on an empty board");
  Position p(old.width(), old.height(), old.k(), old.rule());
  for (Color c : {Color::Black, Color::White})
    for (Move m : c == Color::Black ? black : white) {
      if (m < 0 || m >= p.cells()) throw std::invalid_argument("a stone is off the board");
      if (!p.empty(m)) throw std::invalid_argument("two stones share a cell");
      p.place(m, c);
    }
  if (p.holds_five()) throw std::invalid_argument("the position already holds a five");
  p.set_turn(black_to_move ? Color::Black : Color::White);
  h.board = ThreatBoard(p);
}

Moves cells_of(const BoardHandle& h, int color, int group) {
  Moves moves;
  h.board.cells(static_cast<Color>(color), static_cast<Group>(group)).each([&](Move m) { moves.push_back(m); });
  return moves;
}

std::vector<int> shapes_of(const BoardHandle& h, int color, int move) {
  std::vector<int> shapes;
  for (int d = 0; d < kDirections; ++d)
    shapes.push_back(static_cast<int>(h.board.shape(static_cast<Color>(color), static_cast<Move>(move), d)));
  return shapes;
}

// How often a second a stone can be played and taken back at each empty cell in turn.
double moves_per_second(const BoardHandle& h, double seconds) {
  using Clock = std::chrono::steady_clock;
  ThreatBoard board = h.board;
  long pairs = 0;
  const auto start = Clock::now();
  std::chrono::duration<double> spent{};
  do {
    for (int m = 0; m < board.position().cells(); ++m)
      if (board.position().empty(static_cast<Move>(m))) {
        board.play(static_cast<Move>(m));
        board.undo();
        ++pairs;
      }
    spent = Clock::now() - start;
  } while (spent.count() < seconds);
  return static_cast<double>(pairs) / spent.count();
}

}  // namespace

void bind_board(nb::module_& m) {
  nb::class_<BoardHandle>(m, "Board")
      .def("__init__",
           [](BoardHandle* self, int width, int height, int k, const std::string& rule) {
             new (self) BoardHandle{ThreatBoard(Position(width, height, k, rule_from_name(rule)))};
           },
           nb::arg("width"), nb::arg("height"), nb::arg("k"), nb::arg("rule"))
      .def_prop_ro("width", [](const BoardHandle& h) { return h.board.position().width(); })
      .def_prop_ro("height", [](const BoardHandle& h) { return h.board.position().height(); })
      .def_prop_ro("k", [](const BoardHandle& h) { return h.board.position().k(); })
      .def_prop_ro("turn", [](const BoardHandle& h) { return index(h.board.turn()); })
      .def_prop_ro("key", [](const BoardHandle& h) { return h.board.position().key(); })
      .def_prop_ro("ply", [](const BoardHandle& h) { return h.board.position().ply(); })
      .def_prop_ro("stones", [](const BoardHandle& h) { return h.board.position().stones(); })
      .def_prop_ro("moves", [](const BoardHandle& h) { return moves_of(h.board.position()); })
      .def_prop_ro("won", [](const BoardHandle& h) { return h.board.position().won(); })
      .def_prop_ro("over", [](const BoardHandle& h) { return h.board.over(); })
      .def("winning_line", [](const BoardHandle& h) { return h.board.position().winning_line(); })
      .def("at",
           [](const BoardHandle& h, int move) {
             const Position& p = h.board.position();
             const auto m = static_cast<Move>(move);
             return p.empty(m) ? 2 : p.holds(m, Color::Black) ? 0 : 1;
           })
      .def("play", [](BoardHandle& h, int move) { h.board.play(static_cast<Move>(move)); })
      .def("undo",
           [](BoardHandle& h) {
             const Move last = h.board.position().last();
             h.board.undo();
             return last;
           })
      .def("legal", [](const BoardHandle& h, int move) { return h.board.position().legal(static_cast<Move>(move)); })
      .def("legal_moves", &legal_moves)
      .def("forbidden_cells", &forbidden_cells)
      .def("forbidden_reason",
           [](const BoardHandle& h, int move) {
             return forbidden_name(h.board.position().forbidden(h.board.turn(), static_cast<Move>(move)));
           },
           "Empty when the side to move may play there.")
      .def("set_up", &set_up, nb::arg("black"), nb::arg("white"), nb::arg("black_to_move"))
      .def("copy", [](const BoardHandle& h) { return h; })
      .def("shapes", &shapes_of, nb::arg("color"), nb::arg("move"), "Shape numbers along the four directions.")
      .def("threat",
           [](const BoardHandle& h, int color, int move) {
             return static_cast<int>(h.board.threat(static_cast<Color>(color), static_cast<Move>(move)));
           })
      .def("cells_with", &cells_of, nb::arg("color"), nb::arg("group"), "Cells that make five (0), four (1), three (2).")
      .def("score", [](const BoardHandle& h, int color) { return h.board.score(static_cast<Color>(color)); })
      .def("is_ok", [](const BoardHandle& h) { return h.board.is_ok(); });
  m.def("moves_per_second", &moves_per_second, nb::arg("board"), nb::arg("seconds"),
        nb::call_guard<nb::gil_scoped_release>());
}

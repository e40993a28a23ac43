#include "board.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "rules/names.h"
#include "rules/symmetries.h"
#include "search.h"
#include "search/greedy.h"
#include "search/movegen.h"

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

Moves listed(const CellSet& cells) {
  Moves moves;
  cells.each([&](Move m) { moves.push_back(m); });
  return moves;
}

std::optional<int> stone_at(const BoardHandle& h, int move) {
  const Position& p = h.board.position();
  const auto m = static_cast<Move>(move);
  return p.empty(m) ? std::nullopt : std::optional(p.holds(m, Color::Black) ? 0 : 1);
}

std::vector<Shape> shapes_of(const BoardHandle& h, int color, int move) {
  std::vector<Shape> shapes;
  for (int d = 0; d < kDirections; ++d)
    shapes.push_back(h.board.shape(static_cast<Color>(color), static_cast<Move>(move), d));
  return shapes;
}

nb::ndarray<nb::numpy, float> stone_planes(const BoardHandle& h, int color) {
  const Position& p = h.board.position();
  const auto cells = static_cast<std::size_t>(p.cells());
  std::vector<float> planes(2 * cells);
  for (Move m = 0; m < p.cells(); ++m)
    if (!p.empty(m)) planes[(p.holds(m, static_cast<Color>(color)) ? 0 : cells) + m] = 1;
  return to_numpy(planes, {2, static_cast<std::size_t>(p.height()), static_cast<std::size_t>(p.width())});
}

std::vector<std::vector<Move>> symmetry_maps(int width, int height) {
  if (width < 1 || height < 1 || width > kMaxSize || height > kMaxSize)
    throw std::invalid_argument("sides of a board go from 1 to " + std::to_string(kMaxSize));
  std::vector<std::vector<Move>> maps;
  for (int s = 0; s < symmetries(width, height); ++s) maps.push_back(symmetry_map(width, height, s));
  return maps;
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

// What src/tengen/rules.py declares for Python as well; a test holds the two together.
void bind_constants(nb::module_& m) {
  m.attr("MAX_SIZE") = kMaxSize;
  m.attr("MIN_K") = kMinK;
  m.attr("MAX_K") = kMaxK;
  m.def("rule_names", [] { return std::vector<std::string>(kRuleNames.begin(), kRuleNames.end()); });
  m.def("forbidden_names", [] { return std::vector<std::string>(kForbiddenNames.begin() + 1, kForbiddenNames.end()); });
}

void bind_enums(nb::module_& m) {
  nb::enum_<Shape>(m, "Shape", nb::is_arithmetic(), "What a stone makes along one line, named for five in a row.")
      .value("NONE", Shape::None)
      .value("CLOSED_ONE", Shape::ClosedOne)
      .value("OPEN_ONE", Shape::OpenOne)
      .value("CLOSED_TWO", Shape::ClosedTwo)
      .value("OPEN_TWO", Shape::OpenTwo)
      .value("CLOSED_THREE", Shape::ClosedThree)
      .value("OPEN_THREE", Shape::OpenThree)
      .value("FOUR", Shape::Four)
      .value("DOUBLE_FOUR", Shape::DoubleFour)
      .value("OPEN_FOUR", Shape::OpenFour)
      .value("FIVE", Shape::Five)
      .value("OVERLINE", Shape::Overline);
  nb::enum_<Threat>(m, "Threat", nb::is_arithmetic(), "What a stone makes over its four lines, weakest first.")
      .value("NONE", Threat::None)
      .value("TWO", Threat::Two)
      .value("CLOSED_THREE", Threat::ClosedThree)
      .value("DOUBLE_TWO", Threat::DoubleTwo)
      .value("THREE", Threat::Three)
      .value("THREE_PLUS", Threat::ThreePlus)
      .value("DOUBLE_THREE", Threat::DoubleThree)
      .value("FOUR", Threat::Four)
      .value("FOUR_PLUS", Threat::FourPlus)
      .value("FOUR_THREE", Threat::FourThree)
      .value("DOUBLE_FOUR", Threat::DoubleFour)
      .value("OPEN_FOUR", Threat::OpenFour)
      .value("FIVE", Threat::Five)
      .value("FORBIDDEN", Threat::Forbidden);
  nb::enum_<Group>(m, "Group", nb::is_arithmetic(), "Threats that searches ask for as sets of cells.")
      .value("FIVE", Group::Five)
      .value("FOUR", Group::Four)
      .value("THREE", Group::Three);
}

}  // namespace

void bind_board(nb::module_& m) {
  bind_constants(m);
  bind_enums(m);
  nb::class_<BoardHandle>(m, "Board")
      .def(
          "__init__",
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
      .def("at", &stone_at, nb::arg("move"), "0 for black, 1 for white, None for an empty cell.")
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
      .def(
          "forbidden_reason",
          [](const BoardHandle& h, int move) {
            return forbidden_name(h.board.position().forbidden(h.board.turn(), static_cast<Move>(move)));
          },
          "Empty when the side to move may play there.")
      .def("set_up", &set_up, nb::arg("black"), nb::arg("white"), nb::arg("black_to_move"))
      .def("copy", [](const BoardHandle& h) { return h; })
      .def("shapes", &shapes_of, nb::arg("color"), nb::arg("move"), "Shapes along the four directions.")
      .def(
          "best_shape",
          [](const BoardHandle& h, int color, int move) {
            return best_shape(h.board, static_cast<Color>(color), static_cast<Move>(move));
          },
          nb::arg("color"), nb::arg("move"), "The best shape over the four directions; an overline counts as none.")
      .def(
          "threat",
          [](const BoardHandle& h, int color, int move) {
            return h.board.threat(static_cast<Color>(color), static_cast<Move>(move));
          },
          nb::arg("color"), nb::arg("move"))
      .def(
          "cells_with",
          [](const BoardHandle& h, int color, Group group) {
            return listed(h.board.cells(static_cast<Color>(color), group));
          },
          nb::arg("color"), nb::arg("group"), "Cells where a stone makes such a threat.")
      .def(
          "cells_near",
          [](const BoardHandle& h, int radius) { return listed(cells_near_stones(h.board.position(), radius)); },
          nb::arg("radius"), "Empty cells within `radius` of a stone in any direction; the centre of an empty board.")
      .def("stone_planes", &stone_planes, nb::arg("color"), "Stones of `color` and of the other side, [2, H, W].")
      .def("score", [](const BoardHandle& h, int color) { return h.board.score(static_cast<Color>(color)); })
      .def("is_ok", [](const BoardHandle& h) { return h.board.is_ok(); });
  m.def("symmetry_maps", &symmetry_maps, nb::arg("width"), nb::arg("height"),
        "Image of every cell under each symmetry of the board, the identity first.");
  m.def("moves_per_second", &moves_per_second, nb::arg("board"), nb::arg("seconds"),
        nb::call_guard<nb::gil_scoped_release>());
}

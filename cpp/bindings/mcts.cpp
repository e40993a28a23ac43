#include "search/mcts.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <tuple>

#include "board.h"

namespace nb = nanobind;
using namespace tengen;

namespace {

std::vector<std::tuple<int, int, double>> candidates_of(const Mcts& search) {
  std::vector<std::tuple<int, int, double>> all;
  for (const auto& c : search.candidates()) all.emplace_back(c.move, static_cast<int>(c.visits), c.value);
  return all;
}

void make(Mcts* self, const BoardHandle& h, double exploration, int rollout_limit, std::uint64_t seed, int max_edges) {
  if (h.board.over()) throw std::invalid_argument("the game is over");
  new (self) Mcts(h.board.position(),
                  {.exploration = exploration, .rollout_limit = rollout_limit, .seed = seed, .max_edges = max_edges});
}

std::int64_t run(Mcts& self, std::int64_t playouts, double seconds) {
  if (playouts <= 0 && seconds <= 0) throw std::invalid_argument("give a number of playouts or of seconds");
  const nb::gil_scoped_release release;
  return self.run(playouts, seconds);
}

// One random game from the board; for tests of the rollouts.
int rollout(const BoardHandle& h, std::uint64_t seed, int limit) {
  Rng random(seed);
  return RolloutBoard(h.board.position()).rollout(random, limit);
}

}  // namespace

void bind_mcts(nb::module_& m) {
  nb::class_<Mcts>(m, "Mcts")
      .def("__init__", &make, nb::arg("board"), nb::arg("exploration"), nb::arg("rollout_limit"), nb::arg("seed"),
           nb::arg("max_edges") = MctsOptions{}.max_edges)
      .def("run", &run, nb::arg("playouts"), nb::arg("seconds"),
           "Searches until there are so many playouts in all or so many seconds have passed; 0: no such limit.")
      .def("stop", &Mcts::stop, "Ends a run in another thread.")
      .def_prop_ro("playouts", &Mcts::playouts)
      .def("candidates", &candidates_of, "(move, visits, value for the side to move), most visited first.")
      .def("pv", &Mcts::pv);
  m.def("rollout", &rollout, nb::arg("board"), nb::arg("seed"), nb::arg("limit"));
  m.def("playouts_per_second", &playouts_per_second, nb::arg("width"), nb::arg("seconds"),
        nb::call_guard<nb::gil_scoped_release>());
}

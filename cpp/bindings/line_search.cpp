#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <memory>

#include "board.h"
#include "lines.h"
#include "lines/tree.h"

namespace nb = nanobind;
using namespace tengen;

namespace tengen {

void take_search_settings(nb::dict& left, LineSearchOptions& o) {
  take_setting(left, "c_puct", o.c_puct);
  take_setting(left, "c_growth", o.c_growth);
  take_setting(left, "fpu", o.fpu);
  take_setting(left, "policy_temperature", o.temperature);
  take_setting(left, "children", o.children);
  take_setting(left, "solver", o.solver);
  take_setting(left, "vcf_nodes", o.vcf_nodes);
  take_setting(left, "vct_nodes", o.vct_nodes);
  take_setting(left, "graph", o.graph);
  take_setting(left, "memory_mb", o.memory_mb);
  if (!(o.temperature > 0)) throw std::invalid_argument("policy_temperature must be above 0");
  if (o.children < 1) throw std::invalid_argument("children must be at least 1");
  if (!(o.memory_mb > 0 && o.memory_mb <= 131072))
    throw std::invalid_argument("memory_mb must be above 0 and at most 131072");
}

}  // namespace tengen

namespace {

// What Python holds: a tree, and a flag that another thread may raise.
struct LineSearch {
  LineTree tree;
  std::atomic<bool> stop{false};
  std::int64_t done = 0;  // simulations since the root last moved

  LineSearch(const LineNetwork& network, const ThreatBoard& board, const LineSearchOptions& options)
      : tree(network, board, options) {}
};

void advance(LineSearch& self, const std::vector<int>& moves) {
  for (const int m : moves) {
    const Position& p = self.tree.board().position();
    if (m < 0 || m >= p.cells() || !p.legal(static_cast<Move>(m))) throw std::invalid_argument("an illegal move");
    self.tree.advance(static_cast<Move>(m));
  }
  self.done = 0;
}

std::string name_of(Proof p) {
  return p == Proof::Win ? "win" : p == Proof::Loss ? "loss" : p == Proof::Draw ? "draw" : "";
}

DictList candidates(const LineTree& tree, int count) {
  const auto tried = tree.tried();
  DictList out;
  for (std::size_t i = 0; i < tried.size() && static_cast<int>(i) < count; ++i) {
    Dict d;
    d["move"] = tried[i]->move;
    d["visits"] = tried[i]->visits.load();
    d["value"] = tried[i]->value();
    d["prior"] = tried[i]->prior;
    d["proven"] = name_of(tried[i]->proof.load());
    d["pv"] = nb::cast(tree.line(tried[i]->move));
    out.append(d);
  }
  return out;
}

}  // namespace

void bind_line_search(nb::module_& m) {
  nb::class_<LineSearch>(m, "LineSearch", "Tree search of one game with a line network, wholly in the core.")
      .def(
          "__init__",
          [](LineSearch* self, const LineNetwork& network, const BoardHandle& h, const Dict& config) {
            check_fits(network, h.board.position());
            if (h.board.over()) throw std::invalid_argument("the game is over");
            nb::dict left;
            left.update(config);
            LineSearchOptions options;
            take_search_settings(left, options);
            refuse_settings_left(left);
            new (self) LineSearch(network, h.board, options);
          },
          nb::arg("network"), nb::arg("board"), nb::arg("config") = nb::dict(), nb::keep_alive<1, 2>())
      .def(
          "think",
          [](LineSearch& self, std::int64_t sims, double seconds, int threads) {
            if (threads < 1 || threads > 64) throw std::invalid_argument("threads must be 1 to 64");
            nb::gil_scoped_release release;
            const auto done = self.tree.think({sims, seconds, threads, &self.stop});
            self.done += done;
            return done;
          },
          nb::arg("sims"), nb::arg("seconds") = 0.0, nb::arg("threads") = 1,
          "Searches until a limit (0: none), a proof or stop(); returns the simulations done.")
      .def(
          "stop", [](LineSearch& self) { self.stop = true; }, "Ends think(); from any thread.")
      .def("clear_stop", [](LineSearch& self) { self.stop = false; })
      .def("advance", &advance, nb::arg("moves"), "Plays moves at the root, keeping the subtree.")
      .def("best_move",
           [](LineSearch& self) {
             self.tree.open_root();
             return static_cast<int>(self.tree.best());
           })
      .def(
          "policy",
          [](const LineSearch& self, float temperature) {
            std::vector<float> policy(self.tree.board().position().cells());
            self.tree.policy(temperature, policy.data());
            const std::size_t cells = policy.size();
            return to_numpy(policy, {cells});
          },
          nb::arg("temperature") = 1.0f, "Visit shares of the root's moves, a probability for every cell.")
      .def(
          "candidates", [](const LineSearch& self, int count) { return candidates(self.tree, count); },
          nb::arg("count") = 10)
      .def("line", [](const LineSearch& self) { return self.tree.line(); })
      .def(
          "visits_after",
          [](const LineSearch& self, const std::vector<Move>& moves) {
            std::vector<std::pair<int, std::uint32_t>> visits;
            for (const LineEdge& e : self.tree.moves_after(moves)) visits.emplace_back(e.move, e.visits.load());
            return visits;
          },
          nb::arg("moves"), "The moves that are known after others, likeliest first, with their visits.")
      .def_prop_ro("value", [](const LineSearch& self) { return self.tree.value(); })
      .def_prop_ro("visits",
                   [](const LineSearch& self) { return static_cast<std::int64_t>(self.tree.root().visits.load()); })
      .def_prop_ro(
          "done", [](const LineSearch& self) { return self.done; }, "Simulations since the root last moved.")
      .def_prop_ro("depth", [](const LineSearch& self) { return self.tree.depth(); })
      .def_prop_ro("bytes", [](const LineSearch& self) { return self.tree.bytes(); })
      .def_prop_ro("key", [](const LineSearch& self) { return self.tree.board().position().key(); })
      .def_prop_ro("proven", [](const LineSearch& self) { return name_of(self.tree.proof()); });
}

#include "tree/selfplay.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include "rules/names.h"
#include "search.h"

namespace nb = nanobind;
using namespace tengen;

namespace {

Dict game_dict(const PlayedGame& game, std::size_t cells) {
  const std::size_t plies = game.root_values.size();
  Dict d;
  d["moves"] = to_numpy(game.moves, {game.moves.size()});
  d["opening"] = game.opening;
  d["winner"] = game.winner;
  d["policies"] = to_numpy(game.policies, {plies, cells});
  d["root_values"] = to_numpy(game.root_values, {plies});
  d["weights"] = to_numpy(game.weights, {plies});
  d["proven"] = to_numpy(game.proven, {plies});
  return d;
}

int select(SelfPlay& self, Planes planes, int height, int width, Encoding e) {
  if (self.waiting()) throw std::invalid_argument("expand the leaves of the last select first");
  check_planes(planes, e, height, width, self.slots());
  nb::gil_scoped_release release;
  return self.select(planes.data());
}

// What Python holds: the games and the shape of their planes.
struct SelfPlayHandle {
  SelfPlay games;
  Encoding encoding;
  int width, height;
};

}  // namespace

void bind_selfplay(nb::module_& m) {
  nb::class_<SelfPlayHandle>(m, "SelfPlay", "Games of a network against itself, batched.")
      .def(
          "__init__",
          [](SelfPlayHandle* self, int width, int height, int k, const std::string& rule, const std::string& encoding,
             int slots, std::uint64_t seed, const Dict& config, int games) {
            if (slots < 1) throw std::invalid_argument("slots must be at least 1");
            if (games < 0 || (games > 0 && games < slots))
              throw std::invalid_argument("games must be 0 for no end, or at least as many as slots");
            const Encoding e = encoding_from_name(encoding);
            const Position start(width, height, k, rule_from_name(rule));
            SelfPlay play(start, e, slots, seed, options_from_dict(config), games);
            new (self) SelfPlayHandle{std::move(play), e, width, height};
          },
          nb::arg("width"), nb::arg("height"), nb::arg("k"), nb::arg("rule"), nb::arg("encoding"), nb::arg("slots"),
          nb::arg("seed"), nb::arg("config") = nb::dict(), nb::arg("games") = 0)
      .def(
          "select",
          [](SelfPlayHandle& self, Planes planes) {
            return select(self.games, planes, self.height, self.width, self.encoding);
          },
          nb::arg("planes"), "Fills planes [slots, C, H, W] with waiting leaves and returns how many there are.")
      .def(
          "expand",
          [](SelfPlayHandle& self, Rows policy, Values value) {
            check_answers(policy, value, self.games.waiting(), self.games.cells());
            nb::gil_scoped_release release;
            self.games.expand(policy.data(), value.data());
          },
          nb::arg("policy"), nb::arg("value"), "Answers every leaf of the last select: logits [n, A], values [n].")
      .def(
          "take_games",
          [](SelfPlayHandle& self) {
            DictList out;
            for (const auto& game : self.games.take_games()) out.append(game_dict(game, self.games.cells()));
            return out;
          },
          "Games finished since the last call.")
      .def("stats",
           [](const SelfPlayHandle& self) {
             const SelfPlayStats s = self.games.stats();
             Dict d;
             d["simulations"] = s.simulations;
             d["evaluations"] = s.evaluations;
             d["cache_hits"] = s.cache_hits;
             d["games"] = s.games;
             d["plies"] = s.plies;
             return d;
           })
      .def_prop_ro("slots", [](const SelfPlayHandle& self) { return self.games.slots(); });
}

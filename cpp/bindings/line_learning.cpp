#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

#include "lines.h"
#include "lines/learner.h"
#include "lines/samples.h"
#include "lines/selfplay.h"

namespace nb = nanobind;
using namespace tengen;

namespace {

template <class T>
std::vector<T> column(const Dict& d, const char* name) {
  if (!d.contains(name)) throw std::invalid_argument(std::string("the games lack the column ") + name);
  const auto a = nb::cast<nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(nb::object(d[name]));
  return {a.data(), a.data() + a.size()};
}

LineGames games_from(const Dict& d) {
  LineGames g;
  g.width = nb::cast<int>(nb::object(d["width"])), g.height = nb::cast<int>(nb::object(d["height"]));
  g.lengths = column<std::int32_t>(d, "lengths");
  g.openings = column<std::int32_t>(d, "openings");
  g.winners = column<std::int32_t>(d, "winners");
  g.moves = column<std::int16_t>(d, "moves");
  g.values = column<float>(d, "values");
  g.weights = column<float>(d, "weights");
  g.counts = column<std::int32_t>(d, "counts");
  g.policy_moves = column<std::int16_t>(d, "policy_moves");
  g.policy_shares = column<float>(d, "policy_shares");
  return g;
}

Dict dict_of(const LineGames& g) {
  Dict d;
  d["width"] = g.width, d["height"] = g.height;
  const auto put = [&](const char* name, const auto& column) { d[name] = to_numpy(column, {column.size()}); };
  put("lengths", g.lengths), put("openings", g.openings), put("winners", g.winners), put("moves", g.moves);
  put("values", g.values), put("weights", g.weights), put("counts", g.counts);
  put("policy_moves", g.policy_moves), put("policy_shares", g.policy_shares);
  return d;
}

Dict dict_of(const LineLoss& loss) {
  Dict d;
  d["policy"] = loss.policy, d["value"] = loss.value, d["entropy"] = loss.entropy, d["error"] = loss.error;
  return d;
}

LinePlayOptions play_options(const Dict& config) {
  nb::dict left;
  left.update(config);
  LinePlayOptions o;
  take_search_settings(left, o.search);
  take_setting(left, "visits", o.visits);
  take_setting(left, "fast_fraction", o.fast_fraction);
  take_setting(left, "fast_visits", o.fast_visits);
  take_setting(left, "noise_alpha", o.noise_alpha);
  take_setting(left, "noise_fraction", o.noise_fraction);
  take_setting(left, "temperature_moves", o.temperature_moves);
  take_setting(left, "temperature", o.temperature);
  take_setting(left, "opening_min", o.opening_min);
  take_setting(left, "opening_max", o.opening_max);
  take_setting(left, "opening_tries", o.opening_tries);
  take_setting(left, "opening_level", o.opening_level);
  take_setting(left, "opening_bound", o.opening_bound);
  take_setting(left, "opening_checks", o.opening_checks);
  take_setting(left, "surprise", o.surprise);
  refuse_settings_left(left);
  if (o.visits < 1 || o.fast_visits < 1) throw std::invalid_argument("visits must be at least 1");
  if (!(o.noise_alpha > 0)) throw std::invalid_argument("noise_alpha must be above 0");
  if (!(o.temperature > 0)) throw std::invalid_argument("temperature must be above 0");
  return o;
}

using Progress = nb::typed<nb::callable, bool(int)>;

Dict play_games(const LineNetwork& network, int width, int height, int games, std::uint64_t seed, const Dict& config,
                int threads, std::optional<Progress> progress) {
  if (games < 1 || threads < 1) throw std::invalid_argument("games and threads must be at least 1");
  const LinePlayOptions options = play_options(config);
  const Position start(width, height, network.shape().k, network.shape().rule);
  LinePlayStats stats;
  LineGames played;
  {
    nb::gil_scoped_release release;
    // Now and then Python is asked whether to go on; Ctrl-C is answered there too.
    played = play_line_games(network, start, games, seed, options, threads, stats, [&](int done) {
      if (done % 8) return true;
      nb::gil_scoped_acquire acquire;
      try {
        return PyErr_CheckSignals() == 0 && (!progress || nb::cast<bool>((*progress)(done)));
      } catch (nb::python_error& error) {  // must not leave a thread of ours
        error.discard_as_unraisable("progress of self-play");
        return false;
      }
    });
  }
  if (PyErr_Occurred()) throw nb::python_error();
  Dict d = dict_of(played);
  d["simulations"] = stats.simulations;
  return d;
}

using Numbers = LineLearner::Numbers;

nb::ndarray<nb::numpy, float> array_of(const Numbers& x) {
  return to_numpy(std::vector<float>(x.begin(), x.end()), {x.size()});
}

void set_numbers(Numbers& to, Flat from) {
  if (from.size() != to.size())
    throw std::invalid_argument("expected " + std::to_string(to.size()) + " numbers, not " +
                                std::to_string(from.size()));
  std::copy(from.data(), from.data() + from.size(), to.begin());
}

template <Numbers LineLearner::* Member>
void bind_numbers(nb::class_<LineLearner>& c, const char* name) {
  c.def_prop_rw(
      name, [](const LineLearner& self) { return array_of(self.*Member); },
      [](LineLearner& self, Flat from) { set_numbers(self.*Member, from); }, nb::for_getter(nb::rv_policy::move));
}

}  // namespace

void bind_line_learning(nb::module_& m) {
  nb::class_<LinePool>(m, "LinePool", "Games to learn from; whole generations come and go.")
      .def(
          "__init__",
          [](LinePool* self, int k, const std::string& rule) { new (self) LinePool(line_shape(k, rule, 16, 16)); },
          nb::arg("k"), nb::arg("rule"))
      .def(
          "add", [](LinePool& self, const Dict& games) { return self.add(games_from(games)); }, nb::arg("games"),
          "Takes games in, by column; returns the number of samples.")
      .def("drop_oldest", &LinePool::drop_oldest)
      .def_prop_ro("oldest", &LinePool::oldest, "Samples of the oldest generation.")
      .def_prop_ro("samples", &LinePool::samples)
      .def_prop_ro("generations", &LinePool::generations);
  auto learner = nb::class_<LineLearner>(m, "LineLearner", "Learns a line network: Adam in the core.");
  learner
      .def(
          "__init__",
          [](LineLearner* self, int k, const std::string& rule, int channels, int hidden, std::uint64_t seed) {
            new (self) LineLearner(line_shape(k, rule, channels, hidden), seed);
          },
          nb::arg("k"), nb::arg("rule"), nb::arg("channels"), nb::arg("hidden"), nb::arg("seed"))
      .def(
          "learn",
          [](LineLearner& self, const LinePool& pool, int steps, int batch, float rate, float decay, float average,
             float value_weight, float value_mix, std::uint64_t seed) {
            const LearnOptions o{steps, batch, rate, decay, average, value_weight, value_mix, seed};
            LineLoss loss;
            {
              nb::gil_scoped_release release;
              loss = self.learn(pool, o);
            }
            return dict_of(loss);
          },
          nb::arg("pool"), nb::arg("steps"), nb::arg("batch"), nb::arg("rate"), nb::arg("decay"), nb::arg("average"),
          nb::arg("value_weight"), nb::arg("value_mix"), nb::arg("seed"), "Mean losses per sample.")
      .def(
          "measure",
          [](const LineLearner& self, const LinePool& pool, int samples, float value_mix, std::uint64_t seed) {
            nb::gil_scoped_release release;
            const LineLoss loss = self.measure(pool, samples, 1.0f, value_mix, seed);
            nb::gil_scoped_acquire acquire;
            return dict_of(loss);
          },
          nb::arg("pool"), nb::arg("samples"), nb::arg("value_mix"), nb::arg("seed"),
          "Mean losses of the averaged weights, without learning.")
      .def_rw("steps", &LineLearner::steps);
  bind_numbers<&LineLearner::weights>(learner, "weights");
  bind_numbers<&LineLearner::average>(learner, "average");
  bind_numbers<&LineLearner::mean>(learner, "mean");
  bind_numbers<&LineLearner::square>(learner, "square");
  m.def("line_games", &play_games, nb::arg("network"), nb::arg("width"), nb::arg("height"), nb::arg("games"),
        nb::arg("seed"), nb::arg("config") = nb::dict(), nb::arg("threads") = 1, nb::arg("progress") = nb::none(),
        "Games of a line network against itself, by column; the same whatever the number of threads. `progress` hears "
        "of\n"
        "finished games now and then, from any thread; when it says False there are no games.");
}

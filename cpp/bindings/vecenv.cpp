#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <array>
#include <map>
#include <stdexcept>
#include <string>

#include "env/vector_env.h"
#include "rules/names.h"
#include "search.h"

namespace nb = nanobind;
using namespace tengen;

namespace {

template <class T>
using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

template <class T>
T* checked(const Array<T>& array, std::size_t size, const char* name) {
  if (array.size() != size)
    throw std::invalid_argument(std::string(name) + " must hold " + std::to_string(size) + " numbers, not " +
                                std::to_string(array.size()));
  return array.data();
}

constexpr std::array<const char*, 3> kSeatNames = {"first", "second", "random"};  // in the order of `Seat`

const char* seat_name(Seat seat) { return kSeatNames[static_cast<int>(seat)]; }

Seat seat_from_name(const std::string& name) {
  for (std::size_t i = 0; i < kSeatNames.size(); ++i)
    if (name == kSeatNames[i]) return static_cast<Seat>(i);
  throw std::invalid_argument("unknown seat '" + name + "'; choose one of first, second, random");
}

// Every number of a reward by its name.
std::map<std::string, double*> reward_fields(RewardRule& r) {
  return {{"win", &r.win},
          {"loss", &r.loss},
          {"draw", &r.draw},
          {"five", &r.five},
          {"open_four", &r.open_four},
          {"four", &r.four},
          {"open_three", &r.open_three},
          {"closed_three", &r.closed_three},
          {"open_two", &r.open_two},
          {"closed_two", &r.closed_two},
          {"answer_low", &r.answer.low},
          {"answer_mid", &r.answer.mid},
          {"answer_high", &r.answer.high},
          {"broken_low", &r.broken.low},
          {"broken_mid", &r.broken.mid},
          {"broken_high", &r.broken.high},
          {"broken_first", &r.broken_first},
          {"second", &r.second}};
}

RewardRule reward_from(const std::map<std::string, double>& values) {
  RewardRule r;
  const auto fields = reward_fields(r);
  for (const auto& [name, value] : values) {
    if (name == "shaped")
      r.shaped = value != 0;
    else if (const auto field = fields.find(name); field != fields.end())
      *field->second = value;
    else
      throw std::invalid_argument("the reward has no number '" + name + "'");
  }
  return r;
}

std::map<std::string, double> reward_defaults() {
  RewardRule r;
  std::map<std::string, double> values = {{"shaped", r.shaped}};
  for (const auto& [name, field] : reward_fields(r)) values[name] = *field;
  return values;
}

Dict env_defaults() {
  const EnvConfig c;
  Dict values;
  values["width"] = c.width, values["height"] = c.height, values["k"] = c.k;
  values["rule"] = kRuleNames[static_cast<int>(c.rule)];
  values["opponent"] = c.opponent, values["depth"] = c.depth, values["opening"] = c.opening;
  values["errors"] = c.errors;
  values["seat"] = seat_name(c.seat);
  return values;
}

void check_actions(const VecEnv& env, const std::int32_t* actions) {
  for (int i = 0; i < env.size(); ++i)
    if (!env.legal(i, actions[i]))
      throw std::invalid_argument("action " + std::to_string(actions[i]) + " is not legal on board " +
                                  std::to_string(i));
}

}  // namespace

void bind_vecenv(nb::module_& m) {
  nb::enum_<Result>(m, "StepResult", nb::is_arithmetic(), "How a step of an environment left the game for the player.")
      .value("LOSS", Result::Loss)
      .value("ONGOING", Result::Ongoing)
      .value("WIN", Result::Win)
      .value("DRAW", Result::Draw);
  nb::class_<VecEnv>(m, "VecEnv")
      .def(
          "__init__",
          [](VecEnv* self, int boards, int width, int height, int k, const std::string& rule,
             const std::string& opponent, int depth, const std::string& seat, int opening, double errors,
             const std::map<std::string, double>& reward, std::uint64_t seed) {
            new (self) VecEnv({width, height, k, rule_from_name(rule), opponent, depth, seat_from_name(seat), opening,
                               errors, reward_from(reward), seed},
                              boards);
          },
          nb::arg("boards"), nb::arg("width"), nb::arg("height"), nb::arg("k"), nb::arg("rule"), nb::arg("opponent"),
          nb::arg("depth"), nb::arg("seat"), nb::arg("opening"), nb::arg("errors"), nb::arg("reward"), nb::arg("seed"))
      .def_prop_ro("size", &VecEnv::size)
      .def("reset", &VecEnv::reset)
      .def(
          "step",
          [](VecEnv& env, const Array<std::int32_t>& actions, Array<float> rewards, Array<std::int8_t> results,
             Array<std::int32_t> lengths) {
            const auto n = static_cast<std::size_t>(env.size());
            const auto* chosen = checked(actions, n, "actions");
            check_actions(env, chosen);
            auto* r = checked(rewards, n, "rewards");
            auto* s = checked(results, n, "results");
            auto* l = checked(lengths, n, "lengths");
            nb::gil_scoped_release free;
            env.step(chosen, r, s, l);
          },
          nb::arg("actions"), nb::arg("rewards"), nb::arg("results"), nb::arg("lengths"),
          "Plays one action on every board and the answers; refuses all of them when one is illegal.")
      .def("observe",
           [](const VecEnv& env, Array<float> planes) {
             env.observe(checked(planes, static_cast<std::size_t>(2) * env.size() * env.cells(), "planes"));
           })
      .def(
          "mask",
          [](const VecEnv& env, Array<std::uint8_t> out, int near) {
            env.mask(checked(out, static_cast<std::size_t>(env.size()) * env.cells(), "mask"), near);
          },
          nb::arg("out"), nb::arg("near") = -1)
      .def("greedy_actions",
           [](VecEnv& env, Array<std::int32_t> out) {
             env.greedy_actions(checked(out, static_cast<std::size_t>(env.size()), "actions"));
           })
      .def("forced_actions",
           [](VecEnv& env, Array<std::int32_t> out) {
             env.forced_actions(checked(out, static_cast<std::size_t>(env.size()), "actions"));
           })
      .def(
          "attack_actions",
          [](VecEnv& env, Array<std::int32_t> out, int stones) {
            auto* to = checked(out, static_cast<std::size_t>(env.size()), "actions");
            nb::gil_scoped_release free;
            env.attack_actions(to, stones);
          },
          nb::arg("out"), nb::arg("stones"))
      .def(
          "plan_actions",
          [](VecEnv& env, Array<std::int32_t> out, Array<std::uint8_t> asked, int quiet, int stones) {
            auto* to = checked(out, static_cast<std::size_t>(env.size()), "actions");
            const auto* from = checked(asked, static_cast<std::size_t>(env.size()), "asked");
            nb::gil_scoped_release free;
            env.plan_actions(to, from, quiet, stones, [] {
              const nb::gil_scoped_acquire held;
              if (PyErr_CheckSignals() != 0) throw nb::python_error();
            });
          },
          nb::arg("out"), nb::arg("asked"), nb::arg("quiet"), nb::arg("stones"));
  m.def(
      "step_reward",
      [](const std::map<std::string, double>& reward, Shape own, Shape answer, Shape broken) {
        return reward_from(reward).step(own, answer, broken);
      },
      nb::arg("reward"), nb::arg("own"), nb::arg("answer"), nb::arg("broken"),
      "Shaped reward of a step from the three shapes it made, met and broke.");
  m.def("reward_defaults", &reward_defaults, "Every number of the reward with its default.");
  m.def("env_defaults", &env_defaults, "Every setting of the vectorised environment with its default.");
}

#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

#include "board.h"
#include "study/forced.h"
#include "study/mining.h"
#include "study/names.h"
#include "study/proofs.h"
#include "study/rating.h"
#include "study/review.h"
#include "study/trainer.h"
#include "study/verdicts.h"

namespace nb = nanobind;
using namespace tengen::study;
using tengen::BoardHandle, tengen::Color, tengen::index, tengen::kNoMove, tengen::Move, tengen::ThreatBoard;

namespace {

// As Python sees them: plain tuples, which tengen.study turns into its own types.
using Moves = std::vector<Move>;
using ProofRow = std::tuple<int, Moves, int, int>;
using LookRow = std::tuple<double, int, std::optional<Move>, Moves, std::optional<ProofRow>>;
using ReasonRow = std::tuple<int, Moves, bool, Moves, int, std::optional<int>>;
using VerdictRow = std::tuple<int, double, std::optional<ReasonRow>>;
using FindingRow = std::tuple<int, LookRow, std::optional<VerdictRow>, int>;
using GoalRow = std::pair<int, Moves>;
using PassRow = std::tuple<std::uint64_t, std::int64_t, std::int64_t, bool>;
using PyStopped = std::function<bool()>;
using PyAsk = std::function<std::tuple<Move, double, Moves>(BoardHandle, std::uint64_t)>;

template <class To, class From, class Row>
std::optional<To> maybe(const std::optional<From>& value, Row row) {
  return value ? std::optional<To>(row(*value)) : std::nullopt;
}

ProofRow row_of(const Proof& p) { return {index(p.winner), p.line, static_cast<int>(p.force), p.moves}; }
std::optional<ProofRow> proof_row(const std::optional<Proof>& p) {
  return maybe<ProofRow>(p, [](const Proof& x) { return row_of(x); });
}
Proof proof_of(const ProofRow& row) {
  const auto& [winner, line, force, moves] = row;
  return {static_cast<Color>(winner), line, static_cast<Force>(force), moves};
}

LookRow row_of(const Look& look) {
  const auto best = look.best == kNoMove ? std::nullopt : std::optional<Move>(look.best);
  return {look.value, index(look.side), best, look.line, proof_row(look.proof)};
}
Look look_of(const LookRow& row) {
  const auto& [value, side, best, line, proof] = row;
  return {value, static_cast<Color>(side), best.value_or(kNoMove), line, maybe<Proof>(proof, proof_of)};
}

VerdictRow row_of(const Verdict& v) {
  const auto reason = maybe<ReasonRow>(v.reason, [](const Reason& r) -> ReasonRow {
    const auto force = maybe<int>(r.force, [](Force f) { return static_cast<int>(f); });
    return {static_cast<int>(r.why), r.line, r.instead, r.shape, r.moves, force};
  });
  return {static_cast<int>(v.mark), v.drop, reason};
}

FindingRow row_of(const Finding& f) {
  return {f.ply, row_of(f.look), maybe<VerdictRow>(f.verdict, [](const Verdict& v) { return row_of(v); }), f.sweep};
}

PassRow row_of(const Pass& pass) { return {pass.nodes, pass.effort.fours, pass.effort.threats, pass.everywhere}; }
Pass pass_of(const PassRow& row) {
  const auto& [nodes, fours, threats, everywhere] = row;
  return {nodes, {fours, threats}, everywhere};
}

// Python's functions are called with its lock, from searches that run without it.
Stopped stopped_of(const PyStopped& stopped) {
  if (!stopped) return {};
  return [&stopped] {
    const nb::gil_scoped_acquire lock;
    return stopped();
  };
}
Ask ask_of(PyAsk ask) {
  return [ask = std::move(ask)](const ThreatBoard& board, std::uint64_t nodes) {
    const nb::gil_scoped_acquire lock;
    const auto [move, value, line] = ask(BoardHandle{board}, nodes);
    return Opinion{move, value, line};
  };
}

struct ProverHandle {
  Prover prover;
  std::mutex one_at_a_time;

  explicit ProverHandle(std::size_t hash_entries) : prover(hash_entries) {}

  template <class Search>
  std::optional<ProofRow> run(Search&& search) {
    std::optional<Proof> found;
    {
      const nb::gil_scoped_release release;
      const std::lock_guard lock(one_at_a_time);
      found = search(prover);
    }
    return proof_row(found);
  }
};

std::vector<FindingRow> next_findings(Review& review, const PyStopped& stopped) {
  std::vector<Finding> found;
  {
    const nb::gil_scoped_release release;
    found = review.step(stopped_of(stopped));
  }
  std::vector<FindingRow> rows;
  for (const Finding& finding : found) rows.push_back(row_of(finding));
  return rows;
}

LookRow look_at_board(const BoardHandle& h, ProverHandle& prover, const PassRow& pass, const PyAsk& ask,
                      const PyStopped& stopped) {
  const Ask native = ask_of(ask);
  const nb::gil_scoped_release release;
  const std::lock_guard lock(prover.one_at_a_time);
  return row_of(look_at(h.board, prover.prover, pass_of(pass), native, stopped_of(stopped)));
}

VerdictRow verdict_on_try(const BoardHandle& h, Move move, const LookRow& before, const PyAsk& ask,
                          const PyStopped& stopped) {
  const Ask native = ask_of(ask);
  const nb::gil_scoped_release release;
  return row_of(second_try(h.board, move, look_of(before), native, stopped_of(stopped)));
}

void bind_prover(nb::module_& m) {
  nb::class_<ProverHandle>(m, "Prover")
      .def(nb::init<std::size_t>(), nb::arg("hash_entries"))
      .def(
          "prove",
          [](ProverHandle& self, const BoardHandle& h, std::int64_t fours, std::int64_t threats,
             const PyStopped& stopped) {
            return self.run([&](Prover& p) { return p.prove(h.board, {fours, threats}, stopped_of(stopped)); });
          },
          nb::arg("board"), nb::arg("fours"), nb::arg("threats"), nb::arg("stopped"))
      .def(
          "win",
          [](ProverHandle& self, const BoardHandle& h, std::int64_t fours, std::int64_t threats, int attacker) {
            return self.run([&](Prover& p) { return p.win(h.board, {fours, threats}, static_cast<Color>(attacker)); });
          },
          nb::arg("board"), nb::arg("fours"), nb::arg("threats"), nb::arg("attacker"));
  using Carry = std::optional<Proof> (*)(const Proof&, Move, Color);
  const auto carrier = [](Carry carry) {
    return [carry](const ProofRow& proof, Move move, int mover) {
      return proof_row(carry(proof_of(proof), move, static_cast<Color>(mover)));
    };
  };
  m.def("carried_on", carrier(carried_on), nb::arg("proof"), nb::arg("move"), nb::arg("mover"));
  m.def("carried_back", carrier(carried_back), nb::arg("proof"), nb::arg("move"), nb::arg("mover"));
}

// One at a time: the solvers keep tables.
struct ForcedHandle {
  ForcedPlay forced;
  std::mutex one_at_a_time;

  explicit ForcedHandle(std::int64_t nodes) : forced(nodes) {}

  template <class Ask>
  auto run(Ask&& ask) {
    const nb::gil_scoped_release release;
    const std::lock_guard lock(one_at_a_time);
    return ask(forced);
  }
};

Mode mode_of(bool threats) { return threats ? Mode::Threats : Mode::Fours; }

void bind_forced(nb::module_& m) {
  using H = ForcedHandle;
  const auto board = nb::arg("board"), move = nb::arg("move"), threats = nb::arg("threats");
  nb::class_<H>(m, "ForcedPlay")
      .def(nb::init<std::int64_t>(), nb::arg("nodes"))
      .def(
          "line",
          [](H& h, const BoardHandle& b, bool t) {
            return h.run([&](ForcedPlay& f) { return f.line(b.board, mode_of(t)); });
          },
          board, threats)
      .def(
          "none",
          [](H& h, const BoardHandle& b, bool t) {
            return h.run([&](ForcedPlay& f) { return f.none(b.board, mode_of(t)); });
          },
          board, threats)
      .def(
          "is_winning",
          [](H& h, const BoardHandle& b, Move x, bool t) {
            return h.run([&](ForcedPlay& f) { return f.is_winning(b.board, x, mode_of(t)); });
          },
          board, move, threats)
      .def(
          "settled",
          [](H& h, const BoardHandle& b, Move x, bool t) {
            return h.run([&](ForcedPlay& f) { return f.settled(b.board, x, mode_of(t)); });
          },
          board, move, threats)
      .def(
          "replies",
          [](H& h, const BoardHandle& b, bool t) {
            return h.run([&](ForcedPlay& f) { return f.replies(b.board, mode_of(t)); });
          },
          board, threats)
      .def(
          "holds",
          [](H& h, const BoardHandle& b, Move x, int fours) {
            return h.run([&](ForcedPlay& f) { return f.holds(b.board, x, fours); });
          },
          board, move, nb::arg("fours"))
      .def(
          "attacks", [](H&, const BoardHandle& b, bool t) { return attacks_of(b.board, mode_of(t)); }, board, threats)
      .def(
          "solutions",
          [](H& h, const BoardHandle& b, int kind) {
            return h.run([&](ForcedPlay& f) { return solutions_of(b.board, static_cast<Kind>(kind), f); });
          },
          board, nb::arg("kind"))
      .def(
          "choices",
          [](H& h, const BoardHandle& b, int kind) {
            return h.run([&](ForcedPlay& f) { return choices_of(b.board, static_cast<Kind>(kind), f); });
          },
          board, nb::arg("kind"))
      .def(
          "goal",
          [](H& h, const BoardHandle& b, bool t) {
            const auto found = h.run([&](ForcedPlay& f) { return goal_of(b.board, f, t); });
            return maybe<GoalRow>(found, [](const Goal& g) { return GoalRow(static_cast<int>(g.kind), g.line); });
          },
          board, threats);
}

std::vector<std::string> themes_by_name(const BoardHandle& b, int kind, const Moves& solutions, int attacks) {
  std::vector<std::string> names;
  for (const Theme theme : themes_of(b.board, static_cast<Kind>(kind), solutions, attacks))
    names.emplace_back(kThemeNames[static_cast<std::size_t>(theme)]);
  return names;
}

void bind_mining(nb::module_& m) {
  m.def("puzzle_themes", themes_by_name, nb::arg("board"), nb::arg("kind"), nb::arg("solutions"), nb::arg("attacks"));
  m.def(
      "puzzle_rating",
      [](const std::vector<std::pair<double, double>>& rows, int attacks, int choices, int solutions) {
        std::vector<Share> shares;
        for (const auto& [elo, found] : rows) shares.push_back({elo, found});
        return puzzle_rating(shares, attacks, choices, solutions);
      },
      nb::arg("shares"), nb::arg("attacks"), nb::arg("choices"), nb::arg("solutions"));
  m.def("kind_names", [] { return std::vector<std::string>(kKindNames.begin(), kKindNames.end()); });
  m.attr("PUZZLE_NODES") = kPuzzleNodes;
}

struct TrainerHandle {
  Trainer trainer;
  std::mutex one_at_a_time;

  explicit TrainerHandle(std::int64_t nodes) : trainer(nodes) {}

  // State, reply, refutation, whether it loses.
  std::tuple<int, std::optional<Move>, Moves, bool> answer(const BoardHandle& b, Move move, bool known, bool defence) {
    const nb::gil_scoped_release release;
    const std::lock_guard lock(one_at_a_time);
    const Answer found = defence ? trainer.defended(b.board, move, known) : trainer.attacked(b.board, move, known);
    const auto reply = found.reply == kNoMove ? std::nullopt : std::optional<Move>(found.reply);
    return {static_cast<int>(found.state), reply, found.refutation, found.loses};
  }

  Moves line(const BoardHandle& b) {
    const nb::gil_scoped_release release;
    const std::lock_guard lock(one_at_a_time);
    return trainer.line(b.board);
  }
};

using RatingRow = std::tuple<double, double, double>;
Rating rating_of(const RatingRow& row) { return {std::get<0>(row), std::get<1>(row), std::get<2>(row)}; }

RatingRow rated(const RatingRow& person, const std::vector<std::pair<RatingRow, double>>& games) {
  std::vector<std::pair<Rating, double>> played;
  for (const auto& [other, score] : games) played.emplace_back(rating_of(other), score);
  const Rating now = after_games(rating_of(person), played);
  return {now.value, now.deviation, now.volatility};
}

using RepetitionRow = std::pair<int, double>;
std::optional<RepetitionRow> repeated(const std::optional<RepetitionRow>& before, bool solved, double now) {
  const auto known = maybe<Repetition>(before, [](const RepetitionRow& r) { return Repetition{r.first, r.second}; });
  return maybe<RepetitionRow>(after_attempt(known, solved, now),
                              [](const Repetition& r) { return RepetitionRow(r.step, r.due); });
}

void bind_training(nb::module_& m) {
  nb::class_<TrainerHandle>(m, "PuzzleTrainer")
      .def(nb::init<std::int64_t>(), nb::arg("nodes"))
      .def("answer", &TrainerHandle::answer, nb::arg("board"), nb::arg("move"), nb::arg("known"), nb::arg("defence"))
      .def("line", &TrainerHandle::line, nb::arg("board"));
  m.def(
      "idea_of",
      [](const BoardHandle& b, Move move, bool defence) {
        return std::string(kIdeaNames[static_cast<std::size_t>(idea_of(b.board, move, defence))]);
      },
      nb::arg("board"), nb::arg("move"), nb::arg("defence"));
  m.def("after_games", rated, nb::arg("person"), nb::arg("games"));
  m.def(
      "estimate_rating",
      [](const std::vector<RatingRow>& rows) -> std::optional<RatingRow> {
        std::vector<Fare> fares;
        for (const auto& [elo, points, games] : rows) fares.push_back({elo, points, games});
        return maybe<RatingRow>(estimate(fares), [](const Estimate& e) { return RatingRow(e.elo, e.low, e.high); });
      },
      nb::arg("rows"));
  m.def("after_attempt", repeated, nb::arg("before"), nb::arg("solved"), nb::arg("now"));
  m.def("repetition_pauses", [] { return std::vector<int>(kPauses.begin(), kPauses.end()); });
  m.attr("TRAINER_NODES") = kTrainerNodes;
  m.attr("PUZZLE_DEVIATION") = kPuzzleDeviation;
  m.def("state_names", [] { return std::vector<std::string>(kStateNames.begin(), kStateNames.end()); });
}

}  // namespace

void bind_study(nb::module_& m) {
  bind_prover(m);
  bind_forced(m);
  bind_mining(m);
  bind_training(m);
  m.def(
      "judge",
      [](const BoardHandle& h, Move move, const LookRow& before, const LookRow& after) {
        return row_of(judge(h.board, move, look_of(before), look_of(after)));
      },
      nb::arg("board"), nb::arg("move"), nb::arg("before"), nb::arg("after"));
  m.def("look_at", look_at_board, nb::arg("board"), nb::arg("prover"), nb::arg("pass_"), nb::arg("ask"),
        nb::arg("stopped"));
  m.def("second_try", verdict_on_try, nb::arg("board"), nb::arg("move"), nb::arg("before"), nb::arg("ask"),
        nb::arg("stopped"));
  nb::class_<Review>(m, "Review")
      .def(
          "__init__",
          [](Review* self, const BoardHandle& h, const Moves& moves, const PyAsk& ask, const std::vector<PassRow>& rows,
             const std::map<int, ProofRow>& known) {
            std::vector<Pass> passes;
            for (const PassRow& row : rows) passes.push_back(pass_of(row));
            new (self) Review(h.board, moves, ask_of(ask), passes);
            for (const auto& [ply, row] : known) self->know(ply, proof_of(row));
          },
          nb::arg("start"), nb::arg("moves"), nb::arg("ask"), nb::arg("passes"), nb::arg("known"))
      .def_prop_ro("done", &Review::done)
      .def("step", next_findings, nb::arg("stopped"));
  m.def("review_passes", [] { return std::vector{row_of(kPasses[0]), row_of(kPasses[1]), row_of(kPasses[2])}; });
  m.def("review_drops", [] { return std::tuple{kInaccuracy, kMistake, kBlunder}; });
  m.def("force_names", [] { return std::vector<std::string>(kForceNames.begin(), kForceNames.end()); });
  m.def("mark_names", [] { return std::vector<std::string>(kMarkNames.begin(), kMarkNames.end()); });
  m.def("why_names", [] { return std::vector<std::string>(kWhyNames.begin(), kWhyNames.end()); });
}

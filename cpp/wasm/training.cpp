#include <optional>
#include <vector>

#include "study/mining.h"
#include "study/rating.h"
#include "study/trainer.h"
#include "wasm/api.h"
#include "wasm/state.h"

using namespace tengen::study;
using tengen::Move;
using tengen::wasm::board, tengen::wasm::Writer;

namespace {

Trainer& trainer() {
  static Trainer one;
  return one;
}

}  // namespace

void tengen_puzzle(int move, int known, int defence) {
  const auto m = static_cast<Move>(move);
  const Answer answer = defence ? trainer().defended(*board, m, known) : trainer().attacked(*board, m, known);
  Writer out;
  out.put(static_cast<int>(answer.state));
  out.put(answer.reply);
  out.put(answer.loses);
  out.put_list(answer.refutation);
}

void tengen_puzzle_line() { Writer().put_list(trainer().line(*board)); }

int tengen_idea(int move, int defence) { return static_cast<int>(idea_of(*board, static_cast<Move>(move), defence)); }

void tengen_mine() {
  static ForcedPlay forced(kPuzzleNodes);
  const auto found = puzzle_at(*board, forced);
  Writer out;
  out.put(found.has_value());
  if (!found) return;
  out.put(static_cast<int>(found->goal.kind));
  out.put(found->choices);
  out.put_list(found->goal.line);
  out.put_list(found->solutions);
  out.put(static_cast<std::int64_t>(found->themes.size()));
  for (const Theme theme : found->themes) out.put(static_cast<int>(theme));
}

int tengen_puzzle_rating(int count, int attacks, int choices, int solutions) {
  std::vector<Share> shares;
  for (int i = 0; i < count; ++i) {
    const std::int32_t* at = tengen::wasm::buffer.data() + 2 * i;
    shares.push_back({at[0] / 1000.0, at[1] / 1000.0});
  }
  return puzzle_rating(shares, attacks, choices, solutions);
}

void tengen_rate(double value, double deviation, double volatility, double puzzle, int solved) {
  const Rating opponent{puzzle, kPuzzleDeviation};
  const Rating now = after_games({value, deviation, volatility}, {{opponent, solved ? 1.0 : 0.0}});
  Writer out;
  out.put_double(now.value);
  out.put_double(now.deviation);
  out.put_double(now.volatility);
}

void tengen_estimate(int count) {
  std::vector<Fare> fares;
  for (int i = 0; i < count; ++i) {
    const std::int32_t* at = tengen::wasm::buffer.data() + 3 * i;
    fares.push_back({at[0] / 1000.0, at[1] / 2.0, static_cast<double>(at[2])});
  }
  const auto found = estimate(fares);
  Writer out;
  out.put(found.has_value());
  for (const double number : {found ? found->elo : 0, found ? found->low : 0, found ? found->high : 0})
    out.put_double(number);
}

void tengen_repeat(int step, double due, int solved, double now) {
  const auto before = step < 0 ? std::nullopt : std::optional(Repetition{step, due});
  const auto after = after_attempt(before, solved, now);
  Writer out;
  out.put(after.has_value());
  out.put(after ? after->step : 0);
  out.put_double(after ? after->due : 0);
}

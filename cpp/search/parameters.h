// Every constant of the alphabeta engine that a match may decide, in one place: name, value, range, meaning.
//
// In the build that is shipped each of them is a compile-time constant and costs nothing. Built with TENGEN_TUNE (see
// cpp/bench), each engine carries its own set, so that two sets can play each other in one process: `tengen ab`
// compares sets and `tengen spsa` tunes them. Scores are in evaluation units, 200 for each factor of e in the odds.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace tengen {

// X(name, value, lowest, highest, meaning)
#define TENGEN_PARAMETERS(X)                                                                             \
  X(quiescence_fours, 10, 0, 40, "fours in a row the quiescence search tries")                           \
  X(quiescence_narrow, 1, 0, 1, "later fours of the quiescence search must be close to the one before")  \
  X(quiescence_rich, 2, 0, 20, "fours in a row that made something else before one that does not")       \
  X(razor_depth, 3, 0, 8, "deepest node razored into the quiescence search")                             \
  X(razor_base, 91, 0, 1000, "constant part of the margin of razoring")                                  \
  X(razor_margin, 9, 0, 1000, "margin of razoring for each ply")                                         \
  X(futility_depth, 6, 0, 20, "deepest node cut off by its evaluation alone")                            \
  X(futility_margin, 36, 0, 1000, "margin of that cut-off for each ply")                                 \
  X(futility_base, 39, 0, 1000, "constant part of that margin")                                          \
  X(limit_base, 1, 0, 40, "moves tried at a node of depth 1 or 2 before depth counts")                   \
  X(limit_growth, 56, 0, 400, "how that limit grows with the square of the depth, in percent")           \
  X(limit_deep_base, 3, 0, 100, "moves tried at a deeper node before depth counts")                      \
  X(limit_deep_growth, 82, 0, 1000, "how that limit grows with the depth, in percent")                   \
  X(limit_threes, 155, 100, 10000, "limit for moves that make or stop a three, in percent of the other") \
  X(limit_pv, 373, 50, 1000, "moves tried on the principal variation, in percent of limit_deep")         \
  X(eval_mean, 50, 0, 100, "share of the evaluation before the last move in a node's, in percent")       \
  X(line_share, 75, 0, 100, "its share of the evaluation, in percent; the tables have the rest")         \
  X(line_mean, 9, 0, 100, "eval_mean where a network evaluates")                                         \
  X(line_lazy, 200, 0, 40000, "the tables alone decide when they see the score so far off the window")   \
  X(policy_depth, 2, 1, 100, "from this depth of a node the network's policy helps to order its moves")  \
  X(policy_share, 81, 0, 100, "its share of the order, in percent; the tables have the rest")            \
  X(table_eval, 1, 0, 1, "a remembered score replaces the evaluation where its bound allows")            \
  X(raised_reduction, 1, 0, 3, "plies less for the other moves once alpha was raised")                   \
  X(move_futility_depth, 4, 0, 20, "deepest node where late quiet moves are skipped by evaluation")      \
  X(move_futility_base, 159, 0, 1000, "constant part of the margin for skipping them")                   \
  X(move_futility_margin, 54, 0, 1000, "margin for skipping them for each ply")                          \
  X(internal_depth, 4, 1, 20, "from this depth an unknown node is searched one ply less")                \
  X(singular_depth, 7, 3, 20, "from this depth a move is tested for being the only good one")            \
  X(singular_margin, 10, 0, 100, "how much worse the others must be, for each ply")                      \
  X(singular_age, 3, 0, 10, "how much shallower the remembered result may be")                           \
  X(reduction_base, 120, -200, 300, "late-move reductions, in 1/100 ply: constant part")                 \
  X(reduction_growth, 41, 10, 200, "times log(depth) log(move)")                                         \
  X(reduction_cut, 72, 0, 400, "for an expected cut node")                                               \
  X(reduction_pv, 105, 0, 400, "less on the principal variation")                                        \
  X(reduction_worse, 55, 0, 400, "when the evaluation does not rise")                                    \
  X(reduction_history, 34, 0, 200, "less for each 1000 of history")                                      \
  X(reduction_four, 157, 0, 800, "less for a move that makes a four")                                    \
  X(history_bonus, 32, 0, 400, "history for a cut-off, times depth squared")                             \
  X(history_most, 2000, 100, 8000, "most history for one cut-off")                                       \
  X(order_history, 2, 1, 64, "history is divided by this when moves are ordered")                        \
  X(order_killer, 896, 0, 4000, "order bonus of a killer move")                                          \
  X(order_counter, 898, 0, 4000, "order bonus of the counter-move")                                      \
  X(aspiration_depth, 4, 1, 20, "from this depth the root window is narrow")                             \
  X(aspiration_width, 29, 5, 1000, "half the width of the first root window")                            \
  X(root_vcf_share, 8, 1, 100, "part of the nodes or time for a win by fours at the root: one in this")  \
  X(root_vcf_nodes, 50000, 0, 10000000, "most nodes for a win by fours at the root")                     \
  X(root_vct_share, 16, 1, 100, "the same for a win by threats")                                         \
  X(root_vct_nodes, 1000000, 0, 10000000, "most nodes for a win by threats at the root")                 \
  X(root_vct_depth, 6, 1, 20, "depth after which it is looked for")                                      \
  X(root_vct_score, 300, -1000, 1000, "least score of that depth")                                       \
  X(caro_futility_margin, 120, 0, 1000, "futility_margin under caro")                                    \
  X(caro_limit_base, 40, 0, 400, "limit_deep_base under caro")

struct Parameters {
#ifdef TENGEN_TUNE
#define X(name, value, low, high, meaning) int name = value;
#else
#define X(name, value, low, high, meaning) static constexpr int name = value;
#endif
  TENGEN_PARAMETERS(X)
#undef X
};

struct ParameterInfo {
  std::string_view name;
  int value, low, high;  // value: as it is shipped
  std::string_view meaning;
#ifdef TENGEN_TUNE
  int Parameters::* field;
#endif
};

inline constexpr auto kParameters = std::to_array<ParameterInfo>({
#ifdef TENGEN_TUNE
#define X(name, value, low, high, meaning) {#name, value, low, high, meaning, &Parameters::name},
#else
#define X(name, value, low, high, meaning) {#name, value, low, high, meaning},
#endif
    TENGEN_PARAMETERS(X)
#undef X
});

// Late-move reductions in 1/100 ply, [depth][number of the move].
class Reductions {
 public:
  explicit Reductions(const Parameters& p) {
    for (int d = 1; d < kDepths; ++d)
      for (int n = 1; n < kMoves; ++n)
        table_[d][n] = static_cast<std::int16_t>(p.reduction_base + p.reduction_growth * std::log(d) * std::log(n));
  }
  int operator()(int depth, int move) const {
    return table_[depth < kDepths ? depth : kDepths - 1][move < kMoves ? move : kMoves - 1];
  }

 private:
  static constexpr int kDepths = 64, kMoves = 128;
  std::array<std::array<std::int16_t, kMoves>, kDepths> table_{};
};

}  // namespace tengen

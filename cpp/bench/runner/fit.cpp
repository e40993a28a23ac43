#include "bench/runner/fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <stdexcept>

#include "bench/runner/data.h"
#include "bench/runner/fit_tables.h"
#include "rules/rng.h"
#include "rules/threats.h"
#include "search/evaluate.h"
#include "search/movegen.h"

namespace tengen::bench {
namespace {

constexpr int kBatch = 2048;
constexpr int kHeldOut = 20;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// The games of all files, with the board each is played on.
struct Games {
  std::vector<Variant> variants;
  std::vector<DataGame> games;
  std::vector<std::uint8_t> variant_of;
};

Games load(const std::vector<std::string>& files) {
  Games all;
  for (const auto& path : files) {
    DataReader reader(path);
    if (!all.variants.empty() && all.variants[0].rule != reader.header().variant.rule)
      throw std::runtime_error(path + " is of another rule than the files before it");
    all.variants.push_back(reader.header().variant);
    for (DataBlock block; reader.next(block);)
      for (auto& game : block.games) {
        all.games.push_back(std::move(game));
        all.variant_of.push_back(static_cast<std::uint8_t>(all.variants.size() - 1));
      }
    if (reader.damaged()) std::fprintf(stderr, "%s: its end is damaged and was left out\n", path.c_str());
  }
  if (all.games.empty()) throw std::runtime_error("the data files hold no games");
  return all;
}

struct Loss {
  double value = 0, moves = 0;
  std::int64_t positions = 0, choices = 0, first = 0;
};

class Fit {
 public:
  Fit(const FitPlan& plan, const Games& data)
      : plan_(plan), data_(data), model_(data.variants[0].rule == Rule::Renju ? 2 : 1) {}

  // One game's positions; `learn` adds their gradients.
  void read(const DataGame& game, const Variant& v, bool learn, Loss& loss) {
    Position start(v.width, v.height, v.k, v.rule);
    for (const Move m : game.opening) start.play(m);
    ThreatBoard board(start);
    std::size_t trusted = 0;  // from here on the result says something: no foreign move comes after
    for (std::size_t i = 0; i < game.plies.size(); ++i)
      if (game.plies[i].move != game.plies[i].best) trusted = i + 1;
    for (std::size_t i = 0; i < game.plies.size(); ++i) {
      const auto& ply = game.plies[i];
      const auto kind = judge(board).kind;
      if (kind == Verdict::Kind::Open || kind == Verdict::Kind::Defend)
        position(board, game, ply, i >= trusted, learn, loss);
      if (i + 1 < game.plies.size()) board.play(ply.move);
    }
  }

  bool batch_full() const { return in_batch_ >= kBatch; }
  void step(double rate, double positions) {
    if (in_batch_) model_.step(rate, 2 * plan_.pull / positions);
    in_batch_ = 0;
  }
  Model& model() { return model_; }

 private:
  void position(const ThreatBoard& board, const DataGame& game, const DataGame::Ply& ply, bool trusted, bool learn,
                Loss& loss) {
    const int own = index(board.turn()), side = model_.sides == 1 ? 0 : own, other = model_.sides == 1 ? 0 : 1 - own;
    list_cells(board, ply.best);
    const bool proven = std::abs(ply.value) > kValueLimit;
    if (!proven || plan_.proven) evaluate_position(board, game, ply, trusted, side, other, learn, loss);
    if (chosen_ >= 0) choose(side, other, learn, loss);
  }

  void list_cells(const ThreatBoard& board, Move best) {
    cells_ = 0, chosen_ = -1;
    const Color own = board.turn();
    for (Move m = 0; m < board.position().cells(); ++m) {
      const int a = code_id(board.code(own, m)), b = code_id(board.code(~own, m));
      if (!a && !b) continue;
      if (m == best) chosen_ = cells_;
      own_[cells_] = static_cast<std::uint16_t>(a), other_[cells_] = static_cast<std::uint16_t>(b);
      ++cells_;
    }
  }

  void evaluate_position(const ThreatBoard& board, const DataGame& game, const DataGame::Ply& ply, bool trusted,
                         int side, int other, bool learn, Loss& loss) {
    const int mask = threat_mask(board);
    CodeTable &moving = model_.side[side].moving, &waiting = model_.side[other].waiting;
    MaskTable& threats = model_.side[side].threats;
    double logit = threats.value[mask];
    for (int i = 0; i < cells_; ++i) logit += moving.value[own_[i]] - waiting.value[other_[i]];
    const double searched = std::abs(ply.value) > kValueLimit ? ply.value > 0 : sigmoid(ply.value / double{kValueUnit});
    const double result = game.winner < 0 ? 0.5 : game.winner == index(board.turn());
    const double target = trusted ? plan_.search_share * searched + (1 - plan_.search_share) * result : searched;
    loss.value += std::log1p(std::exp(-std::abs(logit))) + std::max(logit, 0.0) - target * logit;
    ++loss.positions;
    if (!learn) return;
    ++in_batch_;
    const auto gradient = static_cast<float>((sigmoid(logit) - target) / kBatch);
    threats.gradient[mask] += gradient;
    for (int i = 0; i < cells_; ++i) {
      moving.gradient[own_[i]] += gradient;
      waiting.gradient[other_[i]] -= gradient;
    }
  }

  void choose(int side, int other, bool learn, Loss& loss) {
    CodeTable &own = model_.side[side].own_move, &opponent = model_.side[other].opponent_move;
    double top = -1e9, total = 0;
    for (int i = 0; i < cells_; ++i) top = std::max(top, logits_[i] = own.value[own_[i]] + opponent.value[other_[i]]);
    const double chosen = logits_[chosen_];
    for (int i = 0; i < cells_; ++i) total += logits_[i] = std::exp(logits_[i] - top);
    loss.moves += std::log(total) + top - chosen;
    loss.first += chosen >= top;
    ++loss.choices;
    if (!learn) return;
    for (int i = 0; i < cells_; ++i) {
      const auto gradient = static_cast<float>((logits_[i] / total - (i == chosen_)) / kBatch);
      own.gradient[own_[i]] += gradient;
      opponent.gradient[other_[i]] += gradient;
    }
  }

  const FitPlan& plan_;
  const Games& data_;
  Model model_;
  int in_batch_ = 0, cells_ = 0, chosen_ = -1;
  std::array<std::uint16_t, kMaxCells> own_, other_;
  std::array<double, kMaxCells> logits_;
};

}  // namespace

void fit(const FitPlan& plan) {
  const Games data = load(plan.files);
  auto run = std::make_unique<Fit>(plan, data);
  std::vector<std::size_t> train, held;
  for (std::size_t i = 0; i < data.games.size(); ++i) (i % kHeldOut ? train : held).push_back(i);
  double positions = 0;
  for (const auto i : train) positions += static_cast<double>(data.games[i].plies.size());
  Rng random(plan.seed);
  double seen = 0;
  for (int epoch = 1; epoch <= plan.epochs; ++epoch) {
    for (std::size_t i = train.size(); i > 1; --i) std::swap(train[i - 1], train[random.next() % i]);
    Loss learned, tested;
    for (const auto i : train) {
      run->read(data.games[i], data.variants[data.variant_of[i]], true, learned);
      seen += static_cast<double>(data.games[i].plies.size());
      if (run->batch_full()) run->step(plan.rate * std::max(0.0, 1 - seen / (positions * plan.epochs)), positions);
    }
    for (const auto i : held) run->read(data.games[i], data.variants[data.variant_of[i]], false, tested);
    std::printf("epoch %d: %lld positions, loss %.5f, held out %.5f; moves %.4f, held out %.4f, first %.1f %%\n", epoch,
                static_cast<long long>(learned.positions), learned.value / learned.positions,
                tested.value / tested.positions, learned.moves / learned.choices, tested.moves / tested.choices,
                100.0 * tested.first / tested.choices);
    std::fflush(stdout);
  }
  write_header(plan.header, data.variants[0].rule, run->model());
}

}  // namespace tengen::bench

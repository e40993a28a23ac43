#include "env/vector_env.h"

#include <algorithm>
#include <stdexcept>

#include "env/attack.h"
#include "search/greedy.h"
#include "search/minimax.h"

namespace tengen {
namespace {

constexpr std::int64_t kFoursNodes = 2000;  // of a search for a win by fours; most end long before

Move random_move(const ThreatBoard& board, Rng& random) {
  const Position& p = board.position();
  for (;;) {
    const auto m = static_cast<Move>(random.below(p.cells()));
    if (p.legal(m)) return m;
  }
}

using Opponent = std::function<Move(const ThreatBoard&, Rng&)>;

Opponent sure_opponent(const EnvConfig& config) {
  if (config.opponent == "self") return {};
  if (config.opponent == "random") return random_move;
  if (config.opponent == "greedy")
    return [scratch = std::vector<Move>()](const ThreatBoard& board, Rng& random) mutable {
      return greedy_move(board, random, scratch);
    };
  if (config.opponent == "minimax")
    return [depth = config.depth](const ThreatBoard& board, Rng& random) {
      SearchLimit limit;
      limit.depth = depth;
      return Minimax(board.position(), random.next()).run(limit).move;
    };
  throw std::invalid_argument("unknown opponent '" + config.opponent +
                              "'; choose one of random, greedy, minimax, self");
}

Opponent make_opponent(const EnvConfig& config) {
  Opponent sure = sure_opponent(config);
  if (!sure || config.errors <= 0) return sure;
  return [sure = std::move(sure), errors = config.errors](const ThreatBoard& board, Rng& random) {
    return random.uniform() < errors ? random_move(board, random) : sure(board, random);
  };
}

}  // namespace

double RewardRule::worth(Shape s) const {
  switch (s) {
    case Shape::Five: return five;
    case Shape::OpenFour:
    case Shape::DoubleFour: return open_four;
    case Shape::Four: return four;
    case Shape::OpenThree: return open_three;
    case Shape::ClosedThree: return closed_three;
    case Shape::OpenTwo: return open_two;
    case Shape::ClosedTwo: return closed_two;
    default: return 0;
  }
}

double RewardRule::step(Shape own, Shape answer_made, Shape broken_one) const {
  if (!shaped) return 0;
  const double mine = worth(own);
  return mine - answer.of(worth(answer_made), mine, std::max(mine, second)) +
         broken.of(worth(broken_one), broken_first, second);
}

VecEnv::VecEnv(const EnvConfig& config, int boards)
    : config_(config), empty_(Position(config.width, config.height, config.k, config.rule)),
      opponent_(make_opponent(config)) {
  Rng seeds(config.seed);
  for (int i = 0; i < boards; ++i) games_.push_back({empty_, Rng(seeds.next())});
  reset();
}

void VecEnv::reset() {
  for (auto& game : games_) begin(game);
}

// An opening may not decide the game; one that does is drawn again.
void VecEnv::begin(Game& game) {
  do {
    game.board = empty_;
    open(game);
  } while (game.board.over());
  const bool second = config_.seat == Seat::Second || (config_.seat == Seat::Random && game.random.below(2));
  const Color agent = second ? Color::White : Color::Black;
  if (opponent_ && game.board.turn() != agent) game.board.play(opponent_(game.board, game.random));
  game.stones_before = game.board.position().stones();
}

void VecEnv::open(Game& game) {
  const Position& p = game.board.position();
  const int reach_x = std::min(2, p.width() / 2 - 1), reach_y = std::min(2, p.height() / 2 - 1);
  for (int stones = 0; stones < config_.opening && !game.board.over();) {
    const int col = p.width() / 2 - reach_x + game.random.below(2 * reach_x + 1);
    const int row = p.height() / 2 - reach_y + game.random.below(2 * reach_y + 1);
    const auto m = static_cast<Move>(row * p.width() + col);
    if (!p.legal(m)) continue;
    game.board.play(m);
    ++stones;
  }
}

bool VecEnv::legal(int i, std::int32_t action) const {
  return action >= 0 && action < cells() && games_[i].board.position().legal(static_cast<Move>(action));
}

void VecEnv::step(const std::int32_t* actions, float* rewards, std::int8_t* results, std::int32_t* lengths) {
  for (int i = 0; i < size(); ++i) {
    Result result = Result::Ongoing;
    rewards[i] = play_step(games_[i], static_cast<Move>(actions[i]), result);
    results[i] = static_cast<std::int8_t>(result);
    lengths[i] = 0;
    if (result == Result::Ongoing) continue;
    lengths[i] = games_[i].board.position().stones();
    begin(games_[i]);
  }
}

float VecEnv::play_step(Game& game, Move m, Result& result) {
  const RewardRule& reward = config_.reward;
  const Color agent = game.board.turn();
  const Shape own = best_shape(game.board, agent, m), broken = best_shape(game.board, ~agent, m);
  Shape answered = Shape::None;
  game.board.play(m);
  if (opponent_ && !game.board.over()) {
    const Move answer = opponent_(game.board, game.random);
    answered = best_shape(game.board, ~agent, answer);
    game.board.play(answer);
  }
  result = result_of(game, agent);
  switch (result) {
    case Result::Win: return static_cast<float>(reward.win);
    case Result::Loss: return static_cast<float>(reward.loss);
    case Result::Draw: return static_cast<float>(reward.draw);
    default: return static_cast<float>(reward.step(own, answered, broken));
  }
}

Result VecEnv::result_of(const Game& game, Color agent) const {
  if (game.board.position().won()) return game.board.position().winner() == agent ? Result::Win : Result::Loss;
  return game.board.over() ? Result::Draw : Result::Ongoing;
}

void VecEnv::observe(float* planes) const {
  std::fill_n(planes, static_cast<std::size_t>(size()) * 2 * cells(), 0.0f);
  for (const auto& game : games_) {
    const Position& p = game.board.position();
    for (int m = 0; m < cells(); ++m) {
      if (p.empty(static_cast<Move>(m))) continue;
      planes[p.holds(static_cast<Move>(m), p.turn()) ? m : cells() + m] = 1.0f;
    }
    planes += 2 * cells();
  }
}

void VecEnv::mask(std::uint8_t* out, int near) const {
  for (const auto& game : games_) {
    const Position& p = game.board.position();
    int top = p.height(), bottom = -1, left = p.width(), right = -1;
    for (int m = 0; near >= 0 && m < cells(); ++m)
      if (!p.empty(static_cast<Move>(m))) {
        top = std::min(top, m / p.width() - near), bottom = std::max(bottom, m / p.width() + near);
        left = std::min(left, m % p.width() - near), right = std::max(right, m % p.width() + near);
      }
    const bool everywhere = bottom < 0;
    for (int m = 0; m < cells(); ++m) {
      const int row = m / p.width(), col = m % p.width();
      const bool inside = everywhere || (row >= top && row <= bottom && col >= left && col <= right);
      *out++ = inside && p.legal(static_cast<Move>(m));
    }
  }
}

void VecEnv::greedy_actions(std::int32_t* out) {
  for (int i = 0; i < size(); ++i) out[i] = greedy_move(games_[i].board, games_[i].random, scratch_);
}

void VecEnv::forced_actions(std::int32_t* out) {
  for (int i = 0; i < size(); ++i) {
    scratch_.clear();
    forced_moves(games_[i].board, scratch_);
    out[i] = scratch_[games_[i].random.below(static_cast<int>(scratch_.size()))];
  }
}

void VecEnv::attack_actions(std::int32_t* out, int stones) {
  for (int i = 0; i < size(); ++i) {
    Game& game = games_[i];
    const Answers one = [&](const ThreatBoard& board) { return std::vector{opponent_(board, game.random)}; };
    const Move m = opponent_ ? attack_move(game.board, stones, one) : win_by_fours(game.board, stones);
    out[i] = m == kNoMove ? -1 : m;
  }
}

Move VecEnv::win_by_fours(ThreatBoard& board, int stones) {
  if (!fours_) fours_ = std::make_unique<Vcf>();
  const bool win = fours_->solve(board, board.turn(), kFoursNodes).win;
  return win && static_cast<int>(fours_->line().size()) < 2 * stones ? fours_->first() : kNoMove;
}

void VecEnv::plan_actions(std::int32_t* out, const std::uint8_t* asked, int quiet, int stones,
                          const std::function<void()>& pause) {
  if (opponent_ && (!planner_ || planned_stones_ != stones)) {
    planner_ = std::make_unique<Planner>(
        stones, [this, lots = Rng(config_.seed)](const ThreatBoard& board) mutable { return opponent_(board, lots); },
        pause);
    planned_stones_ = stones;
  }
  for (int i = 0; i < size(); ++i) {
    const Game& game = games_[i];
    const int stones_now = game.board.position().stones();
    const int made = (stones_now - game.stones_before) / 2 - (game.stones_before == 0);  // own moves that count
    const int left = std::max(0, quiet - std::max(0, made));
    const Move m = opponent_ && stones_now > 0 && asked[i] ? planner_->move(game.board, left) : kNoMove;
    out[i] = m == kNoMove ? -1 : m;
  }
}

}  // namespace tengen

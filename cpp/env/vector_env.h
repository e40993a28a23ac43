// Many boards stepped together for reinforcement learning, with the opponent inside: one step is my stone and the
// opponent's answer. A finished game starts again at once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "env/plan.h"
#include "rules/rng.h"
#include "rules/threats.h"
#include "solve/vcf.h"

namespace tengen {

// The reward of a step. Shaped: what my stone made, less what the answer made, plus what my stone spoilt.
struct RewardRule {
  // A share of a worth that depends on how large the worth is: low up to the first bound, mid up to the second.
  struct Share {
    double low, mid, high;
    double of(double worth, double first, double second) const {
      return worth * (worth <= first ? low : worth <= second ? mid : high);
    }
  };
  bool shaped = true;
  double win = 800, loss = -200, draw = -20;
  double five = 200, open_four = 100, four = 60, open_three = 30, closed_three = 20, open_two = 10, closed_two = 5;
  Share answer{0.3, 0.5, 0.8};  // first bound: the worth of my own shape
  Share broken{0.3, 0.5, 1.0};
  double broken_first = 20, second = 60;

  double worth(Shape s) const;
  // Shapes made by my stone, by the answer, and those my stone took from the opponent.
  double step(Shape own, Shape answer_made, Shape broken_one) const;
};

enum class Seat : std::uint8_t { First, Second, Random };
enum class Result : std::int8_t { Loss = -1, Ongoing = 0, Win = 1, Draw = 2 };

struct EnvConfig {
  int width = 7, height = 7, k = 5;
  Rule rule = Rule::Freestyle;
  std::string opponent = "greedy";  // random, greedy, minimax, or self: every step is one stone of the side to move
  int depth = 2;                    // of minimax
  Seat seat = Seat::First;
  int opening = 0;    // random stones of both sides in turn, near the centre, before play
  double errors = 0;  // how often the opponent plays any legal move instead of its own
  RewardRule reward;
  std::uint64_t seed = 0;
};

class VecEnv {
 public:
  VecEnv(const EnvConfig& config, int boards);

  int size() const { return static_cast<int>(games_.size()); }
  int cells() const { return config_.width * config_.height; }
  const ThreatBoard& board(int i) const { return games_[i].board; }

  void reset();
  // All actions must be legal: see legal(). Fills rewards, results and game lengths (0 while a game goes on).
  void step(const std::int32_t* actions, float* rewards, std::int8_t* results, std::int32_t* lengths);

  bool legal(int i, std::int32_t action) const;
  // Own and opponent's stones of the side to move, [size, 2, height, width].
  void observe(float* planes) const;
  // 1 where the agent may play; with `near` >= 0 only within the rectangle around the stones grown by that much.
  void mask(std::uint8_t* out, int near) const;
  // An action of the greedy rule for every board, as the DQN course report explores.
  void greedy_actions(std::int32_t* out);
  // The same by `forced_moves`: only what is forced, else at random beside the stones.
  void forced_actions(std::int32_t* out);
  // For every board the first move of a win by at most `stones` forcing moves against this opponent, -1 where none is
  // seen. Playing against itself there is no opponent to know: there it is a win by fours, whatever the answers.
  void attack_actions(std::int32_t* out, int stones);
  // For every board that is `asked` a move of a plan (see Planner): the agent's first moves may be quiet, at most
  // `quiet` of them, not counting a stone on the empty board. -1 there and where there is no plan. No board changes,
  // even if `pause` throws.
  void plan_actions(std::int32_t* out, const std::uint8_t* asked, int quiet, int stones,
                    const std::function<void()>& pause);

 private:
  struct Game {
    ThreatBoard board;
    Rng random;
    int stones_before = 0;  // stones that lay at the agent's first turn
  };

  void begin(Game& game);
  void open(Game& game);
  float play_step(Game& game, Move m, Result& result);
  Result result_of(const Game& game, Color agent) const;
  Move win_by_fours(ThreatBoard& board, int stones);

  EnvConfig config_;
  ThreatBoard empty_;
  std::function<Move(const ThreatBoard&, Rng&)> opponent_;
  std::vector<Game> games_;
  std::unique_ptr<Vcf> fours_;        // finds wins against itself
  std::unique_ptr<Planner> planner_;  // knows plans with at most planned_stones_ forcing moves
  int planned_stones_ = 0;
  std::vector<Move> scratch_;
};

}  // namespace tengen

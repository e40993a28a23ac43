#include "lines/selfplay.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <thread>

#include "tree/opening.h"

namespace tengen {
namespace {

struct PlayedLineGame {
  std::vector<std::int16_t> moves, policy_moves;
  int opening = 0, winner = -1;
  std::vector<float> values, surprise, policy_shares;
  std::vector<char> learned;
  std::vector<std::int32_t> counts;
  LinePlayStats stats;
};

Move draw_from(const std::vector<float>& shares, Rng& rng) {
  double sum = 0;
  for (const float s : shares) sum += s;
  double at = rng.uniform() * sum;
  int last = 0;
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (shares[i] > 0) {
      last = static_cast<int>(i);
      if ((at -= shares[i]) < 0) break;
    }
  return static_cast<Move>(last);
}

// Plays one game from beginning to end.
class LineGame {
 public:
  LineGame(const LineNetwork& network, const Position& start, const LinePlayOptions& options, std::uint64_t seed)
      : network_(network), options_(options), rng_(seed), board_(start), policy_(start.cells()) {}

  PlayedLineGame play() {
    open();
    LineTree tree(network_, board_, options_.search);
    while (!tree.board().over()) make_move(tree);
    const Position& p = tree.board().position();
    game_.winner = p.won() ? index(p.winner()) : -1;
    for (int i = 0; i < p.ply(); ++i) game_.moves.push_back(p.move_at(i));
    game_.stats.plies = p.ply() - game_.opening;
    return std::move(game_);
  }

 private:
  // Openings are drawn until a search finds one level; the best of them if none is.
  void open() {
    const ThreatBoard empty = board_;
    float best = 2;
    for (int i = 0; i < std::max(1, options_.opening_checks) && best > options_.opening_bound; ++i) {
      ThreatBoard drawn = empty;
      place_stones(drawn);
      const float unevenness = options_.opening_checks > 0 ? off_level(judged(drawn), drawn) : 0.0f;
      if (unevenness < best) best = unevenness, board_ = drawn;
    }
    game_.opening = board_.position().ply();
  }

  // Random stones, then one that leaves the game level as far as the network can tell without a search.
  void place_stones(ThreatBoard& board) {
    int stones = options_.opening_min + rng_.below(std::max(0, options_.opening_max - options_.opening_min) + 1);
    while (stones > 0 && !play_random_opening(board, stones - 1, rng_)) --stones;
    if (stones <= 0) return;
    const auto tries = quiet_moves(board, std::max(1, options_.opening_tries), rng_);
    std::vector<float> level;
    for (const Move m : tries) {
      board.play(m);
      const float off = off_level(LineFeatures(network_, board.position()).value(board.turn()), board);
      board.undo();
      level.push_back(std::pow(std::max(1 - off * off, 1e-3f), 16.0f));
    }
    if (!tries.empty()) board.play(tries[draw_from(level, rng_)]);
  }

  // How far a value for the side to move is from what counts as level.
  float off_level(float value, const ThreatBoard& board) const {
    return std::abs((board.turn() == Color::Black ? value : -value) - options_.opening_level);
  }

  float judged(const ThreatBoard& board) {
    LineTree tree(network_, board, options_.search);
    game_.stats.simulations += tree.think({.sims = options_.visits / 2 + 1});
    return tree.value();
  }

  void make_move(LineTree& tree) {
    tree.open_root();
    const bool fast = options_.fast_fraction > 0 && rng_.uniform() < options_.fast_fraction;
    std::vector<float> priors;
    for (const LineEdge& e : tree.moves()) priors.push_back(e.prior);
    if (!fast && options_.noise_fraction > 0) tree.mix_noise(rng_, options_.noise_alpha, options_.noise_fraction);
    const auto have = static_cast<std::int64_t>(tree.root().visits.load());
    const std::int64_t want = fast ? options_.fast_visits : options_.visits;
    // At least a few simulations, so that a kept tree is looked at again with its noise.
    game_.stats.simulations += tree.think({.sims = std::max<std::int64_t>(want - have, want / 8 + 1)});
    record(tree, priors, fast);
    tree.advance(choose(tree));
  }

  void record(const LineTree& tree, const std::vector<float>& priors, bool fast) {
    const Proof proof = tree.proof();
    tree.policy(1.0f, policy_.data());
    int count = 0;
    float surprise = 0;
    const auto moves = tree.moves();
    for (std::size_t i = 0; proof != Proof::Loss && i < moves.size(); ++i) {
      const float share = policy_[moves[i].move];
      if (share <= 0) continue;
      game_.policy_moves.push_back(moves[i].move);
      game_.policy_shares.push_back(share);
      surprise += share * std::log(share / std::max(priors[i], 1e-6f));
      ++count;
    }
    game_.counts.push_back(count);
    game_.values.push_back(std::clamp(tree.value(), -1.0f, 1.0f));
    game_.learned.push_back(!fast);
    game_.surprise.push_back(std::max(0.0f, surprise));
  }

  Move choose(const LineTree& tree) {
    const int played = tree.board().position().ply() - game_.opening;
    if (tree.proof() != Proof::None || played >= options_.temperature_moves) return tree.best();
    tree.policy(options_.temperature, policy_.data());
    // Every move that was tried may have turned out lost.
    const bool any = std::any_of(policy_.begin(), policy_.end(), [](float share) { return share > 0; });
    return any ? draw_from(policy_, rng_) : tree.best();
  }

  const LineNetwork& network_;
  const LinePlayOptions& options_;
  Rng rng_;
  ThreatBoard board_;
  std::vector<float> policy_;
  PlayedLineGame game_;
};

// Half of the weight is everybody's, half goes by how much the search disagreed.
void weigh(std::vector<PlayedLineGame>& games, bool surprise, std::vector<float>& weights) {
  double sum = 0;
  std::int64_t rows = 0;
  for (const auto& g : games)
    for (std::size_t i = 0; i < g.values.size(); ++i)
      if (g.learned[i]) sum += g.surprise[i], ++rows;
  const float mean = rows ? static_cast<float>(sum / static_cast<double>(rows)) : 0.0f;
  for (const auto& g : games)
    for (std::size_t i = 0; i < g.values.size(); ++i) {
      const float w = surprise && mean > 0 ? 0.5f + 0.5f * std::min(g.surprise[i] / mean, 6.0f) : 1.0f;
      weights.push_back(g.learned[i] ? w : 0.0f);
    }
}

LineGames gathered(std::vector<PlayedLineGame>& games, const Position& start, bool surprise) {
  LineGames all;
  all.width = start.width(), all.height = start.height();
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (auto& g : games) {
    all.lengths.push_back(static_cast<std::int32_t>(g.moves.size()));
    all.openings.push_back(g.opening);
    all.winners.push_back(g.winner);
    append(all.moves, g.moves);
    append(all.values, g.values);
    append(all.counts, g.counts);
    append(all.policy_moves, g.policy_moves);
    append(all.policy_shares, g.policy_shares);
  }
  weigh(games, surprise, all.weights);
  return all;
}

}  // namespace

LineGames play_line_games(const LineNetwork& network, const Position& start, int games, std::uint64_t seed,
                          const LinePlayOptions& options, int threads, LinePlayStats& stats,
                          const std::function<bool(int)>& progress) {
  std::vector<PlayedLineGame> played(games);
  std::atomic<int> next{0}, done{0};
  std::atomic<bool> stop{false};
  const auto work = [&] {
    for (int i; !stop && (i = next.fetch_add(1)) < games;) {
      played[i] = LineGame(network, start, options, Rng::mix(seed + 0x9e3779b97f4a7c15ull * (i + 1))).play();
      const int finished = done.fetch_add(1) + 1;
      if (progress && !progress(finished)) stop = true;
    }
  };
  std::vector<std::thread> helpers;
  for (int i = 1; i < threads; ++i) helpers.emplace_back(work);
  work();
  for (auto& helper : helpers) helper.join();
  if (stop) return {};
  for (const auto& g : played) stats.simulations += g.stats.simulations, stats.plies += g.stats.plies;
  return gathered(played, start, options.surprise);
}

}  // namespace tengen

#include "tree/selfplay.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tengen {

GameSlot::GameSlot(const Position& start, const SearchOptions& options, Encoding encoding, EvalCache* cache,
                   std::uint64_t seed)
    : options_(options), encoding_(encoding), rng_(seed), start_(start),
      tree_(start_, options, encoding == Encoding::Shapes, cache), unturned_(start.cells()), opening_(start) {
  begin_game();
}

// ---------------------------------------------------------------------------------------------------------------------
// Openings

void GameSlot::begin_game() {
  game_ = {};
  searching_ = false;
  opening_ = start_;
  const int span = options_.opening_moves_max - options_.opening_moves_min;
  int moves = options_.opening_moves_min + (span > 0 ? rng_.below(span + 1) : 0);
  const bool balance = moves > 1 && options_.opening_tries > 1;
  while (moves > 0 && !play_random_opening(opening_, balance ? moves - 1 : moves, rng_)) --moves;
  balancing_ = false;
  if (balance && moves > 1) begin_balancing();
  if (!balancing_) tree_.restart(opening_);
}

void GameSlot::begin_balancing() {
  candidates_ = quiet_moves(opening_, options_.opening_tries, rng_);
  values_.clear();
  balancing_ = !candidates_.empty();
}

// Samples among the candidates by (1 - v^2)^4, so that games begin level.
void GameSlot::end_balancing() {
  std::vector<float> weights;
  for (const float v : values_) weights.push_back(std::pow(std::max(1 - v * v, 1e-3f), 4.0f));
  const Move pick = sample(weights.data(), static_cast<int>(weights.size()), rng_);
  opening_.play(candidates_[pick]);
  balancing_ = false;
  tree_.restart(opening_);
}

// ---------------------------------------------------------------------------------------------------------------------
// Playing on until the network is needed

bool GameSlot::run(std::vector<PlayedGame>& finished) {
  for (const std::size_t before = finished.size(); finished.size() == before;) {
    if (balancing_) {
      if (values_.size() < candidates_.size()) return true;
      end_balancing();
    }
    if (!searching_) {
      // The root's own evaluation comes first and is not a simulation.
      if (tree_.root().state == Node::State::New && tree_.root().proof == Proof::None) {
        if (tree_.select(pending_) == Tree::Result::Leaf) return true;
        continue;
      }
      begin_search();
    }
    if (search_over())
      make_move(finished);
    else if (simulate())
      return true;
  }
  return false;
}

void GameSlot::begin_search() {
  searching_ = true;
  done_ = 0;
  fast_ = options_.fast_fraction > 0 && rng_.uniform() < options_.fast_fraction;
  sims_ = fast_ ? options_.fast_sims : options_.sims;
  if (tree_.root().edge_count == 1) sims_ = 1;  // nothing to choose; one simulation tells what it is worth
  if (tree_.root().proof != Proof::None) return;
  if (options_.gumbel)
    gumbel_.begin(tree_, rng_, sims_, fast_ ? 0.0f : options_.gumbel_scale);
  else if (!fast_)
    add_noise(tree_, rng_, options_.noise_alpha, options_.noise_fraction);
}

bool GameSlot::search_over() const { return done_ >= sims_ || tree_.root().proof != Proof::None; }

// One simulation; true when it waits for the network.
bool GameSlot::simulate() {
  ++done_;
  return tree_.select(pending_, options_.gumbel ? gumbel_.next(tree_) : -1) == Tree::Result::Leaf;
}

void GameSlot::write_planes(float* out) {
  const Position& p = start_.position();
  symmetry_ = options_.random_symmetry ? rng_.below(symmetries(p.width(), p.height())) : 0;
  if (balancing_) {
    opening_.play(candidates_[values_.size()]);
    encode(opening_, encoding_, symmetry_, out);
    opening_.undo();
  } else if (encoding_ == Encoding::Stones) {
    encode_stones(tree_.leaf_position(), symmetry_, out);
  } else {
    encode_shapes(tree_.leaf_threats(), symmetry_, out);
  }
}

void GameSlot::answer(const float* logits, float value) {
  if (balancing_) {
    values_.push_back(value);
    ++opening_evaluations_;
    return;
  }
  if (symmetry_) {
    const auto& map = symmetry_map(start_.position().width(), start_.position().height(), symmetry_);
    for (std::size_t m = 0; m < map.size(); ++m) unturned_[m] = logits[map[m]];
    logits = unturned_.data();
  }
  tree_.expand(pending_, logits, value);
}

// ---------------------------------------------------------------------------------------------------------------------
// Moves and results

void GameSlot::record_root() {
  const int cells = start_.position().cells();
  const std::size_t at = game_.policies.size();
  game_.policies.resize(at + cells);
  if (options_.gumbel)
    gumbel_target(tree_, game_.policies.data() + at);
  else
    visit_target(tree_, 1.0f, game_.policies.data() + at);
  const Proof proof = tree_.root().proof;
  game_.root_values.push_back(tree_.root_value());
  game_.weights.push_back(fast_ && proof == Proof::None ? 0.0f : 1.0f);
  game_.proven.push_back(proof == Proof::Win ? 1 : proof == Proof::Loss ? -1 : 0);
}

Move GameSlot::choose_move() {
  const Node& root = tree_.root();
  if (root.proof != Proof::None) return proven_move(tree_);
  if (options_.random_move > 0 && rng_.uniform() < options_.random_move)
    return root.edges[rng_.below(root.edge_count)].move();
  if (options_.gumbel) return gumbel_.best(tree_);
  const int played = tree_.board().position().ply() - game_.opening;
  if (options_.temperature <= 0 || played >= options_.temperature_moves) return most_visited(tree_);
  std::vector<float> policy(start_.position().cells());
  visit_target(tree_, options_.temperature, policy.data());
  return sample(policy.data(), static_cast<int>(policy.size()), rng_);
}

void GameSlot::make_move(std::vector<PlayedGame>& finished) {
  if (game_.root_values.empty()) game_.opening = opening_.position().ply();
  record_root();
  const Proof proof = tree_.root().proof;
  const int us = index(tree_.board().turn());
  tree_.advance(choose_move(), options_.reuse_tree);
  searching_ = false;
  if (tree_.board().position().won()) return finish(finished, us);
  if (tree_.board().over()) return finish(finished, -1);
  if (proof == Proof::None || !options_.resign_proven) return;
  finish(finished, proof == Proof::Draw ? -1 : proof == Proof::Win ? us : 1 - us);
}

void GameSlot::finish(std::vector<PlayedGame>& finished, int winner) {
  const Position& p = tree_.board().position();
  for (int i = start_.position().ply(); i < p.ply(); ++i) game_.moves.push_back(p.move_at(i));
  game_.winner = winner;
  finished.push_back(std::move(game_));
  begin_game();
}

// ---------------------------------------------------------------------------------------------------------------------
// All slots

namespace {
constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();
}

SelfPlay::SelfPlay(const Position& start, Encoding encoding, int slots, std::uint64_t seed,
                   const SearchOptions& options, int games)
    : encoding_(encoding), cells_(start.cells()), cache_(std::make_unique<EvalCache>(options.cache_size, cells_)),
      idle_(slots, 0), to_start_(games > 0 ? games - slots : kEndless) {
  Rng seeds(seed);
  for (int i = 0; i < slots; ++i)
    games_.push_back(std::make_unique<GameSlot>(start, options, encoding, cache_.get(), seeds.next()));
}

int SelfPlay::select(float* planes) {
  waiting_.clear();
  const std::size_t before = finished_.size();
  for (int i = 0; i < slots(); ++i)
    if (gather(i, planes)) waiting_.push_back(i);
  for (std::size_t i = before; i < finished_.size(); ++i) plies_played_ += finished_[i].moves.size();
  games_played_ += finished_.size() - before;
  return waiting();
}

// Plays one slot, game after game, until it needs the network or may start no further game. Endless self-play on a
// board so small that games need no network comes up for air.
bool SelfPlay::gather(int slot, float* planes) {
  constexpr int kBreath = 1000;
  for (int games = 0; !idle_[slot] && (to_start_ < kEndless || games < kBreath); ++games) {
    if (games_[slot]->run(finished_)) {
      games_[slot]->write_planes(planes + waiting_.size() * plane_floats());
      return true;
    }
    if (to_start_ == kEndless) continue;
    if (to_start_ > 0)
      --to_start_;
    else
      idle_[slot] = 1;
  }
  return false;
}

void SelfPlay::expand(const float* logits, const float* values) {
  for (std::size_t i = 0; i < waiting_.size(); ++i) games_[waiting_[i]]->answer(logits + i * cells_, values[i]);
  waiting_.clear();
}

std::vector<PlayedGame> SelfPlay::take_games() { return std::exchange(finished_, {}); }

SelfPlayStats SelfPlay::stats() const {
  SelfPlayStats sum{.games = games_played_, .plies = plies_played_};
  for (const auto& game : games_) {
    sum.simulations += game->stats().simulations;
    sum.evaluations += game->evaluations();
    sum.cache_hits += game->stats().cache_hits;
  }
  return sum;
}

}  // namespace tengen

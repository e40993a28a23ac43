#include "search/alphabeta.h"

#include <algorithm>
#include <cstdlib>

namespace tengen {
namespace {

constexpr int kMaxDepth = 100;

}  // namespace

AlphaBeta::AlphaBeta(int threads, std::size_t hash_megabytes, std::uint64_t seed, const Parameters& parameters)
    : tuning_(parameters), threads_(threads), seed_(seed), table_(hash_megabytes) {}

void AlphaBeta::renew(std::uint64_t seed, const Parameters& parameters) {
  tuning_ = Tuning(parameters);
  seed_ = seed;
  table_.clear();
  vcf_.clear();
}

AlphaBeta::Report AlphaBeta::run(const ThreatBoard& board, const SearchLimit& limit, int lines) {
  const bool stopped = watch_.over();
  watch_.start(limit);
  if (stopped) watch_.stop();
  table_.begin_search(limit.nodes > 0);
  if (solve_by_fours(board, limit)) return snapshot();
  if (limit.nodes) watch_.limit_nodes(std::max<std::uint64_t>(1, (limit.nodes - solver_nodes_) / threads_));

  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < threads_; ++i) workers.push_back(std::make_unique<Worker>(board, table_, watch_, tuning_, seed_));
  {
    const Lock lock(mutex_);
    report_ = {workers[0]->root_moves, 0, 0, 0, 0};
  }
  const int depth = std::min(kMaxDepth, limit.depth ? limit.depth : std::min(kMaxDepth, board.position().empties()));
  Crew helpers;
  for (int i = 1; i < threads_; ++i) helpers.start([&, i] { deepen(*workers[i], i, kMaxDepth, 1); });
  deepen(*workers[0], 0, depth, lines);
  watch_.stop();
  helpers.join();

  const Lock lock(mutex_);
  report_.nodes = solver_nodes_;
  for (const auto& worker : workers) report_.nodes += worker->nodes();
  report_.seconds = watch_.seconds();
  return report_;
}

// A win by fours may be longer than any depth reached, yet cheap to find.
bool AlphaBeta::solve_by_fours(ThreatBoard board, const SearchLimit& limit) {
  if (limit.nodes) vcf_.clear();
  const Parameters& p = tuning_.parameters;
  const std::int64_t most = p.root_vcf_nodes;
  const std::int64_t nodes = limit.nodes ? std::min<std::int64_t>(most, limit.nodes / p.root_vcf_share) : most;
  const Color own = board.turn();
  const VcfResult found = vcf_.solve(board, own, {nodes, limit.seconds / p.root_vcf_share, nullptr});
  solver_nodes_ = static_cast<std::uint64_t>(found.nodes);
  if (!found.win) return false;
  const Lock lock(mutex_);
  const int plies = static_cast<int>(vcf_.line().size());
  report_ = {
      {{vcf_.first(), kMate - plies, kMate - plies, vcf_.line()}}, plies, plies, solver_nodes_, watch_.seconds()};
  return true;
}

AlphaBeta::Report AlphaBeta::snapshot() const {
  const Lock lock(mutex_);
  return report_;
}

// Helpers search the same tree a little deeper or shallower; what they find reaches the others through the table.
void AlphaBeta::deepen(Worker& worker, int id, int max_depth, int lines) {
  lines = std::min<int>(lines, static_cast<int>(worker.root_moves.size()));
  for (int depth = 1 + id % 2; depth <= max_depth && !watch_.over(); ++depth) {
    for (RootMove& root : worker.root_moves) root.guess = root.score;
    for (int first = 0; first < lines && !watch_.over(); ++first) search_window(worker, depth, first);
    if (id) continue;
    const bool finished = !watch_.over();
    if (!finished && lines > 1) break;  // half of the lines belong to the depth before
    std::stable_sort(worker.root_moves.begin(), worker.root_moves.begin() + lines,
                     [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
    publish(worker, finished ? depth : depth - 1);
    if (finished && std::abs(worker.root_moves[0].score) > kSureWin && lines == 1) break;
    if (finished && worker.root_moves.size() == 1 && depth >= 8) break;
  }
}

int AlphaBeta::search_window(Worker& worker, int depth, int first) {
  const int guess = worker.root_moves[first].guess;
  const Parameters& p = tuning_.parameters;
  int width = p.aspiration_width;
  int alpha = depth >= p.aspiration_depth ? std::max(guess - width, -kMate) : -kMate;
  int beta = depth >= p.aspiration_depth ? std::min(guess + width, kMate) : kMate;
  if (std::abs(guess) > kSureWin) alpha = -kMate, beta = kMate;
  for (;; width *= 4) {
    const int score = worker.search_root(depth, alpha, beta, first);
    if (watch_.over()) return score;
    if (score <= alpha && alpha > -kMate)
      alpha = width > 1000 ? -kMate : std::max(score - width, -kMate);
    else if (score >= beta && beta < kMate)
      beta = width > 1000 ? kMate : std::min(score + width, kMate);
    else
      return score;
  }
}

void AlphaBeta::publish(const Worker& worker, int depth) {
  {
    const Lock lock(mutex_);
    report_.lines = worker.root_moves;
    report_.depth = depth;
    report_.selective_depth = worker.selective_depth();
    report_.nodes = solver_nodes_ + worker.nodes() * threads_;
    report_.seconds = watch_.seconds();
  }
  if (on_depth) on_depth(report_);  // only this thread writes the report while a search runs
}

}  // namespace tengen

#include "search/alphabeta.h"

#include <algorithm>
#include <cstdlib>

namespace tengen {
namespace {

constexpr int kMaxDepth = 100;
constexpr int kVoteBase = 40;       // what a thread's vote counts before its score does
constexpr int kForcedDepth = 2;     // enough where there is one move and a clock
constexpr double kBeginNext = 0.7;  // a depth takes about as long as all before it

}  // namespace

AlphaBeta::AlphaBeta(int threads, std::size_t hash_megabytes, std::uint64_t seed, const Parameters& parameters)
    : tuning_(parameters), threads_(threads), seed_(seed), table_(hash_megabytes) {}

void AlphaBeta::renew(std::uint64_t seed, const Parameters& parameters) {
  tuning_ = Tuning(parameters, tuning_.network);
  seed_ = seed;
  clear();
}

void AlphaBeta::clear() {
  table_.clear();
  forced_win_.clear();
}

AlphaBeta::Report AlphaBeta::run(const ThreatBoard& board, const SearchLimit& limit, int lines) {
  const bool stopped = watch_.over();
  watch_.start(limit);
  limit_ = limit;
  stable_ = 0;
  if (stopped) watch_.stop();
  table_.begin_search(limit.nodes > 0);
  board_ = &board;
  solver_nodes_ = 0;
  analysing_ = lines > 1;
  pinned_ = 0;
  const std::vector<Move> forced = forced_win_.at_once(board, limit, tuning_.parameters, watch_.flag());
  if (win_by_force(forced) && !analysing_) return snapshot();
  if (limit.nodes) limit_nodes();

  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < threads_; ++i)
    workers.push_back(
        std::make_unique<Worker>(board, table_, threads_ > 1 ? &claims_ : nullptr, watch_, tuning_, seed_));
  if (!forced.empty()) pin(*workers[0], forced);
  {
    const Lock lock(mutex_);
    report_ = {workers[0]->root_moves, 0, 0, 0, 0};
  }
  const int depth = std::min(kMaxDepth, limit.depth ? limit.depth : std::min(kMaxDepth, board.position().empties()));
  finished_.assign(threads_, {});
  Crew helpers;
  for (int i = 1; i < threads_; ++i) helpers.start([&, i] { deepen(*workers[i], i, kMaxDepth, 1); });
  const bool by_threats = deepen(*workers[0], 0, depth, lines);
  watch_.stop();
  helpers.join();

  const Lock lock(mutex_);
  if (!analysing_ && !by_threats) vote();
  report_.nodes = solver_nodes_;
  for (const auto& worker : workers) report_.nodes += worker->nodes();
  report_.seconds = watch_.seconds();
  return report_;
}

// The line of a win by force, which may be longer than any depth reached, is the result of the search.
bool AlphaBeta::win_by_force(const std::vector<Move>& line) {
  solver_nodes_ += static_cast<std::uint64_t>(forced_win_.nodes());
  if (line.empty()) return false;
  const Lock lock(mutex_);
  const int plies = static_cast<int>(line.size()), score = kMate - plies;
  report_ = {{{line.front(), score, score, line}}, plies, plies, solver_nodes_, watch_.seconds()};
  return true;
}

// In an analysis a win by force stays the first line, and the search goes on with the others.
void AlphaBeta::pin(Worker& worker, const std::vector<Move>& line) {
  auto& moves = worker.root_moves;
  const auto at = std::find_if(moves.begin(), moves.end(), [&](const RootMove& r) { return r.move == line.front(); });
  const int score = kMate - static_cast<int>(line.size());
  if (at == moves.end())
    moves.insert(moves.begin(), {line.front(), score, score, line});
  else
    *at = {line.front(), score, score, line}, std::rotate(moves.begin(), at, at + 1);
  pinned_ = 1;
}

// Who stands better may have a win by threats. It is looked for once, after a few depths; in an analysis always.
bool AlphaBeta::win_by_threats(Worker& worker, int depth) {
  const Parameters& p = tuning_.parameters;
  if (depth != p.root_vct_depth || (!analysing_ && worker.root_moves[0].score < p.root_vct_score)) return false;
  if (std::abs(worker.root_moves[0].score) > kSureWin) return false;
  const std::vector<Move> line = forced_win_.by_threats(*board_, limit_, p, watch_.flag());
  const bool won = win_by_force(line);
  if (limit_.nodes && threads_ == 1) limit_nodes();
  if (won && analysing_) pin(worker, line);
  return won && !analysing_;
}

void AlphaBeta::limit_nodes() {
  watch_.limit_nodes((limit_.nodes - std::min(solver_nodes_, limit_.nodes - 1)) / threads_);
}

AlphaBeta::Report AlphaBeta::snapshot() const {
  const Lock lock(mutex_);
  return report_;
}

// Helpers search the same tree a little deeper or shallower; what they find reaches the others through the table.
// True: a win by threats was found, which is the report.
bool AlphaBeta::deepen(Worker& worker, int id, int max_depth, int lines) {
  lines = std::min<int>(lines, static_cast<int>(worker.root_moves.size()));
  for (int depth = 1 + id % 2; depth <= max_depth && !watch_.over(); ++depth) {
    for (RootMove& root : worker.root_moves) root.guess = root.score;
    for (int first = id ? 0 : pinned_; first < lines && !watch_.over(); ++first) search_window(worker, depth, first);
    const bool finished = !watch_.over();
    if (finished) finished_[id] = {depth, worker.root_moves[0]};
    if (id) continue;
    if (!finished && lines > 1) break;  // half of the lines belong to the depth before
    std::stable_sort(worker.root_moves.begin(), worker.root_moves.begin() + lines,
                     [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
    publish(worker, finished ? depth : depth - 1);
    if (finished && win_by_threats(worker, depth)) return true;
    if (!finished || analysing_) continue;
    if (std::abs(worker.root_moves[0].score) > kSureWin) break;
    if (worker.root_moves.size() == 1 && depth >= (limit_.seconds > 0 ? kForcedDepth : 8)) break;
    if (sure(worker, depth)) break;
  }
  return false;
}

// On a game clock: the next depth is begun while less than the fair share is spent, a smaller part of it the longer
// the best move has stood, a larger one when its score falls.
bool AlphaBeta::sure(const Worker& worker, int depth) {
  const RootMove& best = worker.root_moves[0];
  stable_ = best.move == settled_ && depth > 1 ? stable_ + 1 : 0;
  settled_ = best.move;
  if (limit_.soft <= 0) return false;
  const double standing = 1.2 - 0.1 * std::min(stable_, 6);
  const double falling = 1 + std::clamp((best.guess - best.score) / 150.0, 0.0, 1.0);
  return watch_.seconds() >= kBeginNext * limit_.soft * standing * (depth > 1 ? falling : 1);
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

// Several threads have each finished some depth with a best move: the move that most of them stand for, deeper searches
// and better scores counting more, is put first.
void AlphaBeta::vote() {
  int lowest = kMate;
  for (const Finished& f : finished_)
    if (f.depth) lowest = std::min(lowest, f.best.score);
  const auto votes = [&](const Finished& of) {
    std::int64_t sum = 0;
    for (const Finished& f : finished_)
      if (f.depth && f.best.move == of.best.move) sum += std::int64_t{f.best.score - lowest + kVoteBase} * f.depth;
    return sum;
  };
  const Finished* chosen = &finished_[0];
  for (const Finished& f : finished_)
    if (f.depth && (!chosen->depth || votes(f) > votes(*chosen))) chosen = &f;
  if (chosen == &finished_[0]) return;
  auto& shown = report_.lines;
  const auto at =
      std::find_if(shown.begin(), shown.end(), [&](const RootMove& r) { return r.move == chosen->best.move; });
  std::rotate(shown.begin(), at, at + 1);
  shown.front() = chosen->best;
  report_.depth = chosen->depth;
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

// Our own strong engine: iterative deepening over principal-variation search, one or more threads on a shared table.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "rules/limit.h"
#include "rules/threading.h"
#include "search/forced_win.h"
#include "search/pvs.h"
#include "search/table.h"
#include "solve/vcf.h"

namespace tengen {

class AlphaBeta {
 public:
  struct Report {
    std::vector<RootMove> lines;  // best first; with one line wanted, only the first is exact
    int depth = 0;                // last depth searched to its end
    int selective_depth = 0;
    std::uint64_t nodes = 0;
    double seconds = 0;
  };

  AlphaBeta(int threads, std::size_t hash_megabytes, std::uint64_t seed, const Parameters& parameters = {});

  // Before each run; from then on stop() ends it, even if it comes before run().
  void arm() { watch_.start({}); }
  // `board` must not be over. `lines`: how many moves get an exact score. A run limited by nodes on one thread does
  // not depend on earlier runs.
  Report run(const ThreatBoard& board, const SearchLimit& limit, int lines);
  Report snapshot() const;                      // of the last finished depth; from any thread
  void stop() { watch_.stop(); }                // from any thread
  std::function<void(const Report&)> on_depth;  // called in run() after each finished depth
  void clear();
  // As if just made with these: for engines that play many games with changing parameters.
  void renew(std::uint64_t seed, const Parameters& parameters);
  // From the next run on; must outlive the engine and fit the boards it is given.
  void use(const LineNetwork* network) { tuning_.network = network; }
  const LineNetwork* network() const { return tuning_.network; }

 private:
  bool win_by_force(const std::vector<Move>& line);
  void pin(Worker& worker, const std::vector<Move>& line);
  bool win_by_threats(Worker& worker, int depth);
  void limit_nodes();
  bool deepen(Worker& worker, int id, int max_depth, int lines);
  void publish(const Worker& worker, int depth);
  void vote();
  bool sure(const Worker& worker, int depth);
  int search_window(Worker& worker, int depth, int first);

  struct Finished {
    int depth = 0;
    RootMove best;
  };

  Tuning tuning_;
  int threads_;
  std::uint64_t seed_;
  TranspositionTable table_;
  Claims claims_;
  Watch watch_;
  SearchLimit limit_;
  const ThreatBoard* board_ = nullptr;  // while a search runs
  bool analysing_ = false;              // several lines are wanted: nothing but the limit ends the search
  int pinned_ = 0;                      // lines in front that are won by force and not searched
  std::vector<Finished> finished_;      // by each thread, read when all have ended
  int stable_ = 0;                      // depths that the best move has stood
  Move settled_ = kNoMove;
  ForcedWin forced_win_;
  mutable Mutex mutex_;
  Report report_;
  std::uint64_t solver_nodes_ = 0;
};

}  // namespace tengen

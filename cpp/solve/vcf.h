// Victory by continuous fours: the attacker plays only fours, so each answer is forced.
//
// A win found here is exact under every rule: each attack is a legal four, every answer that stops it is searched, and
// answers that make a four or five for the defender are respected. The table keeps refuted positions, so a stale or
// colliding entry can hide a win but never invent one.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "rules/threats.h"
#include "rules/types.h"

namespace tengen {

struct VcfLimit {
  std::int64_t nodes = 1'000'000;
  double seconds = 0;                       // 0: no limit
  const std::atomic<bool>* stop = nullptr;  // looked at every thousand nodes or so
  bool lean = false;                        // leaves out fours that make nothing else: finds short wins in fewer nodes
};

struct VcfResult {
  bool win = false;
  bool exhausted = false;  // no win, and every sequence of fours was tried, none left out: there is none
  std::int64_t nodes = 0;  // stones played
};

// One for each thread. solve() does not allocate; the table may serve boards of every size and rule.
class Vcf {
 public:
  explicit Vcf(std::size_t hash_entries = std::size_t{1} << 16);  // rounded up to a power of two, 16 bytes each

  // Does `attacker`, if it were to move now, win by fours alone? The board may be on the other side's turn (then this
  // asks what the opponent threatens); it is left as it was. A game already won has no win for either side.
  VcfResult solve(ThreatBoard& board, Color attacker, const VcfLimit& limit);
  VcfResult solve(ThreatBoard& board, Color attacker, std::int64_t max_nodes) {
    return solve(board, attacker, VcfLimit{.nodes = max_nodes});
  }

  // After a win: attack, answer, attack, ... The last move makes five, or (renju) is a four whose only answers are
  // forbidden to black. Under caro a four may have several answers: one of them is shown.
  const std::vector<Move>& line() const { return line_; }
  Move first() const { return line_.empty() ? kNoMove : line_.front(); }

  void clear();  // forgets the table; needed only for reproducible node counts

 private:
  static constexpr Move kLean = -2;
  struct Entry {
    std::uint64_t key = 0;
    std::uint32_t work = 0;  // nodes it cost
    Move move = kNoMove;     // the winning four; kNoMove: refuted; kLean: refuted, but for fours left out
  };
  struct Four {
    Move cell;
    std::int16_t order;
  };

  bool attack();
  bool try_fours(std::uint64_t key, Move hint);
  bool refuted(Move known);
  const Entry* find(std::uint64_t key) const;
  void store(std::uint64_t key, Move move, std::int64_t cost);
  bool try_four(Move four);
  bool defend();
  bool record_double_four();
  bool try_answer(Move answer);
  bool try_every_answer(Move completing);
  int list_fours(std::array<Four, kMaxCells>& fours);
  bool record_line(Move last);
  bool out_of_budget();

  std::vector<Entry> table_;
  std::vector<std::uint32_t> written_;  // pairs of entries since clear(), while they are few
  std::uint64_t mask_;
  std::vector<Move> path_, line_;

  // The call in progress.
  ThreatBoard* board_ = nullptr;
  Color attacker_ = Color::Black;
  bool renju_ = false, caro_ = false;
  std::uint64_t salt_ = 0;
  VcfLimit limit_;
  std::chrono::steady_clock::time_point deadline_;
  std::int64_t nodes_ = 0, next_check_ = 0;
  bool stopped_ = false;
  bool left_out_ = false;  // a four, below the position looked at
};

}  // namespace tengen

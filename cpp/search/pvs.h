// Principal-variation search: one thread's part of the alphabeta engine.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "lines/features.h"
#include "rules/limit.h"
#include "rules/threats.h"
#include "search/claims.h"
#include "search/evaluate.h"
#include "search/movegen.h"
#include "search/parameters.h"
#include "search/table.h"

namespace tengen {

constexpr int kMate = 30000;     // a win, less one for each move on the way to it
constexpr int kSureWin = 29000;  // beyond this a score is proven
constexpr int kMaxPly = 160;

struct RootMove {
  Move move = kNoMove;
  int score = -kMate;  // -kMate: no better than the moves before it
  int guess = -kMate;  // score of the depth before
  std::vector<Move> pv;
};

// Things learned while searching that order the moves elsewhere in the tree.
struct History {
  static constexpr int kLimit = 8192;
  std::array<std::array<std::int16_t, kMaxCells>, 2> quiet{};  // [side][cell]
  std::array<std::array<Move, kMaxCells>, 2> counter{};        // [side][previous cell]

  void reward(Color side, Move m, int bonus) {
    std::int16_t& entry = quiet[index(side)][m];
    entry = static_cast<std::int16_t>(entry + bonus - entry * (bonus < 0 ? -bonus : bonus) / kLimit);
  }
};

// The numbers a search goes by, shared by the threads of an engine and by its searches.
struct Tuning {
  explicit Tuning(const Parameters& p, const LineNetwork* evaluator = nullptr)
      : parameters(p), reductions(p), network(evaluator) {}
  Parameters parameters;
  Reductions reductions;
  const LineNetwork* network;  // values positions instead of the tables; none: null
};

class Worker {
 public:
  // `claims` is shared with other threads that search the same board; alone: null.
  Worker(const ThreatBoard& board, TranspositionTable& table, Claims* claims, Watch& watch, const Tuning& tuning,
         std::uint64_t seed);

  // Searches the root moves from `first` on inside (alpha, beta), sorts them best first and returns the best score.
  int search_root(int depth, int alpha, int beta, int first);

  std::vector<RootMove> root_moves;
  std::uint64_t nodes() const { return nodes_; }
  int selective_depth() const { return selective_depth_; }

 private:
  // Moves with their scores, which lie within 2^21. A key holds the score and, lower, the place: the largest key is the
  // first of the best moves.
  struct MoveList {
    static constexpr int kPlaces = 512, kFirst = 1 << 20, kLast = -kFirst;
    std::array<int, kMaxCells> keys;
    std::array<Move, kMaxCells> moves;
    int size = 0;
    void add(Move m, int score) { put(size++, m, score); }
    Move pick(int i);  // brings the best of the rest to place i
    void defer(int i) { put(i, moves[i], kLast); }
    bool deferred(int i) const { return score(i) == kLast; }
    void swap(int i, int j);
    template <class F>
    void keep(int from, F&& wanted);  // drops the others from place `from` on

   private:
    static int place_of(int key) { return kPlaces - 1 - (key & (kPlaces - 1)); }
    int score(int i) const { return keys[i] >> 9; }
    void put(int i, Move m, int score) { moves[i] = m, keys[i] = score * kPlaces + kPlaces - 1 - i; }
  };
  struct Frame {
    CellSet near;             // cells interesting by their nearness to a stone
    Move move = kNoMove;      // played from here
    Move excluded = kNoMove;  // left out while testing whether it is the only good move
    std::array<Move, 2> killers{kNoMove, kNoMove};
    int eval = 0;
    bool open = false;  // `eval` is that of a node without a threat to meet
    std::vector<Move> pv;
  };
  struct Node {  // what is known of a node while its moves are tried
    int alpha, beta, depth, ply;
    bool pv, cut, improving;
    Verdict::Kind kind;  // Open, Answer or Defend
    int eval;
    Move memory_move;
    bool forced() const { return kind != Verdict::Kind::Open; }
  };

  int search(int alpha, int beta, int depth, int ply, bool pv, bool cut);
  int try_moves(Node node);
  std::uint64_t claim_of(const Node& node, Move m) const;
  // The fours of the attacker so far, in the quiescence search.
  struct Fours {
    int left;             // how many more may be tried
    Move last = kNoMove;  // the one before
    int rich = 0;         // how many in a row made something else too
  };
  int quiesce(int alpha, int beta, int ply, Fours fours);
  int quiesce_answers(int alpha, int beta, int ply, Fours fours);
  CellSet fours_to_try(const Fours& fours) const;
  int decided(const Verdict& verdict, int ply) const;
  int evaluate(int alpha, int beta);
  std::optional<int> settled(int ply, Verdict& verdict);
  void list_moves(const Node& node, MoveList& list);
  int reduction(const Node& node, Move m, int tried) const;
  struct Limits {  // the last move of a node that is tried if it is quiet, and the last one of all
    int quiet, all;
  };
  Limits limits_of(const Node& node) const;
  bool futile(const Node& node, int tried) const;
  bool fights(Move m) const;
  int extension(const Node& node, Move m, const Memory& memory);
  int search_child(const Node& node, Move m, int depth, int tried);
  void reward_cutoff(const Node& node, Move best, const MoveList& list, int tried);
  void play(Move m, int ply);
  void undo() { board_.undo(); }
  bool legal(Move m) const;
  void keep_line(int ply, Move m);
  void list_root_moves(std::uint64_t seed);

  const Parameters p_;
  const Reductions& reductions_;
  ThreatBoard board_;
  TranspositionTable& table_;
  Claims* claims_;
  Watch& watch_;
  const Neighbourhood& neighbourhood_;
  const Evaluation& evaluation_;
  std::optional<LineFeatures> lines_;
  History history_;
  std::array<float, kMaxCells> policy_;  // of the node whose moves were listed last
  std::vector<Frame> frames_;
  std::uint64_t nodes_ = 0;
  int selective_depth_ = 0;
  int root_depth_ = 0;
  int eval_mean_ = 0;
  bool renju_, caro_;
};

}  // namespace tengen

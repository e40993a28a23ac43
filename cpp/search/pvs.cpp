#include "search/pvs.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

namespace tengen {
namespace {

constexpr int kMaxDepth = 100;
constexpr int kShallowDepth = 2;  // nodes up to this depth try few quiet moves, but every move that attacks or defends
constexpr int kSharedDepth = 3;   // from this depth of a node threads leave each other's moves for later

int to_memory(int score, int ply) { return score > kSureWin ? score + ply : score < -kSureWin ? score - ply : score; }
int from_memory(int score, int ply) { return score > kSureWin ? score - ply : score < -kSureWin ? score + ply : score; }

bool settles(const Memory& m, int score, int alpha, int beta) {
  if (m.bound == Bound::Exact) return true;
  return m.bound == Bound::Lower ? score >= beta : score <= alpha;
}

Bound bound_of(int score, int alpha, int beta) {
  return score >= beta ? Bound::Lower : score > alpha ? Bound::Exact : Bound::Upper;
}

}  // namespace

static_assert(kMaxCells <= 512);

void Worker::MoveList::swap(int i, int j) {
  const Move move = moves[i];
  const int score_of_move = score(i);
  put(i, moves[j], score(j));
  put(j, move, score_of_move);
}

template <class F>
void Worker::MoveList::keep(int from, F&& wanted) {
  int to = from;
  for (int j = from; j < size; ++j)
    if (wanted(moves[j])) put(to++, moves[j], score(j));
  size = to;
}

Move Worker::MoveList::pick(int i) {
  int best = keys[i];
  for (int j = i + 1; j < size; ++j) best = std::max(best, keys[j]);
  swap(i, place_of(best));
  return moves[i];
}

Worker::Worker(const ThreatBoard& board, TranspositionTable& table, Claims* claims, Watch& watch, const Tuning& tuning,
               std::uint64_t seed)
    : p_(tuning.parameters), reductions_(tuning.reductions), board_(board), table_(table), claims_(claims),
      watch_(watch), neighbourhood_(Neighbourhood::get(board.position().width(), board.position().height())),
      evaluation_(Evaluation::get(board.position().rule())), frames_(kMaxPly + 2),
      renju_(board.position().rule() == Rule::Renju), caro_(board.position().rule() == Rule::Caro) {
  for (auto& side : history_.counter) side.fill(kNoMove);
  evaluation_.weigh(board_);
  const Position& position = board_.position();
  eval_mean_ = tuning.network ? p_.line_mean : p_.eval_mean;
  if (tuning.network) lines_.emplace(*tuning.network, position);
  for (Move m = 0; m < position.cells(); ++m)
    if (!position.empty(m)) frames_[0].near |= neighbourhood_.around(m);
  list_root_moves(seed);
}

// Moves that look equally good are tried in an order drawn from the seed.
void Worker::list_root_moves(std::uint64_t seed) {
  const Position& position = board_.position();
  const Verdict verdict = judge(board_);
  MoveList list;
  if (verdict.only != kNoMove) {
    list.add(verdict.only, 0);
  } else {
    // A position that is decided is searched all the same: the move that wins it has to be found.
    const bool decided = verdict.kind == Verdict::Kind::Win || verdict.kind == Verdict::Kind::Loss;
    const auto kind = decided ? Verdict::Kind::Open : verdict.kind;
    Node node{-kMate, kMate, 1, 0, true, false, false, kind, 0, kNoMove};
    list_moves(node, list);
  }
  std::mt19937_64 random(seed);
  for (int i = list.size; i > 1; --i) list.swap(i - 1, static_cast<int>(random() % i));
  for (int i = 0; i < list.size; ++i)
    if (const Move m = list.pick(i); legal(m)) root_moves.push_back({m, -kMate, -kMate, {m}});
  if (root_moves.empty())
    if (const Move m = position.stones() ? any_legal_move(position) : cells_near_stones(position, 0).first();
        m != kNoMove)
      root_moves.push_back({m, -kMate, -kMate, {m}});
}

void Worker::play(Move m, int ply) {
  table_.prefetch(board_.position().key_after(m));
  Frame& next = frames_[ply + 1];
  frames_[ply].move = m;
  next.near = frames_[ply].near;
  next.near |= neighbourhood_.around(m);
  next.open = false;
  next.pv.clear();
  board_.play(m);
}

bool Worker::legal(Move m) const {
  if (!renju_ || board_.turn() == Color::White || board_.threat(Color::Black, m) != Threat::Forbidden) return true;
  return board_.position().forbidden(Color::Black, m) == Forbidden::No;
}

void Worker::keep_line(int ply, Move m) {
  auto& pv = frames_[ply].pv;
  const auto& rest = frames_[ply + 1].pv;
  pv.assign(1, m);
  pv.insert(pv.end(), rest.begin(), rest.end());
}

int Worker::decided(const Verdict& verdict, int ply) const {
  const int score = kMate - ply - verdict.plies;
  return verdict.kind == Verdict::Kind::Win ? score : -score;
}

int Worker::search_root(int depth, int alpha, int beta, int first) {
  root_depth_ = depth;
  const int floor = alpha;
  int best = -kMate;
  Node node{alpha, beta, depth, 0, true, false, false, Verdict::Kind::Open, 0, kNoMove};
  frames_[0].eval = 0;
  for (std::size_t i = first; i < root_moves.size(); ++i) {
    RootMove& root = root_moves[i];
    node.alpha = alpha;
    play(root.move, 0);
    const int score = search_child(node, root.move, depth - 1, static_cast<int>(i) - first + 1);
    undo();
    if (watch_.over()) break;
    if (static_cast<int>(i) == first || score > alpha) {
      root.score = score;
      keep_line(0, root.move);
      root.pv = frames_[0].pv;
    } else {
      root.score = -kMate;  // no better than the best; kept in its order by the stable sort
    }
    best = std::max(best, score);
    alpha = std::max(alpha, score);
    if (alpha >= beta) break;
  }
  std::stable_sort(root_moves.begin() + first, root_moves.end(),
                   [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
  if (!watch_.over() && first == 0)
    table_.store(board_.position().key(), {static_cast<std::int16_t>(to_memory(best, 0)), 0, root_moves[0].move,
                                           static_cast<std::int8_t>(depth), bound_of(best, floor, beta)});
  return best;
}

// The score of a node that needs no search: the game is over, its threats decide it, or the limit is reached. Else
// empty, with the verdict of its threats.
inline std::optional<int> Worker::settled(int ply, Verdict& verdict) {
  if (watch_.spent(++nodes_)) return 0;
  const Position& position = board_.position();
  if (position.won()) return -(kMate - ply);
  if (position.full()) return 0;
  verdict = judge(board_);
  if (verdict.kind == Verdict::Kind::Win || verdict.kind == Verdict::Kind::Loss) return decided(verdict, ply);
  if (ply >= kMaxPly - 1) return evaluation_(board_);
  selective_depth_ = std::max(selective_depth_, ply);
  return std::nullopt;
}

// The network is asked where its answer may matter: not where the tables see the score far outside the window.
int Worker::evaluate(int alpha, int beta) {
  const int score = evaluation_(board_);
  if (!lines_ || score + p_.line_lazy < alpha || score - p_.line_lazy > beta) return score;
  lines_->follow(board_.position());
  const int seen = static_cast<int>(std::lrint(lines_->logit(board_.turn()) * kEvalUnit));
  return std::clamp((seen * p_.line_share + score * (100 - p_.line_share)) / 100, -kMaxEval, kMaxEval);
}

// A node of the full-width part of the tree.
int Worker::search(int alpha, int beta, int depth, int ply, bool pv, bool cut) {
  if (depth <= 0) return quiesce(alpha, beta, ply, {p_.quiescence_fours});
  // 1. The threats on the board may decide, or leave one move, which costs no depth.
  Verdict verdict;
  if (const auto score = settled(ply, verdict)) return *score;
  const Position& position = board_.position();
  if (verdict.kind == Verdict::Kind::Block) {
    play(verdict.only, ply);
    const int score = -search(-beta, -alpha, depth, ply + 1, pv, !cut);
    undo();
    if (pv && score > alpha) keep_line(ply, verdict.only);
    return score;
  }

  // 2. No line from here can be better than a win next move, or worse than a loss at once.
  alpha = std::max(alpha, -(kMate - ply));
  beta = std::min(beta, kMate - ply - 1);
  if (alpha >= beta) return alpha;

  // 3. What is remembered of this position.
  Frame& frame = frames_[ply];
  Memory memory;
  const bool known = frame.excluded == kNoMove && table_.probe(position.key(), memory);
  if (known && !pv && memory.depth >= depth) {
    const int score = from_memory(memory.score, ply);
    if (settles(memory, score, alpha, beta)) return score;
  }

  // 4. At a glance: hopelessly behind, only fours can help; far ahead, the opponent will not catch up.
  const bool open = verdict.kind == Verdict::Kind::Open, answer = verdict.kind == Verdict::Kind::Answer;
  int eval = known ? memory.eval : evaluate(alpha, beta);
  if (!known && ply > 0 && frames_[ply - 1].open)  // the turn swings it: take the mean of both sides' views
    eval = (eval * (100 - eval_mean_) - frames_[ply - 1].eval * eval_mean_) / 100;
  frame.eval = eval;
  frame.open = open;
  if (p_.table_eval && known && std::abs(memory.score) < kSureWin &&
      (memory.bound == Bound::Exact || (memory.bound == Bound::Lower) == (memory.score > eval)))
    eval = memory.score;
  const bool improving = ply >= 2 && frame.eval > frames_[ply - 2].eval;
  if (!pv && !answer && frame.excluded == kNoMove && std::abs(beta) < kSureWin) {
    if (depth <= p_.razor_depth && eval + p_.razor_base + p_.razor_margin * depth < alpha) {
      const int score = quiesce(alpha, alpha + 1, ply, {p_.quiescence_fours});
      if (score <= alpha || score > kSureWin) return score;
    }
    const int margin = (caro_ ? p_.caro_futility_margin : p_.futility_margin) * (depth - improving) + p_.futility_base;
    if (depth <= p_.futility_depth && open && eval - margin >= beta) return eval;
  }
  if (answer)
    ++depth;  // an answer to a four costs no depth
  else if (depth >= p_.internal_depth && !known && frame.excluded == kNoMove)
    --depth;  // an unknown node is ordered badly: learn more about it first

  return try_moves(
      {alpha, beta, depth, ply, pv, cut, improving, verdict.kind, frame.eval, known ? memory.move : kNoMove});
}

int Worker::try_moves(Node node) {
  Frame& frame = frames_[node.ply];
  const int floor = node.alpha;
  const bool remembered = node.memory_move != kNoMove && board_.position().empty(node.memory_move);
  Memory memory;
  if (remembered) table_.probe(board_.position().key(), memory);
  MoveList list;
  if (remembered) list.add(node.memory_move, MoveList::kFirst - 1);
  bool listed = false;
  const auto more = [&](int i) {  // the others are listed when the remembered move did not suffice
    if (i == remembered && !listed) list_moves(node, list), listed = true;
    return i < list.size;
  };
  frames_[node.ply + 1].killers = {kNoMove, kNoMove};
  int best = -kMate, tried = 0;
  Move best_move = kNoMove;
  const bool shared = claims_ && node.depth >= kSharedDepth;
  const Limits limits = limits_of(node);
  for (int i = 0; more(i); ++i) {
    const Move m = list.pick(i);
    if (m == frame.excluded || !legal(m)) continue;
    const std::uint64_t claim = shared ? claim_of(node, m) : 0;
    if (shared && tried && !list.deferred(i) && claims_->taken(claim)) {
      list.defer(i--);  // another thread is searching it: its result may be there when the others are done
      continue;
    }
    ++tried;
    if (tried > 1 && best >= -kSureWin) {
      if (tried > limits.all) break;
      if ((tried > limits.quiet || futile(node, tried)) && !fights(m)) {
        if (node.depth <= kShallowDepth) list.keep(i + 1, [&](Move other) { return fights(other); });
        continue;
      }
    }
    const int longer = extension(node, m, memory) - (node.alpha > floor && node.depth > 2 ? p_.raised_reduction : 0);
    if (shared) claims_->take(claim);
    play(m, node.ply);
    const int score = search_child(node, m, node.depth - 1 + longer, tried);
    undo();
    if (shared) claims_->drop(claim);
    if (watch_.over()) return 0;
    if (score <= best) continue;
    best = score;
    if (score <= node.alpha) continue;
    best_move = m;
    node.alpha = score;
    if (node.pv) keep_line(node.ply, m);
    if (score >= node.beta) {
      reward_cutoff(node, m, list, i);
      break;
    }
  }
  if (!tried) {
    if (frame.excluded != kNoMove) return node.alpha;
    return node.forced() ? -(kMate - node.ply - 4) : 0;
  }
  if (frame.excluded == kNoMove)
    table_.store(board_.position().key(),
                 {static_cast<std::int16_t>(to_memory(best, node.ply)), static_cast<std::int16_t>(node.eval), best_move,
                  static_cast<std::int8_t>(std::min(node.depth, kMaxDepth)), bound_of(best, floor, node.beta)});
  return best;
}

// A move as the threads of a search know it, at the depth of its node.
std::uint64_t Worker::claim_of(const Node& node, Move m) const {
  return board_.position().key_after(m) ^ static_cast<std::uint64_t>(node.depth) * 0x9e3779b97f4a7c15ull;
}

// All moves of a node but the remembered one.
void Worker::list_moves(const Node& node, MoveList& list) {
  const Color own = board_.turn();
  const bool open = node.kind == Verdict::Kind::Open;
  const bool policy = lines_ && open && node.depth >= p_.policy_depth;
  if (policy) {
    lines_->follow(board_.position());
    lines_->scores(board_.position(), policy_.data());
  }
  const Frame& frame = frames_[node.ply];
  const Move last = node.ply ? frames_[node.ply - 1].move : board_.position().last();
  const Move counter = last == kNoMove ? kNoMove : history_.counter[index(own)][last];
  const auto& history = history_.quiet[index(own)];
  const CellSet cells = open ? frame.near : node.kind == Verdict::Kind::Answer ? answers(board_) : defences(board_);
  cells.each([&](Move m) {
    if (!board_.position().empty(m) || m == node.memory_move) return;
    int value = evaluation_.move_value(board_, own, m);
    if (policy) value += (static_cast<int>(policy_[m] * kMoveUnit) - value) * p_.policy_share / 100;
    int score = value + history[m] / p_.order_history;
    if (m == frame.killers[0] || m == frame.killers[1]) score += p_.order_killer;
    if (m == counter) score += p_.order_counter;
    list.add(m, score);
  });
}

// It makes or stops a three or more.
bool Worker::fights(Move m) const {
  return board_.threat(Color::Black, m) >= Threat::Three || board_.threat(Color::White, m) >= Threat::Three;
}

// Late moves are not worth their time, least of all quiet ones.
Worker::Limits Worker::limits_of(const Node& node) const {
  if (node.forced()) return {kMaxCells, kMaxCells};
  const int deep = (caro_ ? p_.caro_limit_base : p_.limit_deep_base) + p_.limit_deep_growth * node.depth / 100;
  if (node.pv) return {kMaxCells, deep * p_.limit_pv / 100};
  const bool shallow = node.depth <= kShallowDepth;
  const int most = shallow ? p_.limit_base + p_.limit_growth * node.depth * node.depth / 100 : deep;
  const int quiet = most * (node.improving ? 4 : 3) / 3;
  return {quiet, shallow ? kMaxCells : quiet * p_.limit_threes / 100};
}

// So far behind at little depth that a late quiet move will not help.
bool Worker::futile(const Node& node, int tried) const {
  return !node.pv && !node.forced() && node.depth <= p_.move_futility_depth && tried > 3 &&
         node.eval + p_.move_futility_margin * node.depth + p_.move_futility_base < node.alpha;
}

int Worker::extension(const Node& node, Move m, const Memory& memory) {
  Frame& frame = frames_[node.ply];
  if (m != node.memory_move || frame.excluded != kNoMove || node.depth < p_.singular_depth ||
      node.ply > 2 * root_depth_)
    return 0;
  if (memory.bound == Bound::Upper || memory.bound == Bound::None || memory.depth < node.depth - p_.singular_age)
    return 0;
  if (std::abs(memory.score) > kSureWin) return 0;
  // Is every other move clearly worse? Then this one is singular and the line goes on through it.
  const int target = memory.score - p_.singular_margin * node.depth;
  frame.excluded = m;
  const Move move = frame.move;
  const int score = search(target - 1, target, (node.depth - 1) / 2, node.ply, false, node.cut);
  frame.excluded = kNoMove;
  frame.move = move;
  return score < target ? 1 : 0;
}

int Worker::reduction(const Node& node, Move m, int tried) const {
  // The stone already stands: what it threatens is seen from the other side's turn.
  const Color own = ~board_.turn();
  int r = reductions_(node.depth, tried);
  r += node.cut * p_.reduction_cut;
  r -= node.pv * p_.reduction_pv;
  r += !node.improving * p_.reduction_worse;
  r -= history_.quiet[index(own)][m] * p_.reduction_history / 1000;
  if (board_.count(own, Threat::Five)) r -= p_.reduction_four;
  return std::max(r, 0) / 100;
}

// Searches the position after `m`, which stands on the board, from the side of who played it.
int Worker::search_child(const Node& node, Move m, int depth, int tried) {
  const int next = node.ply + 1;
  if (tried > 1) {
    int r = depth >= 2 && (!node.pv || tried > 2) ? reduction(node, m, tried) : 0;
    r = std::min(r, depth - 1);
    int score = -search(-node.alpha - 1, -node.alpha, depth - std::max(r, 0), next, false, true);
    if (watch_.over()) return 0;
    if (r > 0 && score > node.alpha) score = -search(-node.alpha - 1, -node.alpha, depth, next, false, !node.cut);
    if (!node.pv || score <= node.alpha) return score;
  }
  return -search(-node.beta, -node.alpha, depth, next, node.pv, !node.pv && !node.cut);
}

void Worker::reward_cutoff(const Node& node, Move best, const MoveList& list, int tried) {
  const Color own = board_.turn();
  const int bonus = std::min(p_.history_bonus * node.depth * node.depth, p_.history_most);
  history_.reward(own, best, bonus);
  for (int i = 0; i < tried; ++i) history_.reward(own, list.moves[i], -bonus);
  auto& killers = frames_[node.ply].killers;
  if (killers[0] != best) killers = {best, killers[0]};
  if (node.ply && frames_[node.ply - 1].move != kNoMove)
    history_.counter[index(own)][frames_[node.ply - 1].move] = best;
}

// After the first four of a line only those count that go on from it: on a line with the stone before, and making
// something besides the four, or following several that did.
CellSet Worker::fours_to_try(const Fours& fours) const {
  CellSet cells = board_.cells(board_.turn(), Group::Four);
  if (p_.quiescence_narrow && fours.last != kNoMove) cells &= neighbourhood_.reach(fours.last);
  return cells;
}

// Caro: the best of the few answers to a four.
int Worker::quiesce_answers(int alpha, int beta, int ply, Fours fours) {
  int best = -kMate;
  answers(board_).each([&](Move m) {
    if (best >= beta || watch_.over()) return;
    play(m, ply);
    best = std::max(best, -quiesce(-beta, -std::max(alpha, best), ply + 1, fours));
    undo();
  });
  return best;
}

// Beyond the depth only fours are tried, as they leave the opponent one answer: a position is quiet when the side to
// move has none that win. `fours` is the attacker's; the answers to its fours keep it.
int Worker::quiesce(int alpha, int beta, int ply, Fours fours) {
  Verdict verdict;
  if (const auto score = settled(ply, verdict)) return *score;
  const Position& position = board_.position();
  if (verdict.kind == Verdict::Kind::Block) {
    play(verdict.only, ply);
    const int score = -quiesce(-beta, -alpha, ply + 1, fours);
    undo();
    return score;
  }
  if (verdict.kind == Verdict::Kind::Answer) return quiesce_answers(alpha, beta, ply, fours);
  Memory memory;
  const bool known = table_.probe(position.key(), memory);
  if (known) {
    const int score = from_memory(memory.score, ply);
    if (settles(memory, score, alpha, beta)) return score;
  }
  const int floor = alpha;
  const int eval = known ? memory.eval : evaluate(alpha, beta);
  int best = eval;
  Move best_move = kNoMove;
  frames_[ply].open = false;
  alpha = std::max(alpha, best);
  if (best < beta && fours.left > 0) {
    const Color own = board_.turn();
    MoveList list;
    fours_to_try(fours).each([&](Move m) {
      const bool plain = board_.threat(own, m) == Threat::Four;
      if (p_.quiescence_narrow && plain && fours.last != kNoMove && fours.rich < p_.quiescence_rich) return;
      list.add(m, evaluation_.move_value(board_, own, m));
    });
    for (int i = 0; i < list.size && best < beta; ++i) {
      const Move m = list.pick(i);
      const int rich = board_.threat(own, m) == Threat::Four ? 0 : fours.rich + 1;
      play(m, ply);
      const int score = -quiesce(-beta, -alpha, ply + 1, {fours.left - 1, m, rich});
      undo();
      if (watch_.over()) return 0;
      if (score > best) best = score;
      if (score > alpha) alpha = score, best_move = m;
    }
  }
  table_.store(position.key(), {static_cast<std::int16_t>(to_memory(best, ply)), static_cast<std::int16_t>(eval),
                                best_move, 0, bound_of(best, floor, beta)});
  return best;
}

}  // namespace tengen

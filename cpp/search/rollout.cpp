#include "search/rollout.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tengen {
namespace {

using Time = std::int16_t;

// The earliest completion of any K cells `step` apart, of those for which `wins(i, time)` is not kNever.
template <int K, class Wins>
Time earliest(const Time* own, int lanes, int step, Wins&& wins) {
  Time best = 0x7fff;
  for (int i = 0; i < lanes; ++i) {
    Time time = own[i];
    for (int j = 1; j < K; ++j) time = std::max(time, own[i + j * step]);
    best = std::min(best, wins(i, time));
  }
  return best;
}

// Takes a random legal move out of `left`; kNoMove when there is none.
Move draw_legal(const Position& game, std::vector<Move>& left, Rng& random) {
  // Cells found forbidden gather at the end, behind the first n.
  for (int n = static_cast<int>(left.size()); n > 0; --n) {
    std::swap(left[random.below(n)], left[n - 1]);
    if (!game.legal(left[n - 1])) continue;
    const Move m = left[n - 1];
    left[n - 1] = left.back();
    left.pop_back();
    return m;
  }
  return kNoMove;
}

}  // namespace

RolloutBoard::RolloutBoard(const Position& position)
    : position_(position), stride_(position.width() + position.k()), first_lane_(stride_ + 1),
      lanes_(position.height() * stride_), step_{1, stride_, stride_ + 1, stride_ - 1} {
  for (auto& times : stones_) times.fill(kNever);
  for (int i = 0; i < position.cells(); ++i) {
    const auto m = static_cast<Move>(i);
    lane_[m] = static_cast<std::int16_t>(first_lane_ + i / position.width() * stride_ + i % position.width());
    if (position.empty(m))
      empties_.push_back(m);
    else
      stones_[position.holds(m, Color::Black) ? 0 : 1][lane(m)] = 0;
  }
}

void RolloutBoard::play(Move m) {
  stones_[index(position_.turn())][lane(m)] = 0;
  position_.play(m);
  *std::find(empties_.begin(), empties_.end(), m) = empties_.back();
  empties_.pop_back();
}

void RolloutBoard::undo() {
  const Move m = position_.last();
  position_.undo();
  stones_[index(position_.turn())][lane(m)] = kNever;
  empties_.push_back(m);
}

int RolloutBoard::rollout(Rng& random, int limit) {
  assert(!position_.won());
  if (position_.rule() == Rule::Renju) return rollout_renju(random, limit);
  shuffle(random);
  const int me = index(position_.turn());
  const int used = first_lane_ + lanes_ + (position_.k() + 1) * (stride_ + 1);
  for (int c = 0; c < 2; ++c) std::copy_n(stones_[c].begin(), used, times_[c].begin());
  Time time = 0;
  for (const Move m : empties_) {
    times_[me ^ (time & 1)][lane(m)] = static_cast<Time>(time + 1);
    ++time;
  }
  const Time mine = first_win(me), theirs = first_win(1 - me);
  if (std::min(mine, theirs) > std::min<int>(limit, kNever - 1)) return 0;
  return mine < theirs ? 1 : -1;
}

void RolloutBoard::shuffle(Rng& random) {
  for (int n = static_cast<int>(empties_.size()); n > 1; --n) std::swap(empties_[n - 1], empties_[random.below(n)]);
}

RolloutBoard::Time RolloutBoard::first_win(int color) const {
  switch (position_.k()) {
    case 3: return first_win_of<3>(color);
    case 4: return first_win_of<4>(color);
    case 5: return first_win_of<5>(color);
    default: return first_win_of<6>(color);
  }
}

template <int K>
RolloutBoard::Time RolloutBoard::first_win_of(int color) const {
  const Time* own = times_[color].data() + first_lane_;
  const Time* enemy = times_[1 - color].data() + first_lane_;
  Time best = kNever;
  for (const int step : step_) {
    // The stones before and behind a row decide when they stand as it is completed.
    const auto exact = [&](int i, Time t) { return std::min(own[i - step], own[i + K * step]) > t ? t : kNever; };
    const auto caro = [&](int i, Time t) { return std::max(enemy[i - step], enemy[i + K * step]) > t ? t : kNever; };
    const auto free = [](int, Time t) { return t; };
    const Time time = position_.rule() == Rule::Standard ? earliest<K>(own, lanes_, step, exact)
                      : position_.rule() == Rule::Caro   ? earliest<K>(own, lanes_, step, caro)
                                                         : earliest<K>(own, lanes_, step, free);
    best = std::min(best, time);
  }
  return best;
}

// Renju's forbidden points depend on everything before them, so this game is followed move by move.
int RolloutBoard::rollout_renju(Rng& random, int limit) const {
  Position game = position_;
  std::vector<Move> left = empties_;
  for (int n = 0; n < limit; ++n) {
    const Move m = draw_legal(game, left, random);
    if (m == kNoMove) return 0;
    game.play(m);
    if (game.won()) return game.winner() == position_.turn() ? 1 : -1;
  }
  return 0;
}

}  // namespace tengen

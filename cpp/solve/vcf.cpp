#include "solve/vcf.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "solve/fours.h"

namespace tengen {
namespace {

constexpr std::int64_t kCheckEvery = 1024;
constexpr std::size_t kWrittenMost = 1024;

// Boards that differ in size, k or rule must not share entries.
std::uint64_t salt_of(const Position& p) {
  std::uint64_t z = static_cast<std::uint64_t>(p.width()) << 24 | p.height() << 16 | p.k() << 8 |
                    static_cast<std::uint64_t>(p.rule());
  z *= 0x9e3779b97f4a7c15ull;
  return z ^ z >> 29;
}

}  // namespace

Vcf::Vcf(std::size_t hash_entries) : table_(std::bit_ceil(std::max<std::size_t>(hash_entries, 2))) {
  mask_ = table_.size() - 2;  // entries stand in pairs
  path_.reserve(kMaxCells);
  line_.reserve(kMaxCells);
  written_.reserve(kWrittenMost);
}

// A short search writes to few places of a large table.
void Vcf::clear() {
  if (written_.size() < kWrittenMost)
    for (const std::uint32_t at : written_) table_[at] = table_[at + 1] = {};
  else
    std::fill(table_.begin(), table_.end(), Entry{});
  written_.clear();
}

VcfResult Vcf::solve(ThreatBoard& board, Color attacker, const VcfLimit& limit) {
  const Position& position = board.position();
  line_.clear();
  if (position.won()) return {.exhausted = true};
  board_ = &board;
  attacker_ = attacker;
  renju_ = position.rule() == Rule::Renju;
  caro_ = position.rule() == Rule::Caro;
  salt_ = salt_of(position);
  limit_ = limit;
  nodes_ = 0;
  stopped_ = left_out_ = false;
  next_check_ = std::min(kCheckEvery, limit.nodes);
  if (limit.seconds > 0)
    deadline_ = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                       std::chrono::duration<double>(limit.seconds));
  path_.clear();
  const bool pass = board.turn() != attacker;
  if (pass) board.pass();
  const bool win = attack();
  if (pass) board.pass();
  return {.win = win, .exhausted = !win && !stopped_ && !left_out_, .nodes = nodes_};
}

// The attacker is to move. True: it wins by fours. False: it does not, or the budget ran out (stopped_).
bool Vcf::attack() {
  const Color defender = ~attacker_;
  // Step 1. Five now wins; otherwise a five of the defender must be stopped, and by a four.
  if (board_->count(attacker_, Threat::Five)) return record_line(board_->cells(attacker_, Group::Five).first());
  const int enemy_fives = board_->count(defender, Threat::Five);
  if (enemy_fives > 1) return false;
  if (enemy_fives) {
    const Move block = board_->cells(defender, Group::Five).first();
    return makes_four(*board_, attacker_, block) && legal_for(*board_, attacker_, block) && try_four(block);
  }
  const bool doubtful = renju_ && attacker_ == Color::Black && board_->doubtful().any();
  if (!doubtful && !board_->cells(attacker_, Group::Four).any()) return false;
  if (out_of_budget()) return false;

  // Step 2. What the table knows: refuted, or a four that won before and is proved again at little cost.
  const std::uint64_t key = board_->position().key() ^ salt_;
  const Entry* known = find(key);
  if (known && refuted(known->move)) return false;

  // Step 3. Every four, the most promising first.
  const bool left_out = std::exchange(left_out_, false);
  const bool win = try_fours(key, known ? known->move : kNoMove);
  left_out_ |= left_out;
  return win;
}

// What a lean search has refuted is refuted for lean searches only.
bool Vcf::refuted(Move known) {
  if (known == kLean && limit_.lean) left_out_ = true;
  return known == kNoMove || (known == kLean && limit_.lean);
}

bool Vcf::try_fours(std::uint64_t key, Move hint) {
  const std::int64_t before = nodes_;
  std::array<Four, kMaxCells> fours;
  const int n = list_fours(fours);
  for (int i = 0; i < n; ++i)
    if (fours[i].cell == hint) std::rotate(fours.begin(), fours.begin() + i, fours.begin() + i + 1);
  for (int i = 0; i < n; ++i) {
    if (try_four(fours[i].cell)) {
      store(key, fours[i].cell, nodes_ - before);
      return true;
    }
    if (stopped_) return false;
  }
  store(key, left_out_ ? kLean : kNoMove, nodes_ - before);
  return false;
}

const Vcf::Entry* Vcf::find(std::uint64_t key) const {
  const Entry* pair = &table_[key & mask_];
  return pair[0].key == key ? &pair[0] : pair[1].key == key ? &pair[1] : nullptr;
}

// Of each pair the first entry is the one that cost most; it ages, so that old searches give way in the end.
void Vcf::store(std::uint64_t key, Move move, std::int64_t cost) {
  Entry* pair = &table_[key & mask_];
  if (written_.size() < kWrittenMost) written_.push_back(static_cast<std::uint32_t>(key & mask_));
  const auto work = static_cast<std::uint32_t>(std::min<std::int64_t>(cost, UINT32_MAX));
  if (pair[0].key == key || work >= pair[0].work) {
    if (pair[0].key != key) pair[1] = pair[0];
    pair[0] = {key, work, move};
  } else {
    pair[0].work -= pair[0].work / 16;
    pair[1] = {key, work, move};
  }
}

// Plays the four and asks whether every answer to it loses.
bool Vcf::try_four(Move four) {
  board_->play(four);
  path_.push_back(four);
  ++nodes_;
  const bool win = defend();
  path_.pop_back();
  board_->undo();
  return win;
}

// The defender is to move and cannot make five itself. Outside caro it can only occupy the completing cell.
bool Vcf::defend() {
  const int fives = board_->count(attacker_, Threat::Five);
  if (!fives) return false;
  const Move completing = board_->cells(attacker_, Group::Five).first();
  if (caro_) return try_every_answer(completing);
  if (fives > 1) return record_double_four();
  if (legal_for(*board_, ~attacker_, completing)) return try_answer(completing);
  line_.assign(path_.begin(), path_.end());  // renju: black may not stop this five
  return true;
}

// Two cells complete five and one stone cannot stop both.
bool Vcf::record_double_four() {
  Move answer = kNoMove, five = kNoMove;
  board_->cells(attacker_, Group::Five).each([&](Move m) {
    if (answer == kNoMove && legal_for(*board_, ~attacker_, m))
      answer = m;
    else
      five = m;
  });
  line_.assign(path_.begin(), path_.end());
  if (answer != kNoMove) line_.insert(line_.end(), {answer, five});
  return true;
}

bool Vcf::try_answer(Move answer) {
  board_->play(answer);
  path_.push_back(answer);
  ++nodes_;
  const bool win = attack();
  path_.pop_back();
  board_->undo();
  return win;
}

// Caro: a stone behind the row may stop the five too.
bool Vcf::try_every_answer(Move completing) {
  CellSet answers;
  answers.add(completing);
  add_row_ends(*board_, attacker_, completing, answers);
  bool win = true;
  answers.each([&](Move m) { win = win && try_answer(m); });
  return win;
}

int Vcf::list_fours(std::array<Four, kMaxCells>& fours) {
  int n = 0;
  const auto add = [&](Move m) {
    if (limit_.lean && board_->threat(attacker_, m) == Threat::Four) return void(left_out_ = true);
    const int order = 2000 * static_cast<int>(board_->threat(attacker_, m)) + cell_value(board_->number(attacker_, m));
    fours[n++] = {m, static_cast<std::int16_t>(std::min(order, 32767))};
  };
  board_->cells(attacker_, Group::Four).each(add);
  if (renju_ && attacker_ == Color::Black)
    board_->doubtful().each([&](Move m) {
      if (makes_four(*board_, attacker_, m) && legal_for(*board_, attacker_, m)) add(m);
    });
  std::sort(fours.begin(), fours.begin() + n,
            [](Four a, Four b) { return a.order != b.order ? a.order > b.order : a.cell < b.cell; });
  return n;
}

bool Vcf::record_line(Move last) {
  line_.assign(path_.begin(), path_.end());
  line_.push_back(last);
  return true;
}

bool Vcf::out_of_budget() {
  if (nodes_ < next_check_) return stopped_;
  next_check_ = std::min(nodes_ + kCheckEvery, limit_.nodes);
  stopped_ = stopped_ || nodes_ >= limit_.nodes || (limit_.stop && limit_.stop->load(std::memory_order_relaxed)) ||
             (limit_.seconds > 0 && std::chrono::steady_clock::now() >= deadline_);
  return stopped_;
}

}  // namespace tengen

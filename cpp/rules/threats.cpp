#include "rules/threats.h"

#include <algorithm>
#include <cassert>
#include <memory>

namespace tengen {
namespace {

// By the numbers of codes.
struct CodeTables {
  std::vector<Threat> plain;  // what a code means where every move is allowed
  std::vector<Threat> renju;  // the same for renju's black
  std::vector<std::int32_t> value;
};

std::array<int, kShapes> shape_counts(int code) {
  std::array<int, kShapes> n{};
  for (int d = 0; d < kDirections; ++d) {
    ++n[static_cast<int>(kShapeOfGrade[code >> 4 * d & 0xf])];
  }
  return n;
}

Threat classify(const std::array<int, kShapes>& n) {
  const auto has = [&](Shape s) { return n[static_cast<int>(s)]; };
  const int minor = has(Shape::OpenTwo) + has(Shape::ClosedThree);
  if (has(Shape::Five)) return Threat::Five;
  if (has(Shape::OpenFour)) return Threat::OpenFour;
  if (has(Shape::DoubleFour) || has(Shape::Four) >= 2) return Threat::DoubleFour;
  if (has(Shape::Four)) return has(Shape::OpenThree) ? Threat::FourThree : minor ? Threat::FourPlus : Threat::Four;
  if (has(Shape::OpenThree) >= 2) return Threat::DoubleThree;
  if (has(Shape::OpenThree)) return minor ? Threat::ThreePlus : Threat::Three;
  if (minor >= 2) return Threat::DoubleTwo;
  if (has(Shape::ClosedThree)) return Threat::ClosedThree;
  return has(Shape::OpenTwo) ? Threat::Two : Threat::None;
}

Threat classify_renju_black(const std::array<int, kShapes>& n) {
  const auto has = [&](Shape s) { return n[static_cast<int>(s)]; };
  if (has(Shape::Five)) return Threat::Five;
  const int fours = has(Shape::Four) + has(Shape::OpenFour) + 2 * has(Shape::DoubleFour);
  if (has(Shape::Overline) || fours >= 2 || has(Shape::OpenThree) >= 2) return Threat::Forbidden;
  return classify(n);
}

// Steps of about three: each shape outweighs what two of the next weaker kind can add.
constexpr std::array<int, kShapes> kShapeValue = {0, 1, 3, 4, 12, 14, 40, 44, 160, 200, 1000, 0};

const CodeTables& tables() {
  static const CodeTables all = [] {
    CodeTables t{std::vector<Threat>(kCodeNumbers), std::vector<Threat>(kCodeNumbers),
                 std::vector<std::int32_t>(kCodeNumbers)};
    for (int code = 0; code < kCodes; ++code) {
      const auto n = shape_counts(code);
      const int at = code_number(static_cast<Code>(code));
      t.plain[at] = classify(n);
      t.renju[at] = classify_renju_black(n);
      t.value[at] = 0;
      for (int s = 0; s < kShapes; ++s) t.value[at] += n[s] * kShapeValue[s];
    }
    return t;
  }();
  return all;
}

int group_of(Threat t) {
  if (t == Threat::Five) return static_cast<int>(Group::Five);
  if (t >= Threat::Four && t <= Threat::OpenFour) return static_cast<int>(Group::Four);
  if (t >= Threat::Three && t <= Threat::DoubleThree) return static_cast<int>(Group::Three);
  return -1;
}

}  // namespace

int cell_value(std::uint16_t number) { return tables().value[number]; }

ThreatBoard::ThreatBoard(const Position& position) : position_(position) {
  const auto& t = tables();
  threat_table_[0] = position.rule() == Rule::Renju ? t.renju.data() : t.plain.data();
  threat_table_[1] = t.plain.data();
  value_table_[0] = value_table_[1] = t.value.data();
  changes_.reserve(64 * 32);
  marks_.reserve(64);
  sums_.count[0][0] = sums_.count[1][0] = static_cast<std::int16_t>(position.cells());
  for (int m = 0; m < position.cells(); ++m) set_code(static_cast<Move>(m), code_from_lines(static_cast<Move>(m)));
}

std::uint32_t ThreatBoard::code_from_lines(Move m) const {
  if (!position_.empty(m)) return 0;
  std::uint32_t code = 0;
  for (int d = 0; d < kDirections; ++d) {
    const std::uint32_t pair = position_.patterns().grades(position_.window(m, d));
    code |= (pair & 0xff) << 4 * d | (pair >> 8) << (16 + 4 * d);
  }
  return code;
}

void ThreatBoard::play(Move m) {
  marks_.emplace_back(changes_.size(), sums_);
  position_.play(m, threat(turn(), m) == Threat::Five);
  change(m, 0);
  std::array<Recoded, kDirections * 2 * kMaxK> cells;
  const Recoded* end = recode_around(m, cells.data());
  for (const Recoded* r = cells.data(); r != end; ++r) change(r->cell, r->code);
}

// The empty cells whose code the stone on `m` has changed, with their new codes.
inline ThreatBoard::Recoded* ThreatBoard::recode_around(Move m, Recoded* out) const {
  const Patterns& patterns = position_.patterns();
  const int radius = patterns.radius();
  for (int d = 0; d < kDirections; ++d) {
    const auto& p = position_.geometry().place[m][d];
    const int step = position_.geometry().step[d];
    const int first = -std::min<int>(p.before, radius), last = std::min<int>(p.after, radius);
    const std::uint32_t keep = ~(0x000f000fu << 4 * d);
    // window(m, d) begins `radius` cells before m; the window of the cell i steps on begins i cells later.
    const std::uint64_t line = position_.line(m, d);
    int bit = p.bit - 2 * radius + 2 * first;
    Move cell = static_cast<Move>(m + first * step);
    for (int i = first; i <= last; ++i, bit += 2, cell = static_cast<Move>(cell + step)) {
      if (!position_.empty(cell)) continue;
      const std::uint32_t pair = patterns.grades(line >> bit);
      const std::uint32_t code = (code_[cell] & keep) | ((pair & 0xf) | (pair & 0xf00) << 8) << 4 * d;
      *out = {code, cell};
      out += code != code_[cell];
    }
  }
  return out;
}

void ThreatBoard::undo() {
  position_.undo();
  const Mark& mark = marks_.back();
  for (std::size_t i = changes_.size(); i-- > mark.changes;) {
    const Change& old = changes_[i];
    code_[old.cell] = old.code;
    number_[old.cell] = old.number;
    threat_[0][old.cell] = old.black, threat_[1][old.cell] = old.white;
  }
  changes_.resize(mark.changes);
  sums_ = mark.sums;
  marks_.pop_back();
  if (marks_.size() < weighed_) weigh(value_table_[0], value_table_[1]);  // kept before weigh() was called
}

inline void ThreatBoard::change(Move m, std::uint32_t code) {
  changes_.push_back({code_[m], number_[m], m, threat_[0][m], threat_[1][m]});
  set_code(m, code);
}

inline void ThreatBoard::set_code(Move m, std::uint32_t code) {
  const std::uint32_t differ = code_[m] ^ code, before = number_[m];
  code_[m] = code;
  const std::uint32_t black = code_number(static_cast<Code>(code)), white = code_number(static_cast<Code>(code >> 16));
  number_[m] = black | white << 16;
  if (differ & 0xffff) recount(m, Color::Black, before & 0xffff, black);
  if (differ >> 16) recount(m, Color::White, before >> 16, white);
}

inline void ThreatBoard::recount(Move m, Color c, std::uint32_t from, std::uint32_t to) {
  const int side = index(c);
  sums_.score[side] += value_table_[side][to] - value_table_[side][from];
  const Threat before = threat_[side][m], after = threat_table_[side][to];
  if (before == after) return;
  threat_[side][m] = after;
  --sums_.count[side][static_cast<int>(before)];
  ++sums_.count[side][static_cast<int>(after)];
  const int from_group = group_of(before), to_group = group_of(after);
  if (from_group != to_group) {
    if (from_group >= 0) sums_.groups[side][from_group].flip(m);
    if (to_group >= 0) sums_.groups[side][to_group].flip(m);
  }
  if ((before == Threat::Forbidden) != (after == Threat::Forbidden)) sums_.doubtful.flip(m);
}

void ThreatBoard::weigh(const std::int32_t* black, const std::int32_t* white) {
  value_table_[0] = black, value_table_[1] = white;
  weighed_ = marks_.size();
  sums_.score = {};
  for (int m = 0; m < position_.cells(); ++m)
    for (Color c : {Color::Black, Color::White})
      sums_.score[index(c)] += value_table_[index(c)][number(c, static_cast<Move>(m))];
}

bool ThreatBoard::over() const {
  if (position_.won() || position_.full()) return true;
  if (position_.rule() != Rule::Renju || turn() != Color::Black) return false;
  if (count(Color::Black, Threat::Forbidden) < position_.empties()) return false;
  bool all = true;
  sums_.doubtful.each([&](Move m) { all = all && position_.forbidden(Color::Black, m) != Forbidden::No; });
  return all;
}

bool ThreatBoard::is_ok() const {
  ThreatBoard fresh(position_);
  fresh.weigh(value_table_[0], value_table_[1]);
  return position_.is_ok() && fresh.code_ == code_ && fresh.number_ == number_ && fresh.threat_ == threat_ &&
         fresh.sums_ == sums_;
}

}  // namespace tengen

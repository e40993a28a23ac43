#include "rules/patterns.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "rules/threading.h"

namespace tengen {
namespace {

// Cells of a half as one side sees them, from the centre outwards. The string stops at the first cell that can never
// be ours; what lies behind it does not matter.
constexpr char kOwn = 'x', kFree = '.', kEnemy = 'o', kWall = '#';

// The wins of one side under a rule.
struct WinRule {
  int k;
  bool exact;  // more than k do not win
  bool caro;   // exactly k between two enemy stones do not win
  int radius;
};

WinRule win_rule(int k, Rule rule, Color color, int radius) {
  const bool exact = rule == Rule::Standard || (rule == Rule::Renju && color == Color::Black);
  return {k, exact, rule == Rule::Caro, radius};
}

// The grades beyond the shapes: from so many cells on that make `next` or better, `shape` counts as this richer form.
struct Rich {
  Shape shape, next;
  int ways;
};
constexpr std::array<Rich, kGrades - kShapes> kRich = {{{Shape::OpenOne, Shape::OpenTwo, 4},
                                                        {Shape::OpenOne, Shape::OpenTwo, 6},
                                                        {Shape::OpenTwo, Shape::OpenThree, 3},
                                                        {Shape::OpenThree, Shape::OpenFour, 2}}};

// Numbers the different halves and answers for every pair of them what the stone between them is worth.
class ShapeTable {
 public:
  explicit ShapeTable(const WinRule& rule) : rule_(rule) {
    enumerate("");
    build();
  }

  int classes() const { return static_cast<int>(halves_.size()); }
  int class_of(const std::string& half) const { return number_.at(canonical(half)); }
  std::vector<Grade> grades() {
    std::vector<Grade> all(shapes_.size());
    for (int l = 0; l < classes(); ++l)
      for (int r = 0; r < classes(); ++r) all[static_cast<std::size_t>(l) * classes() + r] = grade(l, r);
    return all;
  }

 private:
  std::string canonical(const std::string& half) const {
    std::string seen;
    for (char c : half) {
      if (c == kWall) return rule_.caro ? seen + kWall : seen;
      if (c == kEnemy) return rule_.caro ? seen + kEnemy : seen;
      seen += c;
    }
    return seen;
  }

  void enumerate(const std::string& half) {
    add(half);
    if (static_cast<int>(half.size()) == rule_.radius) return;
    if (rule_.caro) {
      add(half + kEnemy);
      add(half + kWall);
    }
    enumerate(half + kOwn);
    enumerate(half + kFree);
  }

  void add(const std::string& half) {
    if (number_.emplace(half, classes()).second) halves_.push_back(half);
  }

  void build() {
    shapes_.assign(static_cast<std::size_t>(classes()) * classes(), Shape::None);
    known_.assign(shapes_.size(), false);
    for (int l = 0; l < classes(); ++l)
      for (int r = 0; r < classes(); ++r) shape(l, r);
  }

  // Memoised: adding a stone to a half gives another numbered half.
  Shape shape(int l, int r) {
    const std::size_t at = static_cast<std::size_t>(l) * classes() + r;
    if (!known_[at]) {
      shapes_[at] = compute(l, r);
      known_[at] = true;
    }
    return shapes_[at];
  }

  Shape compute(int l, int r) {
    const std::string &left = halves_[l], &right = halves_[r];
    const int run = 1 + run_of(left) + run_of(right);
    if (run >= rule_.k) return five_or_overline(left, right, run);

    Shape best = Shape::None;
    int completions = 0;
    for (const auto& [l2, r2] : extensions(l, r)) {
      const Shape next = shape(l2, r2);
      completions += next == Shape::Five;
      if (next != Shape::Overline) best = std::max(best, next);
    }
    if (completions >= 2) return straight(left, right) ? Shape::OpenFour : Shape::DoubleFour;
    return step_down(best);
  }

  Grade grade(int l, int r) {
    const Shape now = shape(l, r);
    auto grade = static_cast<Grade>(now);
    for (std::size_t i = 0; i < kRich.size(); ++i)
      if (kRich[i].shape == now && ways_on(l, r, kRich[i].next) >= kRich[i].ways)
        grade = static_cast<Grade>(kShapes + i);
    return grade;
  }

  int ways_on(int l, int r, Shape next) {
    int ways = 0;
    for (const auto& [l2, r2] : extensions(l, r)) {
      const Shape made = shape(l2, r2);
      ways += made >= next && made != Shape::Overline;
    }
    return ways;
  }

  Shape five_or_overline(const std::string& left, const std::string& right, int run) const {
    if (rule_.exact && run > rule_.k) return Shape::Overline;
    if (rule_.caro && run == rule_.k && run_end(left) == kEnemy && run_end(right) == kEnemy) return Shape::None;
    return Shape::Five;
  }

  // A shape is one step behind the best shape one more stone can make of it.
  static Shape step_down(Shape next) {
    switch (next) {
      case Shape::Five: return Shape::Four;
      case Shape::OpenFour: return Shape::OpenThree;
      case Shape::DoubleFour:
      case Shape::Four: return Shape::ClosedThree;
      case Shape::OpenThree: return Shape::OpenTwo;
      case Shape::ClosedThree: return Shape::ClosedTwo;
      case Shape::OpenTwo: return Shape::OpenOne;
      case Shape::ClosedTwo: return Shape::ClosedOne;
      default: return Shape::None;
    }
  }

  // k-1 unbroken stones through the centre whose two neighbours both complete five.
  bool straight(const std::string& left, const std::string& right) {
    const int a = run_of(left), b = run_of(right);
    if (1 + a + b != rule_.k - 1) return false;
    return fills_to_five(left, right, a) && fills_to_five(right, left, b);
  }

  bool fills_to_five(std::string half, const std::string& other, int gap) {
    if (gap >= static_cast<int>(half.size()) || half[gap] != kFree) return false;
    half[gap] = kOwn;
    return shape(number_.at(half), number_.at(other)) == Shape::Five;
  }

  std::vector<std::pair<int, int>> extensions(int l, int r) const {
    std::vector<std::pair<int, int>> out;
    for (int half : filled(halves_[l])) out.emplace_back(half, r);
    for (int half : filled(halves_[r])) out.emplace_back(l, half);
    return out;
  }

  std::vector<int> filled(std::string half) const {
    std::vector<int> out;
    for (char& c : half)
      if (c == kFree) {
        c = kOwn;
        out.push_back(number_.at(half));
        c = kFree;
      }
    return out;
  }

  static int run_of(const std::string& half) {
    return static_cast<int>(std::min(half.find_first_not_of(kOwn), half.size()));
  }
  char run_end(const std::string& half) const {
    const auto end = half.find_first_not_of(kOwn);
    return end == std::string::npos ? kFree : half[end];
  }

  WinRule rule_;
  std::vector<std::string> halves_;
  std::map<std::string, int> number_;
  std::vector<Shape> shapes_;
  std::vector<char> known_;
};

// The two-bit cells of a half, nearest first, as `color` sees them.
std::string seen_by(Color color, std::uint64_t bits, int radius, bool left) {
  std::string half;
  for (int i = 0; i < radius; ++i) {
    const int at = left ? radius - 1 - i : i;
    switch (bits >> (2 * at) & 3) {
      case 0: half += kWall; break;
      case 1: half += color == Color::Black ? kOwn : kEnemy; break;
      case 2: half += color == Color::White ? kOwn : kEnemy; break;
      default: half += kFree;
    }
  }
  return half;
}

}  // namespace

Patterns::Patterns(int k, Rule rule)
    // Where a longer row or an enemy stone behind a row matters, one cell more is seen.
    : radius_(rule == Rule::Freestyle ? k - 1 : k), right_shift_(2 * radius_ + 2), mask_((1ull << 2 * radius_) - 1) {
  ShapeTable black(win_rule(k, rule, Color::Black, radius_)), white(win_rule(k, rule, Color::White, radius_));
  left_.resize(mask_ + 1);
  right_.resize(mask_ + 1);
  for (std::uint64_t bits = 0; bits <= mask_; ++bits) {
    const auto number = [&](bool left) {
      const auto b = static_cast<std::uint32_t>(black.class_of(seen_by(Color::Black, bits, radius_, left)));
      const auto w = static_cast<std::uint32_t>(white.class_of(seen_by(Color::White, bits, radius_, left)));
      return left ? b * black.classes() | w * white.classes() << 16 : b | w << 16;
    };
    left_[bits] = number(true);
    right_[bits] = number(false);
  }
  black_ = black.grades();
  white_ = white.grades();
}

const Patterns& Patterns::get(int k, Rule rule) {
  return shared<Patterns>(std::pair(k, rule), [&] { return Patterns(k, rule); });
}

}  // namespace tengen

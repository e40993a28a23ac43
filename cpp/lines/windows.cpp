#include "lines/windows.h"

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "rules/patterns.h"
#include "rules/threading.h"

namespace tengen {
namespace {

constexpr char kEmpty = '.', kBlack = 'x', kWhite = 'o', kEdge = '#';

// Every half in a fixed order, which model files rely on: depth first; empty, black, white, edge.
class Halves {
 public:
  explicit Halves(int radius) : radius_(radius) { enumerate(""); }

  int count() const { return static_cast<int>(all_.size()); }
  const std::string& text(int number) const { return all_[number]; }
  int number(const std::string& cells) const { return number_.at(canonical(cells)); }

 private:
  static bool ends(const std::string& half) {
    const bool black = half.find(kBlack) != std::string::npos, white = half.find(kWhite) != std::string::npos;
    return (black && white) || (!half.empty() && half.back() == kEdge);
  }

  std::string canonical(const std::string& cells) const {
    std::string half;
    for (const char c : cells) {
      half += c;
      if (ends(half)) break;
    }
    return half;
  }

  void enumerate(const std::string& half) {
    if (static_cast<int>(half.size()) == radius_ || ends(half)) {
      number_.emplace(half, count());
      all_.push_back(half);
      return;
    }
    for (const char c : {kEmpty, kBlack, kWhite, kEdge}) enumerate(half + c);
  }

  int radius_;
  std::vector<std::string> all_;
  std::map<std::string, int> number_;
};

// The two-bit cells of a half, nearest first.
std::string text_of(std::uint64_t bits, int radius, bool left) {
  constexpr char kCell[] = {kEdge, kBlack, kWhite, kEmpty};
  std::string half;
  for (int i = 0; i < radius; ++i) half += kCell[bits >> 2 * (left ? radius - 1 - i : i) & 3];
  return half;
}

// Bits of a line word that a half stands for; cells behind its end are off the board.
std::uint64_t bits_of(const std::string& half, int radius, bool left) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < half.size(); ++i) {
    const std::uint64_t cell = half[i] == kEmpty ? 3 : half[i] == kBlack ? 1 : half[i] == kWhite ? 2 : 0;
    bits |= cell << 2 * (left ? radius - 1 - static_cast<int>(i) : static_cast<int>(i));
  }
  return bits;
}

std::string with_colours_exchanged(std::string half) {
  for (char& c : half) c = c == kBlack ? kWhite : c == kWhite ? kBlack : c;
  return half;
}

bool has_stone(const std::string& half) { return half.find_first_of("xo") != std::string::npos; }

}  // namespace

Windows::Windows(int k, Rule rule) {
  const Patterns& patterns = Patterns::get(k, rule);
  radius_ = patterns.radius();
  right_shift_ = 2 * radius_ + 2;
  mask_ = (1ull << 2 * radius_) - 1;
  const Halves halves(radius_);
  const int n = halves.count();

  pair_.assign(static_cast<std::size_t>(n) * n, 0);
  swapped_.assign(1, 0);
  five_.assign(1, 0);
  for (int l = 0; l < n; ++l)
    for (int r = l; r < n; ++r) {
      if (!has_stone(halves.text(l)) && !has_stone(halves.text(r))) continue;
      pair_[l * n + r] = pair_[r * n + l] = static_cast<std::uint16_t>(five_.size());
      const std::uint64_t word = bits_of(halves.text(l), radius_, true) | 3ull << 2 * radius_ |
                                 bits_of(halves.text(r), radius_, false) << right_shift_;
      five_.push_back((patterns.shape(Color::Black, word) == Shape::Five) |
                      (patterns.shape(Color::White, word) == Shape::Five) << 1);
    }
  swapped_.resize(five_.size());
  for (int l = 0; l < n; ++l)
    for (int r = l; r < n; ++r) {
      const int l2 = halves.number(with_colours_exchanged(halves.text(l)));
      const int r2 = halves.number(with_colours_exchanged(halves.text(r)));
      swapped_[pair_[l * n + r]] = pair_[l2 * n + r2];
    }

  left_.resize(mask_ + 1);
  right_.resize(mask_ + 1);
  for (std::uint64_t bits = 0; bits <= mask_; ++bits) {
    left_[bits] = static_cast<std::uint32_t>(halves.number(text_of(bits, radius_, true)) * n);
    right_[bits] = static_cast<std::uint16_t>(halves.number(text_of(bits, radius_, false)));
  }
}

const Windows& Windows::get(int k, Rule rule) {
  return shared<Windows>(std::pair(k, rule), [&] { return Windows(k, rule); });
}

}  // namespace tengen

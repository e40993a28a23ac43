#include "rules/shape_counts.h"

namespace tengen {

namespace {

// One direction of a board as one colour sees it.
class Lines {
 public:
  Lines(const Position& p, Color c, int d) : p_(p), color_(c), d_(d), step_(p.geometry().step[d]) {}

  bool makes(Move m, Shape s) const { return p_.empty(m) && p_.shape(color_, m, d_) == s; }
  // Own stones beside `m`, forwards (sign 1) or backwards (-1).
  int run(Move m, int sign) const {
    int length = 0;
    while (length < room(m, sign) && p_.holds(at(m, sign * (length + 1)), color_)) ++length;
    return length;
  }
  Move at(Move m, int distance) const { return static_cast<Move>(m + distance * step_); }
  int room(Move m, int sign) const {
    const auto& place = p_.geometry().place[m][d_];
    return sign > 0 ? place.after : place.before;
  }
  // The cell behind a run of `length` stones, where there is one.
  bool completes_behind(Move m, int sign, int length) const {
    return room(m, sign) > length && makes(at(m, sign * (length + 1)), Shape::Five);
  }

  void count(Move m, int k, ShapeCounts& counts) const {
    if (makes(m, Shape::Five)) {
      const bool first = run(m, 1) == k - 1 && completes_behind(m, 1, k - 1);
      const bool last = run(m, -1) == k - 1 && completes_behind(m, -1, k - 1);
      counts.open_fours += first;
      counts.fours += !first && !last;
    } else if (makes(m, Shape::OpenFour)) {
      // Three stones in a row are seen from both of their ends, and are counted at the first that is good.
      const int length = run(m, -1);
      const bool seen = length == k - 2 && room(m, -1) > length && makes(at(m, -length - 1), Shape::OpenFour);
      counts.open_threes += !seen;
    }
  }

 private:
  const Position& p_;
  Color color_;
  int d_, step_;
};

}  // namespace

ShapeCounts count_shapes(const Position& position, Color color) {
  ShapeCounts counts;
  for (int d = 0; d < kDirections; ++d) {
    const Lines lines(position, color, d);
    for (Move m = 0; m < position.cells(); ++m) lines.count(m, position.k(), counts);
  }
  return counts;
}

}  // namespace tengen

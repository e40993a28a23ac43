#include "search/person.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "rules/rng.h"
#include "search/movegen.h"
#include "search/weight.h"

namespace tengen {
namespace {

constexpr double kDiagonal = 1.5;  // how much more easily a diagonal is overlooked
constexpr double kLastMove = 0.5;  // and a line through the last move, where everybody looks
constexpr int kMeeting = 3000;     // worth of two threats in one cell: below an open four, above all else
constexpr double kQuiet = 20;      // worth of a cell where nothing is seen
constexpr int kReach = 2;          // cells so far from a stone are near the action
constexpr int kHashMegabytes = 1;

bool forcing(Shape s) { return s >= Shape::OpenThree && s <= Shape::OpenFour; }

// What one person sees of one position. Each line is looked at once, so that both ends of a row are seen or neither.
class Eyes {
 public:
  Eyes(const Person& person, const ThreatBoard& board, std::uint64_t draw)
      : person_(person), board_(board), draw_(draw) {}

  bool five(Color c, Move m) const {
    for (int d = 0; d < kDirections; ++d)
      if (seen(c, m, d) == Shape::Five) return true;
    return false;
  }

  // Worth of the shapes seen: the best one alone where it does not see that they meet.
  int worth(Color c, Move m) const {
    int sum = 0, best = 0, threats = 0;
    for (int d = 0; d < kDirections; ++d) {
      const Shape shape = seen(c, m, d);
      const int weight = kWeights[static_cast<int>(shape)];
      sum += weight, best = std::max(best, weight), threats += forcing(shape);
    }
    if (threats < 2) return sum;
    return chance(c, m, kDirections) < person_.overlooks_meeting() ? best : sum + kMeeting;
  }

 private:
  Shape seen(Color c, Move m, int d) const {
    const Shape shape = board_.shape(c, m, d);
    if (shape == Shape::Overline) return Shape::None;
    const auto& places = board_.position().geometry().place;
    const int line = places[m][d].line;
    double likely = person_.overlooks(shape);
    if (d >= SouthEast) likely *= kDiagonal;
    if (const Move last = board_.position().last(); last != kNoMove && places[last][d].line == line)
      likely *= kLastMove;
    return chance(c, line, d) < likely ? Shape::ClosedTwo : shape;
  }

  double chance(Color c, int place, int d) const {
    const auto what = static_cast<std::uint64_t>((place * (kDirections + 1) + d) * 2 + index(c));
    return Rng(draw_ ^ Rng::mix(what + 1)).uniform();
  }

  const Person& person_;
  const ThreatBoard& board_;
  std::uint64_t draw_;
};

int steps_between(const Position& p, Move a, Move b) {
  return std::max(std::abs(a / p.width() - b / p.width()), std::abs(a % p.width() - b % p.width()));
}

std::vector<Move> near_the_action(const Position& position) {
  std::vector<Move> cells;
  cells_near_stones(position, kReach).each([&](Move m) {
    if (position.legal(m)) cells.push_back(m);
  });
  if (cells.empty()) cells.push_back(any_legal_move(position));
  return cells;
}

}  // namespace

double Person::overlooks(Shape shape) const {
  const double blind = 1 - habits_.sees;
  if (shape == Shape::Five) return 0.2 * blind * blind;
  if (shape >= Shape::Four) return 0.5 * blind;
  return shape == Shape::OpenThree ? 0.6 * blind : 0;
}

double Person::overlooks_meeting() const { return std::sqrt(1 - habits_.sees); }

Person::Choice Person::choose(const ThreatBoard& board, const SearchLimit& limit) {
  const std::uint64_t draw = Rng::mix(seed_ ^ board.position().key());
  if (Rng(draw).uniform() < habits_.reads) return read(board, limit);
  return {at_sight(board, draw), 1};
}

Person::Choice Person::read(const ThreatBoard& board, SearchLimit limit) {
  if (!search_) search_ = std::make_unique<AlphaBeta>(1, kHashMegabytes, seed_);
  const auto most = static_cast<std::uint64_t>(habits_.nodes);
  search_->arm();
  const auto report = search_->run(board, {limit.seconds, limit.nodes ? std::min(limit.nodes, most) : most, 0}, 1);
  return {report.lines[0].move, report.nodes};
}

// Fives are decided before taste: nobody who sees one plays elsewhere.
Move Person::at_sight(const ThreatBoard& board, std::uint64_t draw) const {
  const Eyes eyes(*this, board, draw);
  const Position& position = board.position();
  const Color own = board.turn();
  const double blind = 1 - habits_.sees, taste = 0.05 + 0.85 * blind;
  Rng random(draw + 1);
  Move best = kNoMove;
  double most = 0;
  for (const Move m : near_the_action(position)) {
    if (eyes.five(own, m)) return m;
    double liking = kQuiet + 1.1 * eyes.worth(own, m) + (1 - 0.4 * blind) * eyes.worth(~own, m);
    if (position.last() != kNoMove) liking += kQuiet * blind / steps_between(position, m, position.last());
    double score = std::log(liking) + taste * random.gumbel();
    if (eyes.five(~own, m)) score += 100;
    if (best == kNoMove || score > most) best = m, most = score;
  }
  return best;
}

}  // namespace tengen

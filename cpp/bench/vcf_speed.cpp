// How fast continuous fours are searched: middle games in which white has many fours and no win, so that every search
// runs to its end and does the same work each time.
#include <chrono>
#include <string_view>

#include "bench/yardstick.h"
#include "solve/vcf.h"

namespace tengen {
namespace {

constexpr int kSide = 15;

// x black, o white, rows from the top.
constexpr std::string_view kPositions[] = {
    ".xo.......xx.ox"
    "..........x..ox"
    "..o...x....x..."
    "xoo..x..o..ox.o"
    "x.........o...o"
    "....x......o..."
    "oo............."
    ".....x.x.x....o"
    "x...xo...x...o."
    ".x.o....o...x.."
    "oo.o......oox.."
    ".......xo......"
    "x.x......xx...."
    ".xxo.........oo"
    "...x.x.o.o.o..x",

    "..............."
    ".......oox....."
    "...o..x.xoxxx.."
    "....xoooxoxo..."
    "....oxx.xooo..."
    "...oxxxoxox...."
    "..xxoooxox....."
    "..o..xoxo..x.o."
    "......ox.x....."
    "....xox.xox.o.."
    "...xoo.ox.ooox."
    ".....x.ooxox..."
    ".......oxx....."
    ".......x......."
    "...............",

    "..............."
    "..............."
    "..............."
    "..........x...."
    ".......oxo....."
    "......xoxox...."
    ".....xox..xox.."
    "....o.oxoxo.o.."
    "....xo.xo.xo..."
    ".....ox..oxoo.."
    "...o.oxox.xxox."
    ".....xo.xx.o..."
    "....oo.xx.o...."
    "....x...ox....."
    "...............",

    "..............."
    "..............."
    "..o.o.ox......."
    "...o.oxo......."
    "...xo.xox......"
    ".x.xoxx.xo....."
    "..oxxx.oxx....."
    "...o.ooxo......"
    "..............."
    ".....x........."
    "..............."
    "..............."
    "..............."
    "..............."
    "..............."};

ThreatBoard board_of(std::string_view cells) {
  Position p(kSide, kSide, 5, Rule::Freestyle);
  for (std::size_t m = 0; m < cells.size(); ++m)
    if (cells[m] != '.') p.place(static_cast<Move>(m), cells[m] == 'x' ? Color::Black : Color::White);
  p.set_turn(Color::White);
  return ThreatBoard(p);
}

}  // namespace

double vcf_nps(double seconds) {
  using Clock = std::chrono::steady_clock;
  Vcf vcf;
  std::vector<ThreatBoard> boards;
  for (std::string_view cells : kPositions) boards.push_back(board_of(cells));
  std::int64_t nodes = 0;
  const auto start = Clock::now();
  std::chrono::duration<double> spent{};
  do {
    vcf.clear();
    for (ThreatBoard& board : boards) nodes += vcf.solve(board, Color::White, std::int64_t{1'000'000}).nodes;
    spent = Clock::now() - start;
  } while (spent.count() < seconds);
  return static_cast<double>(nodes) / spent.count();
}

}  // namespace tengen

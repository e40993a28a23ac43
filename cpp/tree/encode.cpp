#include "tree/encode.h"

#include <algorithm>
#include <array>

namespace tengen {

namespace {

// Map (0 to 4) and strength of a threat among one side's five shape maps; map -1 for none.
struct Mark {
  int map;
  float strength;
};

constexpr std::array<Mark, kThreats> kMarks = {{
    {-1, 0},    // None
    {4, 0.5f},  // Two
    {4, 0.5f},  // ClosedThree
    {4, 1},     // DoubleTwo
    {3, 1},     // Three
    {3, 1},     // ThreePlus
    {3, 1},     // DoubleThree
    {2, 1},     // Four
    {2, 1},     // FourPlus
    {2, 1},     // FourThree
    {1, 1},     // DoubleFour
    {1, 1},     // OpenFour
    {0, 1},     // Five
    {-1, 0},    // Forbidden
}};

// Own, opponent, last move, colour.
void write_stones(const Position& position, const Move* map, float* out) {
  const int cells = position.cells();
  const Color us = position.turn();
  for (Move m = 0; m < cells; ++m)
    if (!position.empty(m)) out[(position.holds(m, us) ? 0 : cells) + map[m]] = 1;
  if (position.last() != kNoMove) out[2 * cells + map[position.last()]] = 1;
  if (us == Color::Black) std::fill_n(out + 3 * cells, cells, 1.0f);
}

}  // namespace

void encode_stones(const Position& position, int symmetry, float* out) {
  std::fill_n(out, planes(Encoding::Stones) * position.cells(), 0.0f);
  write_stones(position, symmetry_map(position.width(), position.height(), symmetry).data(), out);
}

void encode_shapes(const ThreatBoard& board, int symmetry, float* out) {
  const Position& position = board.position();
  const int cells = position.cells();
  const Move* map = symmetry_map(position.width(), position.height(), symmetry).data();
  std::fill_n(out, cells, 1.0f);
  std::fill_n(out + cells, (planes(Encoding::Shapes) - 1) * cells, 0.0f);
  write_stones(position, map, out + cells);
  for (Move m = 0; m < cells; ++m) {
    if (!position.empty(m)) continue;
    for (int side = 0; side < 2; ++side) {
      const Color color = side ? ~position.turn() : position.turn();
      const Mark mark = kMarks[static_cast<int>(board.threat(color, m))];
      if (mark.map >= 0) out[(5 + 5 * side + mark.map) * cells + map[m]] = mark.strength;
    }
  }
  if (position.rule() != Rule::Renju || position.turn() != Color::Black) return;
  board.doubtful().each([&](Move m) {
    if (position.forbidden(Color::Black, m) != Forbidden::No) out[15 * cells + map[m]] = 1;
  });
}

}  // namespace tengen

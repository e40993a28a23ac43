// The vocabulary of the core: colours, rules, cells, shapes. No logic.
#pragma once

#include <array>
#include <cstdint>

namespace tengen {

constexpr int kMaxSize = 22;
constexpr int kMaxCells = kMaxSize * kMaxSize;
constexpr int kMinK = 3;
constexpr int kMaxK = 6;
constexpr int kDirections = 4;

// A cell: row * width + col, row 0 at the top.
using Move = std::int16_t;
constexpr Move kNoMove = -1;

enum class Color : std::uint8_t { Black = 0, White = 1 };
constexpr Color operator~(Color c) { return static_cast<Color>(1 - static_cast<int>(c)); }
constexpr int index(Color c) { return static_cast<int>(c); }

enum class Rule : std::uint8_t { Freestyle, Standard, Renju, Caro };
constexpr int kRules = 4;

// Horizontal, vertical, diagonal down-right, diagonal down-left.
enum Direction : std::uint8_t { East, South, SouthEast, SouthWest };

// What a stone placed on an empty cell makes along one line, named for k = 5. In general "five" is k in a row and
// each step down is one stone further from it. Every shape contains the placed stone.
enum class Shape : std::uint8_t {
  None,  // four more stones do not make five here (for k up to 5: nothing ever does)
  ClosedOne,
  OpenOne,
  ClosedTwo,    // one stone makes it a closed three
  OpenTwo,      // one stone makes it an open three
  ClosedThree,  // one stone makes it a four
  OpenThree,    // one stone makes it an open four
  Four,         // one cell completes five
  DoubleFour,   // two or more cells complete five, but not a straight four: X_XXX_X
  OpenFour,     // straight four, both ends complete five
  Five,
  Overline,  // more than k where only exactly k wins
};
constexpr int kShapes = 12;

// A shape, and for some of them how many cells lead on from it: 0 to 11 are the shapes, the others are richer forms
// of shapes, see patterns.cpp.
using Grade = std::uint8_t;
constexpr int kGrades = 16;
constexpr std::array<Shape, kGrades> kShapeOfGrade = {
    Shape::None,      Shape::ClosedOne, Shape::OpenOne,    Shape::ClosedTwo, Shape::OpenTwo, Shape::ClosedThree,
    Shape::OpenThree, Shape::Four,      Shape::DoubleFour, Shape::OpenFour,  Shape::Five,    Shape::Overline,
    Shape::OpenOne,   Shape::OpenOne,   Shape::OpenTwo,    Shape::OpenThree,
};

// What a stone placed on an empty cell makes over its four lines together, weakest first.
enum class Threat : std::uint8_t {
  None,
  Two,  // one open two
  ClosedThree,
  DoubleTwo,    // two or more of: open two, closed three
  Three,        // one open three
  ThreePlus,    // an open three with an open two or a closed three
  DoubleThree,  // two open threes: wins unless the opponent has fours
  Four,         // one four: the opponent must answer on its completing cell
  FourPlus,     // a four with an open two or a closed three
  FourThree,    // a four with an open three
  DoubleFour,   // two fours: wins unless the opponent makes five now
  OpenFour,     // straight four: wins unless the opponent makes five now
  Five,
  Forbidden,  // renju black: may be forbidden, Position::forbidden decides
};
constexpr int kThreats = 14;

enum class Forbidden : std::uint8_t { No, DoubleThree, DoubleFour, Overline };
constexpr int kForbidden = 4;

}  // namespace tengen

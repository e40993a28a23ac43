// The tables that are fitted, with their gradients and their optimiser, and the header they are written to.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rules/types.h"
#include "search/evaluate.h"

namespace tengen::bench {

// Codes of the same shapes in another order of directions share a number; 0 is the code without any shape.
int code_id(std::uint16_t code);
int code_ids();

// Adam over one array of weights.
struct Optimiser {
  std::vector<float> first, second;
  int steps = 0;
  void step(std::vector<float>& weights, const std::vector<float>& gradient, double rate);
};

// A weight for every code: the sum over its shapes and a correction of its own.
struct CodeTable {
  CodeTable();
  void step(double rate, double pull);

  std::vector<float> value, gradient;  // [code_ids()], value is what the parts below add up to
  std::vector<float> shapes, own;      // [kGrades], [code_ids()]
  std::vector<double> met;             // how much gradient each code ever saw
 private:
  Optimiser of_shapes_, of_own_;
};

// A weight for every set of standing threats: a constant, a sum over the threats and a correction.
struct MaskTable {
  MaskTable();
  void step(double rate, double pull);

  std::vector<float> value, gradient;  // [1 << kThreatBits]
  std::vector<float> bits, own;        // [kThreatBits + 1], the last is the constant
 private:
  Optimiser of_bits_, of_own_;
};

struct SideTables {
  CodeTable moving, waiting, own_move, opponent_move;
  MaskTable threats;
};

// One side for rules that treat black and white alike, else one for each colour.
struct Model {
  explicit Model(int sides) : sides(sides), side(static_cast<std::size_t>(sides)) {}
  void step(double rate, double pull);
  int sides;
  std::vector<SideTables> side;
};

void write_header(const std::string& path, Rule rule, const Model& model);

}  // namespace tengen::bench

#include "bench/runner/fit_tables.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace tengen::bench {
namespace {

struct Ids {
  std::vector<std::uint16_t> of_code = std::vector<std::uint16_t>(1 << 16, 0);
  std::vector<std::uint16_t> code;  // [id] the sorted code, largest shape first

  Ids() {
    for (int a = 0; a < kGrades; ++a)
      for (int b = 0; b <= a; ++b)
        for (int c = 0; c <= b; ++c)
          for (int d = 0; d <= c; ++d) code.push_back(static_cast<std::uint16_t>(a << 12 | b << 8 | c << 4 | d));
    std::vector<std::uint16_t> number(1 << 16, 0);
    for (std::size_t i = 0; i < code.size(); ++i) number[code[i]] = static_cast<std::uint16_t>(i);
    for (int i = 0; i < 1 << 16; ++i) of_code[i] = number[sorted_code(i)];
  }
};

const Ids& ids() {
  static const Ids all;
  return all;
}

int shape_at(int code, int direction) { return code >> 4 * direction & 0xf; }

}  // namespace

int code_id(std::uint16_t code) { return ids().of_code[code]; }
int code_ids() { return static_cast<int>(ids().code.size()); }

void Optimiser::step(std::vector<float>& weights, const std::vector<float>& gradient, double rate) {
  first.resize(weights.size()), second.resize(weights.size());
  ++steps;
  const double scale = rate * std::sqrt(1 - std::pow(0.999, steps)) / (1 - std::pow(0.9, steps));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    first[i] += 0.1f * (gradient[i] - first[i]);
    second[i] += 0.001f * (gradient[i] * gradient[i] - second[i]);
    weights[i] -= static_cast<float>(scale * first[i] / (std::sqrt(second[i]) + 1e-9));
  }
}

CodeTable::CodeTable() : value(code_ids()), gradient(code_ids()), shapes(kGrades), own(code_ids()), met(code_ids()) {}

void CodeTable::step(double rate, double pull) {
  std::vector<float> by_shape(kGrades);
  for (int id = 0; id < code_ids(); ++id) {
    met[id] += std::abs(gradient[id]);
    for (int d = 0; d < kDirections; ++d) by_shape[shape_at(ids().code[id], d)] += gradient[id];
    gradient[id] += static_cast<float>(pull) * own[id];
  }
  by_shape[0] = gradient[0] = 0;
  of_shapes_.step(shapes, by_shape, rate);
  of_own_.step(own, gradient, rate);
  std::fill(gradient.begin(), gradient.end(), 0.f);
  for (int id = 1; id < code_ids(); ++id) {
    value[id] = own[id];
    for (int d = 0; d < kDirections; ++d) value[id] += shapes[shape_at(ids().code[id], d)];
  }
}

MaskTable::MaskTable()
    : value(1 << kThreatBits), gradient(1 << kThreatBits), bits(kThreatBits + 1), own(1 << kThreatBits) {}

void MaskTable::step(double rate, double pull) {
  std::vector<float> by_bit(kThreatBits + 1);
  for (std::size_t mask = 0; mask < value.size(); ++mask) {
    for (int bit = 0; bit <= kThreatBits; ++bit)
      if (bit == kThreatBits || mask >> bit & 1) by_bit[bit] += gradient[mask];
    gradient[mask] += static_cast<float>(pull) * own[mask];
  }
  of_bits_.step(bits, by_bit, rate);
  of_own_.step(own, gradient, rate);
  std::fill(gradient.begin(), gradient.end(), 0.f);
  for (std::size_t mask = 0; mask < value.size(); ++mask) {
    value[mask] = own[mask] + bits[kThreatBits];
    for (int bit = 0; bit < kThreatBits; ++bit)
      if (mask >> bit & 1) value[mask] += bits[bit];
  }
}

void Model::step(double rate, double pull) {
  for (auto& s : side) {
    s.moving.step(rate, pull), s.waiting.step(rate, pull);
    // Odds between moves are an order of magnitude larger than a cell's share of a position.
    s.own_move.step(10 * rate, pull), s.opponent_move.step(10 * rate, pull);
    s.threats.step(rate, pull);
  }
}

// Writing ---------------------------------------------------------------------------------------------------------

namespace {

// Lists are wrapped at this column.
constexpr std::size_t kColumns = 116;

void write_list(std::ostream& out, const std::string& declaration, const std::vector<std::string>& items) {
  out << "constexpr " << declaration << " = {{\n";
  std::string line = "   ";
  for (const auto& item : items) {
    if (line.size() + item.size() > kColumns) out << line << '\n', line = "   ";
    line += ' ' + item + ',';
  }
  out << line << "\n}};\n";
}

// Cells a search never evaluates keep their shapes' weights within bounds: sums over a board must fit 16 bits.
int rounded(double value, int unit) { return static_cast<int>(std::lround(std::clamp(value, -2.5, 2.5) * unit)); }

std::string pair_text(int code, int value) {
  char text[32];
  std::snprintf(text, sizeof text, "{0x%04x, %d}", code, value);
  return text;
}

void write_corrections(std::ostream& out, const std::string& name, const std::vector<std::string>& items) {
  write_list(out, "std::array<Correction, " + std::to_string(items.size()) + "> " + name, items);
}

void write_codes(std::ostream& out, const std::string& name, const CodeTable& table, int unit) {
  std::vector<std::string> shapes, own;
  std::vector<int> rounded_shapes;
  for (int s = 0; s < kGrades; ++s) {
    rounded_shapes.push_back(rounded(table.shapes[s], unit));
    shapes.push_back(std::to_string(rounded_shapes[s]));
  }
  for (int id = 1; id < code_ids(); ++id) {
    if (table.met[id] <= 0) continue;
    int sum = 0;
    for (int d = 0; d < kDirections; ++d) sum += rounded_shapes[shape_at(ids().code[id], d)];
    if (const int value = rounded(table.value[id], unit) - sum) own.push_back(pair_text(ids().code[id], value));
  }
  write_list(out, "std::array<int, kGrades> " + name + "Shapes", shapes);
  write_corrections(out, name + "Codes", own);
}

void write_threats(std::ostream& out, const std::string& name, const MaskTable& table) {
  std::vector<std::string> items;
  for (std::size_t mask = 0; mask < table.value.size(); ++mask)
    items.push_back(
        std::to_string(static_cast<int>(std::lround(std::clamp<double>(table.value[mask], -20, 20) * kCellUnit))));
  write_list(out, "std::array<std::int16_t, 1 << kThreatBits> " + name + "Threats", items);
}

const char* rule_name(Rule rule) {
  switch (rule) {
    case Rule::Freestyle: return "freestyle";
    case Rule::Standard: return "standard";
    case Rule::Renju: return "renju";
    default: return "caro";
  }
}

}  // namespace

void write_header(const std::string& path, Rule rule, const Model& model) {
  std::ostringstream out;
  out << "// Written by `tengen data --fit`: do not edit.\n#pragma once\n\n#include \"search/weights/weights.h\"\n\n"
      << "namespace tengen::weights::" << rule_name(rule) << " {\n\n";
  for (int s = 0; s < model.sides; ++s) {
    const std::string side = model.sides == 1 ? "k" : s == 0 ? "kBlack" : "kWhite";
    const SideTables& tables = model.side[s];
    write_codes(out, side + "Moving", tables.moving, kCellUnit);
    write_codes(out, side + "Waiting", tables.waiting, kCellUnit);
    write_codes(out, side + "OwnMove", tables.own_move, kMoveUnit);
    write_codes(out, side + "OpponentMove", tables.opponent_move, kMoveUnit);
    write_threats(out, side, tables.threats);
    out << "inline constexpr Side " << (model.sides == 1 ? "kSide" : side + "Side") << " = {\n"
        << "    {" << side << "MovingShapes, " << side << "MovingCodes}, {" << side << "WaitingShapes, " << side
        << "WaitingCodes},\n"
        << "    {" << side << "OwnMoveShapes, " << side << "OwnMoveCodes}, {" << side << "OpponentMoveShapes, " << side
        << "OpponentMoveCodes},\n    " << side << "Threats,\n};\n\n";
  }
  out << "}  // namespace tengen::weights::" << rule_name(rule) << '\n';
  std::ofstream file(path);
  file << out.str();
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

}  // namespace tengen::bench

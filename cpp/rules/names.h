// Names of rules and reasons as people and Python write them; src/tengen/rules.py has the same, and a test compares.
#pragma once

#include <array>
#include <stdexcept>
#include <string>

#include "rules/types.h"

namespace tengen {

// In the order of `Rule`.
constexpr std::array<const char*, kRules> kRuleNames = {"freestyle", "standard", "renju", "caro"};
// In the order of `Forbidden`; the first is a move that is allowed.
constexpr std::array<const char*, kForbidden> kForbiddenNames = {"", "double three", "double four", "overline"};

inline Rule rule_from_name(const std::string& name) {
  std::string known;
  for (int i = 0; i < kRules; ++i) {
    if (name == kRuleNames[i]) return static_cast<Rule>(i);
    known += (i ? ", " : "") + std::string(kRuleNames[i]);
  }
  throw std::invalid_argument("unknown rule '" + name + "'; choose one of " + known);
}

inline std::string forbidden_name(Forbidden why) { return kForbiddenNames[static_cast<int>(why)]; }

}  // namespace tengen

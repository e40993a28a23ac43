// Names of rules and reasons as people and Python write them.
#pragma once

#include <stdexcept>
#include <string>

#include "rules/types.h"

namespace tengen {

inline Rule rule_from_name(const std::string& name) {
  if (name == "freestyle") return Rule::Freestyle;
  if (name == "standard") return Rule::Standard;
  if (name == "renju") return Rule::Renju;
  if (name == "caro") return Rule::Caro;
  throw std::invalid_argument("unknown rule '" + name + "'; choose one of freestyle, standard, renju, caro");
}

// Empty for a move that is allowed.
inline std::string forbidden_name(Forbidden why) {
  switch (why) {
    case Forbidden::DoubleThree: return "double three";
    case Forbidden::DoubleFour: return "double four";
    case Forbidden::Overline: return "overline";
    default: return "";
  }
}

}  // namespace tengen

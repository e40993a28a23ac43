// The native board as Python holds it; searches copy its ThreatBoard.
#pragma once

#include "rules/threats.h"

namespace tengen {

struct BoardHandle {
  ThreatBoard board;
};

}  // namespace tengen

// A caller's mistake. Builds without exceptions (the browser's) end here, so their callers ask for the fault first.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace tengen {

[[noreturn]] inline void refuse(const std::string& what) {
#if defined(__cpp_exceptions)
  throw std::invalid_argument(what);
#else
  (void)what;
  std::abort();
#endif
}

// Refuses what has a fault; "" is none.
inline void refuse_fault(const std::string& fault) {
  if (!fault.empty()) refuse(fault);
}

}  // namespace tengen

#include "bench/runner/clock.h"

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

namespace {

thread_local bool processor_time = false;

}  // namespace

// The C++ library of every engine reads the steady clock through this name, which the program defines before the C
// library does: so engines of any revision follow.
extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t clock, timespec* out) noexcept {
  if (clock == CLOCK_MONOTONIC && processor_time) clock = CLOCK_THREAD_CPUTIME_ID;
  return static_cast<int>(syscall(SYS_clock_gettime, clock, out));
}

bool tengen::bench::use_processor_time() { return processor_time = true; }
#else
bool tengen::bench::use_processor_time() { return false; }
#endif

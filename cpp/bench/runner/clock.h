// The clock that the engines of this process see.
#pragma once

namespace tengen::bench {

// From now on time on the calling thread is the processor time it used: searches with a time limit then play alike
// however busy the machine is. For engines of one thread. False where the system does not offer it.
bool use_processor_time();

}  // namespace tengen::bench

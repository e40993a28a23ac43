// A yardstick for speed: how fast this machine runs a fixed piece of integer work.
#pragma once

namespace tengen {

// Rounds a second of a loop of dependent shifts, multiplications and table look-ups that never changes. Other speeds
// are recorded as ratios to it, so that they can be compared between machines.
double reference_rounds_per_second(double seconds);

// Nodes per second of the search for continuous fours over fixed middle games in which white has many fours and no win.
double vcf_nps(double seconds);

}  // namespace tengen

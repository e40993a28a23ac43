// What proofs, classes and reasons are called outside of the core: in Python, in JavaScript and in files.
#pragma once

#include <array>

namespace tengen::study {

constexpr std::array kForceNames = {"five", "vcf", "vct"};
constexpr std::array kMarkNames = {"best",    "good",    "lost",       "inaccuracy",
                                   "mistake", "blunder", "missed-win", "allowed-win"};
constexpr std::array kStateNames = {"right", "solved", "wrong"};
constexpr std::array kIdeaNames = {"five",  "block-five",   "double-four", "four", "counter-four",
                                   "block", "double-three", "three",       "quiet"};
constexpr std::array kWhyNames = {"makes-five",  "wins",   "leaves-four", "leaves-three", "allows",
                                  "misses-five", "misses", "no-defence",  "better"};

}  // namespace tengen::study

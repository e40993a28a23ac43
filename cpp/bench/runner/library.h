// An engine library loaded beside others, and one engine of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/engine/abi.h"
#include "rules/types.h"

namespace tengen::bench {

struct Variant {
  int width, height, k;
  Rule rule;
};

// The functions of a library; it stays loaded to the end of the process. Throws std::runtime_error with one line.
class Library {
 public:
  explicit Library(const std::string& path);

  decltype(&tengen_parameter_count) parameter_count;
  decltype(&tengen_parameter_info) parameter_info;
  decltype(&tengen_create) create;
  decltype(&tengen_destroy) destroy;
  decltype(&tengen_reset) reset;
  decltype(&tengen_set) set;
  decltype(&tengen_search) search;
};

struct Budget {
  std::uint64_t nodes = 0;
  double seconds = 0;
};

class Engine {
 public:
  Engine(const Library& library, const Variant& variant, int hash_megabytes);

  // Before each game. `parameters`: name=value,name=value or "-" for the shipped ones.
  void begin(std::uint64_t seed, const std::string& parameters);
  tengen_found search(const std::vector<Move>& moves, const Budget& budget);

 private:
  const Library& library_;
  std::unique_ptr<tengen_engine, decltype(&tengen_destroy)> engine_;
};

}  // namespace tengen::bench

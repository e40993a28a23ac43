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
  decltype(&tengen_network) network;  // null: older than networks
};

struct Budget {
  std::uint64_t nodes = 0;
  double seconds = 0;
};

class Engine {
 public:
  // `network`: the file of a line network that values positions, "-": none. `threads` search together.
  Engine(const Library& library, const Variant& variant, int hash_megabytes, const std::string& network = "-",
         int threads = 1);

  // Before each game. `parameters`: name=value,name=value or "-" for the shipped ones.
  void begin(std::uint64_t seed, const std::string& parameters);
  tengen_found search(const std::vector<Move>& moves, const Budget& budget);

 private:
  void set(const std::string& parameter);

  const Library& library_;
  std::string network_;
  std::unique_ptr<tengen_engine, decltype(&tengen_destroy)> engine_;
};

}  // namespace tengen::bench

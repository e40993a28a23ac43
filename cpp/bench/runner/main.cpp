// The program behind `tengen ab`, `tengen spsa` and `tengen data`. Speaks plain lines; a fault is one line on stderr.
//
//   tengen_runner parameters LIB
//   tengen_runner openings LIB WIDTH HEIGHT K RULE COUNT SEED NODES BOUND THREADS
//   tengen_runner match NEW OLD WIDTH HEIGHT K RULE THREADS HASH_MB wall|processor NEW_NETWORK OLD_NETWORK
//     NEW_THREADS OLD_THREADS
//     jobs on stdin, one JSON line for each on stdout
//   tengen_runner data LIB WIDTH HEIGHT K RULE FILE ENGINE NODES BLOCKS SEED THREADS NETWORK PARAMETERS
//     prints "block games positions"
//   tengen_runner fit HEADER EPOCHS SEARCH_SHARE PROVEN RATE PULL FILE ...
//
// A network is the file of one, as bench/engine/abi.h describes it, or "-". A job of a match is one opening played
// twice, colours swapped:
//   ID NEW_NODES NEW_SECONDS OLD_NODES OLD_SECONDS PLAY_OUT NEW_PARAMETERS OLD_PARAMETERS MOVE MOVE ...
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/runner/data.h"
#include "bench/runner/fit.h"
#include "bench/runner/match.h"
#include "bench/runner/openings.h"
#include "rules/names.h"

namespace tengen::bench {
namespace {

using Arguments = std::vector<std::string>;

Variant variant_from(const Arguments& a, std::size_t at) {
  return {std::stoi(a.at(at)), std::stoi(a.at(at + 1)), std::stoi(a.at(at + 2)), rule_from_name(a.at(at + 3))};
}

int list_parameters(const Arguments& a) {
  const Library library(a.at(0));
  for (int i = 0; i < library.parameter_count(); ++i) {
    tengen_parameter p;
    library.parameter_info(i, &p);
    std::printf("%s\t%d\t%d\t%d\t%s\n", p.name, p.value, p.low, p.high, p.meaning);
  }
  return 0;
}

int make_openings(const Arguments& a) {
  const Library library(a.at(0));
  const Variant variant = variant_from(a, 1);
  const auto count = std::stoul(a.at(5));
  Rng random(std::stoull(a.at(6)));
  Engine engine(library, variant, 4);
  engine.begin(0, "-");
  std::set<std::vector<int>> seen;
  while (seen.size() < count) {
    const auto opening = random_opening(variant, random);
    if (seen.contains(canonical(variant, opening)) || !even(engine, opening, std::stoull(a.at(7)), std::stod(a.at(8))))
      continue;
    seen.insert(canonical(variant, opening));
    for (std::size_t i = 0; i < opening.size(); ++i) std::printf(i ? " %d" : "%d", opening[i]);
    std::printf("\n");
    std::fflush(stdout);
  }
  return 0;
}

int match(const Arguments& a) {
  const Library fresh(a.at(0)), old(a.at(1));
  const ClockKind clock = a.at(8) == "processor" ? ClockKind::Processor : ClockKind::Wall;
  return serve_match({fresh, a.at(9), std::stoi(a.at(11))}, {old, a.at(10), std::stoi(a.at(12))}, variant_from(a, 2),
                     std::stoi(a.at(6)), std::stoi(a.at(7)), clock);
}

int make_data(const Arguments& a) {
  const Library library(a.at(0));
  DataPlan plan;
  plan.header = {variant_from(a, 1), static_cast<std::uint32_t>(std::stoul(a.at(7))), a.at(6)};
  plan.path = a.at(5);
  plan.blocks = static_cast<std::uint32_t>(std::stoul(a.at(8)));
  plan.seed = std::stoull(a.at(9));
  plan.threads = std::stoi(a.at(10));
  plan.network = a.at(11);
  plan.parameters = a.at(12);
  generate(library, plan);
  return 0;
}

int fit_weights(const Arguments& a) {
  FitPlan plan;
  plan.header = a.at(0);
  plan.epochs = std::stoi(a.at(1));
  plan.search_share = std::stod(a.at(2));
  plan.proven = std::stoi(a.at(3)) != 0;
  plan.rate = std::stod(a.at(4));
  plan.pull = std::stod(a.at(5));
  plan.files.assign(a.begin() + 6, a.end());
  fit(plan);
  return 0;
}

int run(const Arguments& all) {
  static const std::map<std::string, int (*)(const Arguments&)> commands = {{"parameters", list_parameters},
                                                                            {"openings", make_openings},
                                                                            {"match", match},
                                                                            {"data", make_data},
                                                                            {"fit", fit_weights}};
  const auto command = all.empty() ? commands.end() : commands.find(all[0]);
  if (command == commands.end()) throw std::invalid_argument("choose one of parameters, openings, match, data, fit");
  return command->second(Arguments(all.begin() + 1, all.end()));
}

}  // namespace
}  // namespace tengen::bench

int main(int count, char** words) {
  try {
    return tengen::bench::run({words + 1, words + count});
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 2;
  }
}

#include "bench/runner/library.h"

#include <dlfcn.h>

#include <sstream>
#include <stdexcept>

namespace tengen::bench {
namespace {

template <class F>
void bind(void* handle, const char* name, F& function, const std::string& path) {
  function = reinterpret_cast<F>(dlsym(handle, name));
  if (!function) throw std::runtime_error(path + " is not an engine library: it has no " + name);
}

}  // namespace

Library::Library(const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw std::runtime_error(dlerror());
  decltype(&tengen_abi) abi;
  bind(handle, "tengen_abi", abi, path);
  if (abi() != TENGEN_ABI)
    throw std::runtime_error(path + " speaks version " + std::to_string(abi()) + " of the engine interface, not " +
                             std::to_string(TENGEN_ABI));
  bind(handle, "tengen_parameter_count", parameter_count, path);
  bind(handle, "tengen_parameter_info", parameter_info, path);
  bind(handle, "tengen_create", create, path);
  bind(handle, "tengen_destroy", destroy, path);
  bind(handle, "tengen_reset", reset, path);
  bind(handle, "tengen_set", set, path);
  bind(handle, "tengen_search", search, path);
  network = reinterpret_cast<decltype(network)>(dlsym(handle, "tengen_network"));
}

Engine::Engine(const Library& library, const Variant& v, int hash_megabytes, const std::string& network, int threads)
    : library_(library), network_(network),
      engine_(library.create(v.width, v.height, v.k, static_cast<int>(v.rule), threads, hash_megabytes),
              library.destroy) {
  if (!engine_) throw std::runtime_error("this engine does not play such a board");
  if (network_ != "-" && !library_.network) throw std::runtime_error("this engine is older than networks");
}

void Engine::begin(std::uint64_t seed, const std::string& parameters) {
  library_.reset(engine_.get(), seed);
  if (network_ != "-" && library_.network(engine_.get(), network_.c_str()))
    throw std::runtime_error(network_ + " is no network for this board");
  if (parameters == "-") return;
  std::istringstream items(parameters);
  for (std::string item; std::getline(items, item, ',');) set(item);
}

void Engine::set(const std::string& parameter) {
  const auto equals = parameter.find('=');
  if (equals == std::string::npos) throw std::runtime_error("'" + parameter + "' is not name=value");
  const std::string name = parameter.substr(0, equals);
  const int refused = library_.set(engine_.get(), name.c_str(), std::stoi(parameter.substr(equals + 1)));
  if (refused) throw std::runtime_error(parameter + (refused == 1 ? ": no such parameter" : ": out of range"));
}

tengen_found Engine::search(const std::vector<Move>& moves, const Budget& budget) {
  tengen_found found{};
  library_.search(engine_.get(), moves.data(), static_cast<int>(moves.size()), budget.nodes, budget.seconds, &found);
  return found;
}

}  // namespace tengen::bench

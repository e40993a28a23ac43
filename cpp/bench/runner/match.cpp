#include "bench/runner/match.h"

#include <atomic>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "bench/runner/clock.h"
#include "bench/runner/game.h"

namespace tengen::bench {
namespace {

struct Job {
  std::uint64_t id = 0;
  Budget fresh, old;
  bool play_out = false;
  std::string fresh_parameters, old_parameters;
  std::vector<Move> opening;
};

Job parse_job(const std::string& line) {
  std::istringstream in(line);
  Job job;
  in >> job.id >> job.fresh.nodes >> job.fresh.seconds >> job.old.nodes >> job.old.seconds >> job.play_out >>
      job.fresh_parameters >> job.old_parameters;
  if (!in) throw std::runtime_error("not a job: " + line);
  for (int move; in >> move;) job.opening.push_back(static_cast<Move>(move));
  return job;
}

const char* name_of(End end) {
  switch (end) {
    case End::Five: return "five";
    case End::Claim: return "claim";
    case End::Full: return "full";
    case End::Long: return "long";
    default: return "no move";
  }
}

void write_game(std::ostringstream& out, const GameResult& game, bool fresh_is_black) {
  out << "{\"new\":\"" << (fresh_is_black ? "black" : "white") << "\",\"winner\":\""
      << (game.winner < 0    ? ""
          : game.winner == 0 ? "black"
                             : "white")
      << "\",\"end\":\"" << name_of(game.end) << "\"";
  if (game.false_claim) out << ",\"false_claim\":true";
  const int fresh = fresh_is_black ? 0 : 1;
  out << ",\"nodes\":[" << game.nodes[fresh] << ',' << game.nodes[1 - fresh] << "],\"seconds\":[" << game.seconds[fresh]
      << ',' << game.seconds[1 - fresh] << "],\"moves\":[";
  for (std::size_t i = 0; i < game.moves.size(); ++i) out << (i ? "," : "") << game.moves[i];
  out << "]}";
}

class Server {
 public:
  Server(const Side& fresh, const Side& old, const Variant& variant, int hash_megabytes, ClockKind clock)
      : fresh_(fresh), old_(old), variant_(variant), hash_megabytes_(hash_megabytes), clock_(clock) {}

  // One thread's work until there is no more.
  void serve() {
    try {
      if (clock_ == ClockKind::Processor && !use_processor_time())
        throw std::runtime_error("this system does not offer the processor time of a thread");
      Engine fresh(fresh_.library, variant_, hash_megabytes_, fresh_.network, fresh_.threads);
      Engine old(old_.library, variant_, hash_megabytes_, old_.network, old_.threads);
      for (std::string line; !failed_ && next(line);) answer(play(parse_job(line), fresh, old));
    } catch (const std::exception& fault) {
      failed_ = true;
      const std::lock_guard lock(output_);
      std::fprintf(stderr, "%s\n", fault.what());
    }
  }
  bool failed() const { return failed_; }

 private:
  bool next(std::string& line) {
    const std::lock_guard lock(input_);
    return static_cast<bool>(std::getline(std::cin, line));
  }

  std::string play(const Job& job, Engine& fresh, Engine& old) const {
    std::ostringstream out;
    out << "{\"pair\":" << job.id << ",\"games\":[";
    for (const bool fresh_is_black : {true, false}) {
      fresh.begin(job.id, job.fresh_parameters);
      old.begin(job.id, job.old_parameters);
      const GameResult game =
          fresh_is_black ? play_game(variant_, job.opening, {&fresh, &old}, {job.fresh, job.old}, job.play_out)
                         : play_game(variant_, job.opening, {&old, &fresh}, {job.old, job.fresh}, job.play_out);
      if (!fresh_is_black) out << ',';
      write_game(out, game, fresh_is_black);
    }
    out << "]}";
    return out.str();
  }

  void answer(const std::string& line) {
    const std::lock_guard lock(output_);
    std::puts(line.c_str());
    std::fflush(stdout);
  }

  const Side &fresh_, &old_;
  Variant variant_;
  int hash_megabytes_;
  ClockKind clock_;
  std::mutex input_, output_;
  std::atomic<bool> failed_{false};
};

}  // namespace

int serve_match(const Side& fresh, const Side& old, const Variant& variant, int threads, int hash_megabytes,
                ClockKind clock) {
  Server server(fresh, old, variant, hash_megabytes, clock);
  {
    std::vector<std::jthread> workers;
    for (int i = 0; i < threads; ++i) workers.emplace_back([&] { server.serve(); });
  }
  return server.failed() ? 2 : 0;
}

}  // namespace tengen::bench

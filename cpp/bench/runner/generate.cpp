// Games for the data file: an engine against itself, now and then with a move it did not choose.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "bench/runner/data.h"
#include "bench/runner/openings.h"
#include "rules/threats.h"

namespace tengen::bench {
namespace {

std::int16_t value_of(const tengen_found& found) {
  if (found.proven)
    return static_cast<std::int16_t>(found.proven > 0 ? kValueProven - found.proven : -kValueProven - found.proven);
  return static_cast<std::int16_t>(std::clamp<double>(std::round(found.logit * kValueUnit), -kValueLimit, kValueLimit));
}

// Any move that makes or takes a shape.
Move other_move(const ThreatBoard& board, Rng& random, Move best) {
  std::vector<Move> moves;
  const Position& p = board.position();
  for (Move m = 0; m < p.cells(); ++m)
    if (p.empty(m) &&
        (board.threat(Color::Black, m) != Threat::None || board.threat(Color::White, m) != Threat::None) && p.legal(m))
      moves.push_back(m);
  return moves.empty() ? best : moves[random.below(static_cast<int>(moves.size()))];
}

DataGame play(Engine& engine, const DataPlan& plan, std::vector<Move> opening, Rng& random) {
  const Variant& v = plan.header.variant;
  Position start(v.width, v.height, v.k, v.rule);
  for (const Move m : opening) start.play(m);
  ThreatBoard board(start);
  DataGame game;
  game.opening = opening;
  std::vector<Move> moves = std::move(opening);
  while (!board.over() && board.position().stones() * 3 < board.position().cells() * 2) {
    const tengen_found found = engine.search(moves, {plan.header.nodes, 0});
    const auto best = static_cast<Move>(found.move);
    const bool other = !found.proven && random.below(100) < plan.random_percent;
    const Move move = other ? other_move(board, random, best) : best;
    game.plies.push_back({move, best, value_of(found)});
    if (found.proven > 0) {  // the rest shows nothing new
      game.winner = index(board.turn());
      return game;
    }
    moves.push_back(move);
    board.play(move);
  }
  if (board.position().won()) game.winner = index(board.position().winner());
  return game;
}

DataBlock make_block(Engine& engine, const DataPlan& plan, std::uint32_t number) {
  Rng random(Rng::mix(plan.seed * 0x9e3779b97f4a7c15ull + number + 1));
  DataBlock block{number, {}};
  engine.begin(random.next(), plan.parameters);
  while (static_cast<int>(block.games.size()) < plan.games_per_block) {
    auto opening = random_opening(plan.header.variant, random);
    if (even(engine, opening, plan.header.nodes, plan.bound))
      block.games.push_back(play(engine, plan, std::move(opening), random));
  }
  return block;
}

// The file under its lock: what is whole is kept, what a kill left half written is cut off.
class DataWriter {
 public:
  explicit DataWriter(const DataPlan& plan) : file_(::open(plan.path.c_str(), O_RDWR | O_CREAT, 0644)) {
    if (file_ < 0) throw std::runtime_error("cannot write " + plan.path);
    if (::flock(file_, LOCK_EX | LOCK_NB)) throw std::runtime_error(plan.path + " is being written by another run");
    if (std::filesystem::file_size(plan.path) == 0) {
      append(encode(plan.header));
      return;
    }
    DataReader reader(plan.path);
    if (encode(reader.header()) != encode(plan.header))
      throw std::runtime_error(plan.path +
                               " holds data of another board, rule, engine or number of nodes; choose another file");
    for (DataBlock block; reader.next(block);) done.insert(block.number);
    if (::ftruncate(file_, static_cast<off_t>(reader.good_bytes())))
      throw std::runtime_error("cannot mend " + plan.path);
    ::lseek(file_, 0, SEEK_END);
  }
  ~DataWriter() {
    ::fsync(file_);
    ::close(file_);
  }
  DataWriter(const DataWriter&) = delete;

  void append(const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t wrote = ::write(file_, bytes.data() + at, bytes.size() - at);
      if (wrote <= 0) throw std::runtime_error("the disk refused to take more data");
      at += static_cast<std::size_t>(wrote);
    }
  }

  std::set<std::uint32_t> done;

 private:
  int file_;
};

}  // namespace

void generate(const Library& library, const DataPlan& plan) {
  DataWriter writer(plan);
  std::mutex mutex;
  std::uint32_t number = 0;
  std::string fault;
  const auto work = [&] {
    try {
      Engine engine(library, plan.header.variant, 4, plan.network);
      for (;;) {
        std::uint32_t mine;
        {
          const std::lock_guard lock(mutex);
          while (writer.done.contains(number)) ++number;
          if (number >= plan.blocks || !fault.empty()) return;
          mine = number++;
        }
        const DataBlock block = make_block(engine, plan, mine);
        std::size_t positions = 0;
        for (const auto& game : block.games) positions += game.plies.size();
        const std::lock_guard lock(mutex);
        writer.append(encode(block));
        std::printf("%u %zu %zu\n", mine, block.games.size(), positions);
        std::fflush(stdout);
      }
    } catch (const std::exception& error) {
      const std::lock_guard lock(mutex);
      fault = error.what();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < plan.threads; ++i) threads.emplace_back(work);
  }
  if (!fault.empty()) throw std::runtime_error(fault);
}

}  // namespace tengen::bench

// Games of an engine as training data, in a compact binary file. docs/data.md describes it for readers.
//
// All numbers are little endian.
//   file    "TGDATA1\n", u8 width, height, k, rule, u32 nodes per move, 16 bytes: the engine, zero padded; then blocks
//   block   "BLK1", u32 number, u32 games, u32 bytes, u32 CRC-32 of the payload; then the payload, game after game
//   game    u16 moves, u8 of them opening, u8 winner (0 none, 1 black, 2 white); u16 for each move of the opening; then
//           for each further move u16 the move played, u16 the best move found, i16 the value of that search
//   value   for the side to move: 1/1000 of a factor of e in the odds, within +-30000; a win proven in n plies is
//           32767 - n, a loss -32767 + n
// A block is whole or it is dropped, so a killed run loses at most the block it was writing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/runner/library.h"

namespace tengen::bench {

constexpr int kValueUnit = 1000, kValueLimit = 30000, kValueProven = 32767;

struct DataHeader {
  Variant variant;
  std::uint32_t nodes = 0;
  std::string engine;
};

struct DataGame {
  struct Ply {
    Move move, best;
    std::int16_t value;
  };
  std::vector<Move> opening;
  std::vector<Ply> plies;
  int winner = -1;  // 0 black, 1 white, -1 draw
};

struct DataBlock {
  std::uint32_t number = 0;
  std::vector<DataGame> games;
};

std::string encode(const DataHeader& header);
std::string encode(const DataBlock& block);

// Reads a file block by block. Throws std::runtime_error for a file that is none; a damaged end is where it stops.
class DataReader {
 public:
  explicit DataReader(const std::string& path);
  const DataHeader& header() const { return header_; }
  bool next(DataBlock& block);
  std::size_t good_bytes() const { return at_; }       // up to the end of the last whole block
  bool damaged() const { return at_ < data_.size(); }  // after next() returned false: more follows that is no block

 private:
  std::string path_, data_;
  std::size_t at_ = 0;
  DataHeader header_;
};

// Plays games from even openings and appends them to `path`, which may hold some already, until it has `blocks` blocks.
struct DataPlan {
  DataHeader header;
  std::string path;
  std::uint64_t seed = 1;
  std::uint32_t blocks = 0;
  int games_per_block = 100;
  int threads = 1;
  double bound = 0.15;
  int random_percent = 3;
  std::string network = "-", parameters = "-";  // see Engine
};
void generate(const Library& library, const DataPlan& plan);

}  // namespace tengen::bench

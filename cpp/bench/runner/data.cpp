#include "bench/runner/data.h"

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace tengen::bench {
namespace {

constexpr char kFileMagic[] = "TGDATA1\n", kBlockMagic[] = "BLK1";
constexpr std::size_t kHeaderBytes = 32, kBlockHeaderBytes = 20, kEngineBytes = 16;

std::uint32_t crc32(const char* data, std::size_t size) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
      t[i] = c;
    }
    return t;
  }();
  std::uint32_t crc = ~0u;
  for (std::size_t i = 0; i < size; ++i) crc = table[(crc ^ static_cast<unsigned char>(data[i])) & 0xff] ^ crc >> 8;
  return ~crc;
}

template <class T>
void put(std::string& out, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) out += static_cast<char>(static_cast<std::uint64_t>(value) >> 8 * i);
}

class Bytes {
 public:
  Bytes(const char* data, std::size_t size) : at_(data), end_(data + size) {}
  template <class T>
  T take() {
    if (static_cast<std::size_t>(end_ - at_) < sizeof(T)) throw std::runtime_error("a game is cut short");
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(*at_++)) << 8 * i;
    return static_cast<T>(value);
  }

 private:
  const char *at_, *end_;
};

Move checked(std::uint16_t move, int cells) {
  if (move >= cells) throw std::runtime_error("a move is off the board");
  return static_cast<Move>(move);
}

DataGame take_game(Bytes& in, int cells) {
  DataGame game;
  const int moves = in.take<std::uint16_t>(), opening = in.take<std::uint8_t>();
  game.winner = in.take<std::uint8_t>() - 1;
  if (opening > moves || moves > cells || game.winner > 1) throw std::runtime_error("a game has impossible numbers");
  for (int i = 0; i < opening; ++i) game.opening.push_back(checked(in.take<std::uint16_t>(), cells));
  for (int i = opening; i < moves; ++i) {
    const Move move = checked(in.take<std::uint16_t>(), cells), best = checked(in.take<std::uint16_t>(), cells);
    game.plies.push_back({move, best, in.take<std::int16_t>()});
  }
  return game;
}

}  // namespace

std::string encode(const DataHeader& header) {
  std::string out(kFileMagic);
  put<std::uint8_t>(out, header.variant.width);
  put<std::uint8_t>(out, header.variant.height);
  put<std::uint8_t>(out, header.variant.k);
  put<std::uint8_t>(out, static_cast<std::uint8_t>(header.variant.rule));
  put<std::uint32_t>(out, header.nodes);
  out += header.engine.substr(0, kEngineBytes);
  out.resize(kHeaderBytes, '\0');
  return out;
}

std::string encode(const DataBlock& block) {
  std::string payload;
  for (const DataGame& game : block.games) {
    put<std::uint16_t>(payload, static_cast<std::uint16_t>(game.opening.size() + game.plies.size()));
    put<std::uint8_t>(payload, static_cast<std::uint8_t>(game.opening.size()));
    put<std::uint8_t>(payload, static_cast<std::uint8_t>(game.winner + 1));
    for (const Move m : game.opening) put<std::uint16_t>(payload, static_cast<std::uint16_t>(m));
    for (const auto& ply : game.plies) {
      put<std::uint16_t>(payload, static_cast<std::uint16_t>(ply.move));
      put<std::uint16_t>(payload, static_cast<std::uint16_t>(ply.best));
      put<std::int16_t>(payload, ply.value);
    }
  }
  std::string out(kBlockMagic);
  put<std::uint32_t>(out, block.number);
  put<std::uint32_t>(out, static_cast<std::uint32_t>(block.games.size()));
  put<std::uint32_t>(out, static_cast<std::uint32_t>(payload.size()));
  put<std::uint32_t>(out, crc32(payload.data(), payload.size()));
  return out + payload;
}

DataReader::DataReader(const std::string& path) : path_(path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  data_.assign(std::istreambuf_iterator<char>(file), {});
  if (data_.size() < kHeaderBytes || data_.compare(0, 8, kFileMagic) != 0)
    throw std::runtime_error(path + " is not a data file: it does not begin with TGDATA1");
  Bytes in(data_.data() + 8, kHeaderBytes - 8);
  Variant& v = header_.variant;
  v.width = in.take<std::uint8_t>(), v.height = in.take<std::uint8_t>(), v.k = in.take<std::uint8_t>();
  const int rule = in.take<std::uint8_t>();
  if (v.width > kMaxSize || v.height > kMaxSize || v.k < kMinK || v.k > kMaxK || rule > 3)
    throw std::runtime_error(path + " is damaged: its header names an impossible board");
  v.rule = static_cast<Rule>(rule);
  header_.nodes = in.take<std::uint32_t>();
  header_.engine = data_.substr(kHeaderBytes - kEngineBytes, kEngineBytes);
  header_.engine = header_.engine.substr(0, header_.engine.find('\0'));
  at_ = kHeaderBytes;
}

bool DataReader::next(DataBlock& block) {
  if (data_.size() - at_ < kBlockHeaderBytes || data_.compare(at_, 4, kBlockMagic) != 0) return false;
  Bytes head(data_.data() + at_ + 4, kBlockHeaderBytes - 4);
  block.number = head.take<std::uint32_t>();
  const auto games = head.take<std::uint32_t>(), bytes = head.take<std::uint32_t>(), crc = head.take<std::uint32_t>();
  const char* payload = data_.data() + at_ + kBlockHeaderBytes;
  if (data_.size() - at_ - kBlockHeaderBytes < bytes || crc32(payload, bytes) != crc) return false;
  Bytes in(payload, bytes);
  block.games.clear();
  for (std::uint32_t i = 0; i < games; ++i)
    block.games.push_back(take_game(in, header_.variant.width * header_.variant.height));
  at_ += kBlockHeaderBytes + bytes;
  return true;
}

}  // namespace tengen::bench

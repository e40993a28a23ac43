#include "tree/encode.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "board.h"
#include "rules/names.h"
#include "rules/shape_counts.h"
#include "search.h"

namespace nb = nanobind;
using namespace tengen;

namespace {

using Shorts = nb::ndarray<const std::int16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ints = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void check_symmetry(int width, int height, int symmetry) {
  const int count = symmetries(width, height);
  if (symmetry < 0 || symmetry >= count)
    throw std::invalid_argument("a " + std::to_string(width) + "x" + std::to_string(height) +
                                " board has symmetries 0 to " + std::to_string(count - 1));
}

nb::ndarray<nb::numpy, float> encode_board(const BoardHandle& h, const std::string& kind, int symmetry) {
  const Position& p = h.board.position();
  check_symmetry(p.width(), p.height(), symmetry);
  const Encoding e = encoding_from_name(kind);
  std::vector<float> out(static_cast<std::size_t>(planes(e)) * p.cells());
  encode(h.board, e, symmetry, out.data());
  return to_numpy(out, {static_cast<std::size_t>(planes(e)), static_cast<std::size_t>(p.height()),
                        static_cast<std::size_t>(p.width())});
}

// The position of a game after `ply` moves.
Position replayed(const Position& start, const Shorts& game, int ply) {
  if (ply < 0 || ply > static_cast<int>(game.shape(0))) throw std::invalid_argument("a ply lies beyond its game");
  Position p = start;
  for (int i = 0; i < ply; ++i) {
    const Move m = game.data()[i];
    if (m < 0 || m >= p.cells() || !p.empty(m) || p.won())
      throw std::invalid_argument("a game holds an impossible move");
    p.play(m);
  }
  return p;
}

void encode_sample(const Position& p, Encoding e, int symmetry, float* out) {
  if (e == Encoding::Stones)
    encode_stones(p, symmetry, out);
  else
    encode_shapes(ThreatBoard(p), symmetry, out);
}

void write_counts(const Position& p, Color color, float* out) {
  const ShapeCounts counts = count_shapes(p, color);
  out[0] = static_cast<float>(counts.open_fours);
  out[1] = static_cast<float>(counts.fours);
  out[2] = static_cast<float>(counts.open_threes);
}

std::vector<float> both_counts(const Position& p) {
  std::vector<float> out(6);
  write_counts(p, p.turn(), out.data());
  write_counts(p, ~p.turn(), out.data() + 3);
  return out;
}

nb::ndarray<nb::numpy, float> count_games(const std::vector<Shorts>& games, const Ints& plies, int width, int height,
                                          int k, const std::string& rule) {
  if (plies.shape(0) != games.size()) throw std::invalid_argument("games and plies must be equally many");
  const Position start(width, height, k, rule_from_name(rule));
  std::vector<float> out;
  {
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < games.size(); ++i) {
      const auto counts = both_counts(replayed(start, games[i], plies.data()[i]));
      out.insert(out.end(), counts.begin(), counts.end());
    }
  }
  return to_numpy(out, {games.size(), 6});
}

nb::ndarray<nb::numpy, float> encode_games(const std::vector<Shorts>& games, const Ints& plies, const Ints& turns,
                                           int width, int height, int k, const std::string& rule,
                                           const std::string& kind) {
  const std::size_t count = games.size();
  if (plies.shape(0) != count || turns.shape(0) != count)
    throw std::invalid_argument("games, plies and symmetries must be equally many");
  for (std::size_t i = 0; i < count; ++i) check_symmetry(width, height, turns.data()[i]);
  const Encoding e = encoding_from_name(kind);
  const Position start(width, height, k, rule_from_name(rule));
  const std::size_t floats = static_cast<std::size_t>(planes(e)) * start.cells();
  std::vector<float> out(count * floats);
  {
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < count; ++i)
      encode_sample(replayed(start, games[i], plies.data()[i]), e, turns.data()[i], out.data() + i * floats);
  }
  return to_numpy(out, {count, static_cast<std::size_t>(planes(e)), static_cast<std::size_t>(height),
                        static_cast<std::size_t>(width)});
}

}  // namespace

void bind_encode(nb::module_& m) {
  m.def(
      "encoding_planes", [](const std::string& kind) { return planes(encoding_from_name(kind)); }, nb::arg("kind"),
      "Number of planes of an encoding: stones or shapes.");
  m.def("encode", &encode_board, nb::arg("board"), nb::arg("kind"), nb::arg("symmetry") = 0,
        "Planes [C, H, W] of a position for the side to move.");
  m.def("encode_games", &encode_games, nb::arg("games"), nb::arg("plies"), nb::arg("symmetries"), nb::arg("width"),
        nb::arg("height"), nb::arg("k"), nb::arg("rule"), nb::arg("kind"),
        "Planes [B, C, H, W] of one position of each game (int16 moves from the empty board).");
  m.def(
      "shape_counts", [](const BoardHandle& h) { return to_numpy(both_counts(h.board.position()), {6}); },
      nb::arg("board"), "Open fours, other fours and open threes of the side to move, then of the opponent.");
  m.def("count_games", &count_games, nb::arg("games"), nb::arg("plies"), nb::arg("width"), nb::arg("height"),
        nb::arg("k"), nb::arg("rule"), "Shape counts [B, 6] of one position of each game.");
}

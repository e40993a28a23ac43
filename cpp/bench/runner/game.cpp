#include "bench/runner/game.h"

#include <chrono>
#include <stdexcept>
#include <string>

namespace tengen::bench {
namespace {

bool no_legal_move(const Position& position) {
  if (position.rule() != Rule::Renju || position.turn() == Color::White) return false;
  for (Move m = 0; m < position.cells(); ++m)
    if (position.legal(m)) return false;
  return true;
}

}  // namespace

GameResult play_game(const Variant& v, const std::vector<Move>& opening, std::array<Engine*, 2> players,
                     std::array<Budget, 2> budgets, bool play_out) {
  Position position(v.width, v.height, v.k, v.rule);
  GameResult game;
  for (const Move m : opening) position.play(m);
  game.moves = opening;
  int claimed = -1;
  for (;;) {
    if (position.won()) {
      game.winner = index(position.winner()), game.end = End::Five;
      break;
    }
    if (position.full()) break;
    if (position.stones() * 3 >= position.cells() * 2) {
      game.end = End::Long;
      break;
    }
    if (no_legal_move(position)) {
      game.end = End::NoMove;
      break;
    }
    const int side = index(position.turn());
    const auto start = std::chrono::steady_clock::now();
    const tengen_found found = players[side]->search(game.moves, budgets[side]);
    game.seconds[side] += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    game.nodes[side] += found.nodes;
    if (found.move < 0 || found.move >= position.cells() || !position.legal(static_cast<Move>(found.move)))
      throw std::runtime_error("an engine answered with the illegal move " + std::to_string(found.move));
    if (found.proven > 0) {
      if (!play_out) {
        game.winner = side, game.end = End::Claim;
        break;
      }
      if (claimed < 0) claimed = side;
    }
    position.play(static_cast<Move>(found.move));
    game.moves.push_back(static_cast<Move>(found.move));
  }
  // A game that is cut off for its length shows nothing about a win on its way.
  game.false_claim = claimed >= 0 && game.winner != claimed && game.end != End::Long;
  return game;
}

}  // namespace tengen::bench

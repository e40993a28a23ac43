#include <algorithm>
#include <vector>

#include "rules/rng.h"
#include "search/greedy.h"
#include "search/mcts.h"
#include "search/minimax.h"
#include "search/person.h"
#include "search/weight.h"
#include "wasm/api.h"
#include "wasm/state.h"

using namespace tengen;
using wasm::board;

namespace {

enum Player { kRandom, kGreedy, kWeight, kMinimax, kMcts, kPerson };

void legal_moves(std::vector<Move>& out) {
  for (Move m = 0; m < board->position().cells(); ++m)
    if (board->position().legal(m)) out.push_back(m);
}

Move drawn(const std::vector<Move>& moves, Rng& random) { return moves[random.below(static_cast<int>(moves.size()))]; }

}  // namespace

int tengen_choose(int player, int seed, double nodes, double seconds, int depth, double sees, double reads) {
  Rng random(static_cast<std::uint64_t>(seed) ^ board->position().key());
  std::vector<Move> moves;
  switch (player) {
    case kGreedy: greedy_moves(*board, moves); return drawn(moves, random);
    case kWeight: return drawn(weight_moves(*board), random);
    case kMinimax: {
      Minimax search(board->position(), random.next());
      return search.run({seconds, static_cast<std::uint64_t>(nodes), depth}).move;
    }
    case kMcts: {
      Mcts search(board->position(), {.seed = random.next(), .max_edges = 1'000'000});
      search.run(static_cast<std::int64_t>(nodes), seconds);
      return search.candidates().front().move;
    }
    case kPerson: {
      Person person({sees, reads, static_cast<int>(nodes)}, static_cast<std::uint64_t>(seed));
      return person.choose(*board, {seconds, 0, 0}).move;
    }
    default: legal_moves(moves); return drawn(moves, random);
  }
}

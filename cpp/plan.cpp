#include "plan.h"

#include <algorithm>

#include "encode.h"
#include "greedy.h"

namespace tengen {
namespace {

constexpr int kDraws = 6;             // answers drawn at a position
constexpr float kCertain = 0.999f;

Move through(const std::vector<Move>& map, Move m) { return m == kNoMove ? m : map[m]; }

}  // namespace

std::vector<Move> Planner::View::origin() const {
  std::vector<Move> back(image->size());
  for (std::size_t m = 0; m < back.size(); ++m) back[(*image)[m]] = static_cast<Move>(m);
  return back;
}

Planner::View Planner::look(const Position& p) {
  View view{~0ull, nullptr};
  for (int s = 0; s < symmetries(p.width(), p.height()); ++s) {
    const auto& image = symmetry_map(p.width(), p.height(), s);
    std::uint64_t key = 0;
    for (Move m = 0; m < p.cells(); ++m)
      if (!p.empty(m)) key ^= p.geometry().zobrist[image[m]][p.holds(m, Color::White)];
    if (!view.image || key < view.key) view = {key, &image};
  }
  return view;
}

Planner::Plan Planner::best(ThreatBoard& board, int quiet) {
  plans_.resize(std::max<std::size_t>(plans_.size(), quiet + 1));
  const View view = look(board.position());
  for (int fewer = 0; fewer <= quiet; ++fewer) {
    const auto known = plans_[fewer].find(view.key);
    if (known != plans_[fewer].end() && (fewer == quiet || known->second.chance > kCertain))
      return {known->second.chance, through(view.origin(), known->second.move)};
  }
  const Plan plan = search(board, quiet);
  plans_[quiet][view.key] = {plan.chance, through(*view.image, plan.move)};
  return plan;
}

Planner::Plan Planner::search(ThreatBoard& board, int quiet) {
  if (const Move m = attack_move(board, stones_, answer_); m != kNoMove) return {1, m};
  Plan plan;
  if (quiet == 0) return plan;
  std::vector<Move> moves;
  calm_moves(board, moves);
  for (const Move m : moves) {
    const float chance = chance_after(board, m, quiet, plan.chance);
    if (chance > plan.chance) plan = {chance, m};
    if (chance > kCertain) break;
  }
  return plan;
}

float Planner::chance_after(ThreatBoard& board, Move m, int quiet, float bound) {
  board.play(m);
  float chance = 0, open = board.over() ? 0.0f : 1.0f;
  if (!board.over())
    for (const Reply& reply : replies(board)) {
      if (chance + open <= bound) break;
      board.play(reply.move);
      if (!board.over()) chance += reply.chance * best(board, quiet - 1).chance;
      board.undo();
      open -= reply.chance;
    }
  board.undo();
  return chance;
}

std::vector<Planner::Reply> Planner::replies(const ThreatBoard& board) {
  const View view = look(board.position());
  const auto [known, fresh] = replies_.try_emplace(view.key);
  std::vector<Reply>& drawn = known->second;
  for (int i = 0; fresh && i < kDraws; ++i) {
    const Move m = (*view.image)[answer_(board)];
    const auto same = std::find_if(drawn.begin(), drawn.end(), [&](const Reply& r) { return r.move == m; });
    if (same == drawn.end())
      drawn.push_back({m, 1.0f / kDraws});
    else
      same->chance += 1.0f / kDraws;
  }
  std::vector<Reply> out = drawn;
  const auto origin = view.origin();
  for (Reply& reply : out) reply.move = origin[reply.move];
  return out;
}

}  // namespace tengen

#include "lines/walker.h"

#include <algorithm>

#include "rules/fastmath.h"

namespace tengen {
namespace {

constexpr std::size_t kVctPositions = std::size_t{1} << 14, kVctFours = std::size_t{1} << 13;

}  // namespace

LineWalker::LineWalker(const LineNetwork& network, const ThreatBoard& root, const LineSearchOptions& options)
    : options_(&options), solver_(options.solver), renju_(root.position().rule() == Rule::Renju), threats_(root),
      plain_(root.position()), features_(network, root.position()), scores_(root.position().cells()) {}

void LineWalker::play(Move m) {
  if (solver_) {
    threats_.play(m);
  } else {
    plain_.play(m, features_.makes_five(plain_.turn(), m));
  }
  features_.play(position());
  played_.push_back(m);
}

void LineWalker::undo() {
  solver_ ? threats_.undo() : plain_.undo();
  features_.undo();
  played_.pop_back();
}

void LineWalker::advance(Move m) {
  go({});
  play(m);
  played_.clear();
  depth_ = 0;
}

void LineWalker::go(std::span<const Move> path) {
  std::size_t same = 0;
  while (same < path.size() && same < played_.size() && path[same] == played_[same]) ++same;
  while (played_.size() > same) undo();
  for (; same < path.size(); ++same) play(path[same]);
}

const Tactics& LineWalker::attack() {
  solve_.attack(threats_, options_->vcf_nodes, tactics_);
  return tactics_;
}

// What the solver says about the moves. Below the root the position was asked for wins when it was judged.
const Tactics& LineWalker::hints() {
  if (played_.empty())
    solve_.attack(threats_, options_->vcf_nodes, tactics_);
  else
    look(threats_, tactics_);
  solve_.warn(threats_, options_->vcf_nodes, tactics_);
  return tactics_;
}

Move LineWalker::win_by_threats(std::int64_t nodes, int& length) {
  if (!vct_) vct_ = std::make_unique<Vct>(kVctPositions, kVctFours);
  if (!vct_->solve(threats_, threats_.turn(), VctLimit{.nodes = nodes, .vcf_nodes = nodes / 4 + 1}).win) return kNoMove;
  const std::vector<Move> line = vct_->line();
  length = static_cast<int>(line.size());
  return line.empty() ? kNoMove : line.front();
}

const std::vector<LineWalker::Choice>& LineWalker::choices(int most, bool& complete) {
  const Position& p = position();
  features_.scores(p, scores_.data());
  choices_.clear();
  complete = true;
  const Tactics* hints = solver_ ? &this->hints() : nullptr;
  if (hints && hints->restricted)
    for (const Move m : hints->moves)
      if (p.empty(m) && legal(m)) choices_.push_back({m, scores_[m]});
  if (choices_.empty()) {  // nothing is forced, or all is lost anyway
    for (Move m = 0; m < p.cells(); ++m)
      if (p.empty(m) && legal(m)) choices_.push_back({m, scores_[m]});
    // Against a win by fours few cells help; the others stay possible.
    if (hints && !hints->against_vcf.empty())
      for (auto& c : choices_)
        if (std::find(hints->against_vcf.begin(), hints->against_vcf.end(), c.move) == hints->against_vcf.end())
          c.prior -= 6.0f;
  }
  if (choices_.empty()) return choices_;
  const auto better = [](const Choice& a, const Choice& b) {
    return a.prior != b.prior ? a.prior > b.prior : a.move < b.move;
  };
  if (static_cast<int>(choices_.size()) > most) {
    complete = false;
    std::nth_element(choices_.begin(), choices_.begin() + most, choices_.end(), better);
    choices_.resize(most);
  }
  std::sort(choices_.begin(), choices_.end(), better);
  const float top = choices_[0].prior, scale = 1 / options_->temperature;
  float sum = 0;
  for (auto& c : choices_) sum += c.prior = fast_exp((c.prior - top) * scale);
  for (auto& c : choices_) c.prior /= sum;
  return choices_;
}

}  // namespace tengen

#include "solve/tactics.h"

#include <algorithm>

#include "solve/caro.h"

namespace tengen {

namespace {

bool makes_winning_four(Threat t) { return t == Threat::OpenFour || t == Threat::DoubleFour; }

bool may_play(const ThreatBoard& board, Move m) { return !board.doubtful().has(m) || board.position().legal(m); }

// `m` makes a four that no single answer stops. The shape says so; playing it out makes it exact where a row's value
// depends on its ends (caro, standard). The opponent must have no five to make.
bool wins_by_four(ThreatBoard& board, Move m) {
  const Color us = board.turn();
  board.play(m);
  const CellSet fives = board.cells(us, Group::Five);
  bool wins = fives.count() >= 2 && !board.cells(~us, Group::Five).any();
  fives.each([&](Move answer) {
    if (!wins || !may_play(board, answer)) return;
    board.play(answer);
    wins = board.cells(us, Group::Five).any() && !board.position().won();
    board.undo();
  });
  if (wins && board.position().rule() == Rule::Caro) {  // stones beyond the ends can spoil a caro five
    for (Move answer = 0; wins && answer < board.position().cells(); ++answer) {
      if (!board.position().empty(answer) || fives.has(answer)) continue;
      board.play(answer);
      wins = board.cells(us, Group::Five).any();
      board.undo();
    }
  }
  board.undo();
  return wins;
}

Move winning_four(ThreatBoard& board) {
  const Color us = board.turn();
  if (!board.count(us, Threat::OpenFour) && !board.count(us, Threat::DoubleFour)) return kNoMove;
  Move found = kNoMove;
  const CellSet fours = board.cells(us, Group::Four);
  fours.each([&](Move m) {
    if (found == kNoMove && makes_winning_four(board.threat(us, m)) && wins_by_four(board, m)) found = m;
  });
  return found;
}

// The opponent has a five to make next: only its cell saves, two such cells are lost. Under caro a stone behind the row
// may save too, from two fives at once.
void answer_five(ThreatBoard& board, Tactics& out) {
  const bool caro = board.position().rule() == Rule::Caro;
  const CellSet fives = board.cells(~board.turn(), Group::Five);
  (caro ? caro::answers_to_fives(board, ~board.turn()) : fives).each([&](Move m) { out.moves.push_back(m); });
  std::erase_if(out.moves, [&](Move m) { return !may_play(board, m); });
  out.restricted = true;
  if ((!caro && fives.count() > 1) || out.moves.empty()) out.proof = Proof::Loss, out.distance = 2;
}

// The opponent threatens a winning four on `w`. Only these can help: a stone that changes what `w` makes, so one on its
// lines within reach, or a four (or, renju, a move whose shape is in doubt) that forces first.
void answer_open_four(const ThreatBoard& board, Move w, CellSet& useful) {
  const Position& position = board.position();
  const auto& geometry = position.geometry();
  CellSet near;
  near.add(w);
  const int reach = position.patterns().radius();
  for (int d = 0; d < kDirections; ++d) {
    const auto& place = geometry.place[w][d];
    for (int i = -std::min<int>(place.before, reach); i <= std::min<int>(place.after, reach); ++i)
      near.add(static_cast<Move>(w + i * geometry.step[d]));
  }
  near |= board.cells(board.turn(), Group::Four);
  near |= board.doubtful();
  useful &= near;
}

void answer_open_fours(ThreatBoard& board, Tactics& out) {
  const Color them = ~board.turn();
  if (!board.count(them, Threat::OpenFour) && !board.count(them, Threat::DoubleFour)) return;
  CellSet useful;
  for (Move m = 0; m < board.position().cells(); ++m)
    if (board.position().empty(m) && may_play(board, m)) useful.add(m);
  board.pass();
  const CellSet fours = board.cells(them, Group::Four);
  fours.each([&](Move w) {
    if (!makes_winning_four(board.threat(them, w)) || !wins_by_four(board, w)) return;
    board.pass();
    answer_open_four(board, w, useful);
    board.pass();
    out.restricted = true;
  });
  board.pass();
  if (!out.restricted) return;
  useful.each([&](Move m) { out.moves.push_back(m); });
  if (out.moves.empty()) out.proof = Proof::Loss, out.distance = 4;
}

constexpr std::size_t kVcfEntries = std::size_t{1} << 13;

// Without a cell that makes a four there is no continuous four. Renju's doubtful cells may make one too.
bool may_attack(const ThreatBoard& board, Color c) {
  return board.cells(c, Group::Four).any() || (c == Color::Black && board.doubtful().any());
}

}  // namespace

void look(ThreatBoard& board, Tactics& out) {
  out.clear();
  const Color us = board.turn();
  // No empty cell can become part of a five any more. (Shapes reach back five stones, so not for longer rows.)
  if (board.score(us) == 0 && board.score(~us) == 0 && board.position().k() <= 5) {
    out.proof = Proof::Draw, out.distance = board.position().empties();
    return;
  }
  if (const Move five = board.cells(us, Group::Five).first(); five != kNoMove) {
    out.proof = Proof::Win, out.distance = 1, out.restricted = true;
    out.moves.push_back(five);
    return;
  }
  if (board.cells(~us, Group::Five).any()) return answer_five(board, out);
  if (const Move four = winning_four(board); four != kNoMove) {
    out.proof = Proof::Win, out.distance = 3, out.restricted = true;
    out.moves.push_back(four);
    return;
  }
  answer_open_fours(board, out);
}

bool Solver::may_search(int vcf_nodes, const Tactics& out) {
  if (vcf_nodes <= 0 || out.proof != Proof::None || out.moves.size() == 1) return false;
  if (!vcf_) vcf_ = std::make_unique<Vcf>(kVcfEntries);
  return true;
}

void Solver::solve(ThreatBoard& board, int vcf_nodes, Tactics& out) {
  attack(board, vcf_nodes, out);
  warn(board, vcf_nodes, out);
}

void Solver::attack(ThreatBoard& board, int vcf_nodes, Tactics& out) {
  look(board, out);
  const Color us = board.turn();
  if (!may_search(vcf_nodes, out) || !may_attack(board, us) || !vcf_->solve(board, us, vcf_nodes).win) return;
  out.proof = Proof::Win, out.distance = static_cast<int>(vcf_->line().size()), out.restricted = true;
  out.moves.assign(1, vcf_->first());
}

void Solver::warn(ThreatBoard& board, int vcf_nodes, Tactics& out) {
  const Color us = board.turn();
  if (!may_search(vcf_nodes, out) || !may_attack(board, ~us) || !vcf_->solve(board, ~us, vcf_nodes).win) return;
  out.against_vcf = vcf_->line();
  board.cells(us, Group::Four).each([&](Move m) { out.against_vcf.push_back(m); });
}

}  // namespace tengen

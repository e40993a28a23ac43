#include "solve/defences.h"

#include "solve/fours.h"

namespace tengen {
namespace {

constexpr std::int64_t kBranchNodes = 20'000;  // for a search that has been won before

bool renju_black(const ThreatBoard& board, Color c) {
  return board.position().rule() == Rule::Renju && c == Color::Black;
}

template <class F>
void each_empty(const Position& p, F&& visit) {
  for (int m = 0; m < p.cells(); ++m)
    if (p.empty(static_cast<Move>(m))) visit(static_cast<Move>(m));
}

}  // namespace

bool LineWalk::attack(const std::vector<Move>& line, std::size_t at) {
  add_fours_of_defender();
  if (at >= line.size() || !board_.position().empty(line[at])) return false;
  const Move move = line[at];
  cells_.add(move);
  if (board_.threat(attacker_, move) == Threat::Five) {
    if (board_.position().rule() == Rule::Caro) add_row_ends(board_, attacker_, move, cells_);
    return at + 1 == line.size();
  }
  CellSet enemy_fives = board_.cells(~attacker_, Group::Five);
  if (enemy_fives.has(move)) enemy_fives.flip(move);
  if (enemy_fives.any() || !makes_four(board_, attacker_, move) || !legal_for(board_, attacker_, move)) return false;
  if (board_.threat(attacker_, move) == Threat::Forbidden) add_cells_that_forbid(move);
  board_.play(move);
  const bool wins = board_.position().rule() == Rule::Caro ? every_answer() : answer(line, at + 1);
  board_.undo();
  return wins;
}

bool LineWalk::answer(const std::vector<Move>& line, std::size_t at) {
  const CellSet completing = board_.cells(attacker_, Group::Five);
  cells_ |= completing;
  if (at == line.size()) return all_forbidden(completing);
  if (at + 1 >= line.size() || !completing.has(line[at]) || !legal_for(board_, ~attacker_, line[at])) return false;
  if (completing.count() > 1) return at + 2 == line.size() && line[at + 1] != line[at] && completing.has(line[at + 1]);
  board_.play(line[at]);
  const bool wins = attack(line, at + 1);
  board_.undo();
  return wins;
}

// Caro: the line shows one answer of several, so each is searched anew and its own line walked.
bool LineWalk::every_answer() {
  const CellSet completing = board_.cells(attacker_, Group::Five);
  if (!completing.any()) return false;
  CellSet answers;
  answers.add(completing.first());
  add_row_ends(board_, attacker_, completing.first(), answers);
  cells_ |= completing;
  completing.each([&](Move m) { add_row_ends(board_, attacker_, m, cells_); });
  bool wins = true;
  answers.each([&](Move m) {
    if (!wins) return;
    board_.play(m);
    wins = vcf_.solve(board_, attacker_, kBranchNodes).win;
    if (wins) wins = attack(std::vector<Move>(vcf_.line()), 0);
    board_.undo();
  });
  return wins;
}

bool LineWalk::all_forbidden(const CellSet& completing) {
  bool forbidden = completing.any();
  completing.each([&](Move m) { forbidden = forbidden && !legal_for(board_, ~attacker_, m); });
  if (forbidden) completing.each([&](Move m) { add_cells_that_allow(m); });
  return forbidden;
}

void LineWalk::add_fours_of_defender() {
  cells_ |= board_.cells(~attacker_, Group::Five);
  cells_ |= board_.cells(~attacker_, Group::Four);
  if (renju_black(board_, ~attacker_)) cells_ |= board_.doubtful();
}

// Black's attack is legal although its shapes look forbidden: a white stone can change that from afar.
void LineWalk::add_cells_that_forbid(Move attack) {
  each_empty(board_.position(), [&](Move m) {
    if (m == attack || cells_.has(m)) return;
    board_.pass();
    board_.play(m);
    if (!legal_for(board_, attacker_, attack)) cells_.add(m);
    board_.undo();
    board_.pass();
  });
}

// Black may not answer here, but a black stone elsewhere can make the cell legal.
void LineWalk::add_cells_that_allow(Move answer) {
  each_empty(board_.position(), [&](Move m) {
    if (m == answer || cells_.has(m)) return;
    board_.play(m);
    if (legal_for(board_, ~attacker_, answer)) cells_.add(m);
    board_.undo();
  });
}

}  // namespace tengen

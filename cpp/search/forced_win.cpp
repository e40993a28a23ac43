#include "search/forced_win.h"

#include <algorithm>

#include "solve/fours.h"

namespace tengen {
namespace {

constexpr std::size_t kPositions = std::size_t{1} << 17, kVcfEntries = std::size_t{1} << 14;

constexpr std::int64_t kNodesForDepth = 50'000;  // where nothing but the depth is limited

// The part of a limit that a solver gets: at most `most` nodes, one in `share` of the nodes or the time.
VctLimit part(const SearchLimit& limit, std::int64_t most, int share, const std::atomic<bool>* stop) {
  if (limit.nodes) most = std::min(most, static_cast<std::int64_t>(limit.nodes / share));
  if (limit.depth && !limit.nodes && limit.seconds <= 0) most = std::min(most, kNodesForDepth);
  const double seconds = limit.soft > 0 ? limit.soft : limit.seconds;
  const std::int64_t inner = std::min(VctLimit{}.vcf_nodes, most);
  return {.nodes = most, .seconds = seconds / share, .stop = stop, .vcf_nodes = inner};
}

}  // namespace

void ForcedWin::clear() {
  vcf_.clear();
  if (vct_) vct_->clear();
  proof_.clear();
  answers_.clear();
}

std::vector<Move> ForcedWin::at_once(const ThreatBoard& board, const SearchLimit& limit, const Parameters& p,
                                     const std::atomic<bool>* stop) {
  if (limit.nodes) clear();  // such a search does not depend on earlier ones
  nodes_ = 0;
  ThreatBoard scratch = board;
  if (const auto known = answers_.find(key_of(board.position())); known != answers_.end())
    if (auto line = follow(scratch, known->second); !line.empty()) return line;
  const VctLimit some = part(limit, p.root_vcf_nodes, p.root_vcf_share, stop);
  const VcfResult found = vcf_.solve(scratch, board.turn(), {some.nodes, some.seconds, stop});
  nodes_ = found.nodes;
  return found.win ? vcf_.line() : std::vector<Move>{};
}

std::vector<Move> ForcedWin::by_threats(const ThreatBoard& board, const SearchLimit& limit, const Parameters& p,
                                        const std::atomic<bool>* stop) {
  nodes_ = 0;
  const VctLimit some = part(limit, p.root_vct_nodes, p.root_vct_share, stop);
  if (!some.nodes) return {};
  if (!vct_) vct_ = std::make_unique<Vct>(kPositions, kVcfEntries);
  ThreatBoard scratch = board;
  const VctResult found = vct_->solve(scratch, board.turn(), some);
  nodes_ = found.nodes;
  if (!found.win) return {};
  proof_ = vct_->tree();
  return follow(scratch, 0);
}

// Plays on from a position of the proof, and notes where it goes on after each answer.
std::vector<Move> ForcedWin::follow(ThreatBoard& board, int at) {
  const WinNode& node = proof_[at];
  const Move attack = node.fours.empty() ? node.attack : node.fours.front();
  answers_.clear();
  if (!board.position().empty(attack) || !legal_for(board, board.turn(), attack)) return {};
  board.play(attack);
  for (const auto& answer : node.answers) {
    board.play(answer.move);
    answers_[key_of(board.position())] = answer.node;
    board.undo();
  }
  board.undo();
  return longest_defence(proof_, at);
}

// Boards that differ in size, row length or rule must not be taken for each other.
std::uint64_t ForcedWin::key_of(const Position& p) {
  const auto board = static_cast<std::uint64_t>(p.width()) << 24 | static_cast<std::uint64_t>(p.height()) << 16 |
                     static_cast<std::uint64_t>(p.k()) << 8 | static_cast<std::uint64_t>(p.rule());
  return p.key() ^ board * 0x9e3779b97f4a7c15ull;
}

}  // namespace tengen

// Wins by force at the root of a search: by fours, then by threats. A proof is kept and played to its end.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "rules/limit.h"
#include "rules/threats.h"
#include "search/parameters.h"
#include "solve/vcf.h"
#include "solve/vct.h"

namespace tengen {

class ForcedWin {
 public:
  // The line of a win of the side to move along its longest defence, empty when none is found within the part of the
  // limit that `p` grants. Cheap enough for the start of every search: fours, or a proof that is being played.
  std::vector<Move> at_once(const ThreatBoard& board, const SearchLimit& limit, const Parameters& p,
                            const std::atomic<bool>* stop);
  // The same by threats.
  std::vector<Move> by_threats(const ThreatBoard& board, const SearchLimit& limit, const Parameters& p,
                               const std::atomic<bool>* stop);
  std::int64_t nodes() const { return nodes_; }  // of the last call of either
  void clear();

 private:
  std::vector<Move> follow(ThreatBoard& board, int at);
  static std::uint64_t key_of(const Position& position);

  Vcf vcf_;
  std::unique_ptr<Vct> vct_;  // made when first needed
  std::int64_t nodes_ = 0;
  std::vector<WinNode> proof_;                      // of the game in progress
  std::unordered_map<std::uint64_t, int> answers_;  // positions after its last attack and an answer, in proof_
};

}  // namespace tengen

#include <memory>
#include <optional>

#include "search/alphabeta.h"
#include "search/evaluate.h"
#include "study/review.h"
#include "wasm/api.h"
#include "wasm/state.h"
#include "wasm/value.h"

using namespace tengen::study;
using tengen::Color, tengen::Move, tengen::RootMove, tengen::ThreatBoard;
using tengen::wasm::board, tengen::wasm::buffer, tengen::wasm::Reader, tengen::wasm::Writer;

namespace {

void write(Writer& out, const Proof& proof) {
  out.put(index(proof.winner));
  out.put(static_cast<int>(proof.force));
  out.put(proof.moves);
  out.put_list(proof.line);
}

void write(Writer& out, const Look& look) {
  out.put_double(look.value);
  out.put(index(look.side));
  out.put(look.best);
  out.put_list(look.line);
  out.put(look.proof.has_value());
  if (look.proof) write(out, *look.proof);
}

void write(Writer& out, const Verdict& verdict) {
  out.put(static_cast<int>(verdict.mark));
  out.put_double(verdict.drop);
  out.put(verdict.reason.has_value());
  if (!verdict.reason) return;
  const Reason& reason = *verdict.reason;
  out.put(static_cast<int>(reason.why));
  out.put(reason.instead);
  out.put(reason.moves);
  out.put(reason.force ? static_cast<int>(*reason.force) : -1);
  out.put_list(reason.line);
  out.put_list(reason.shape);
}

void write_found(const std::optional<Proof>& proof) {
  Writer out;
  out.put(proof.has_value());
  if (proof) write(out, *proof);
}

Proof read_proof(Reader& in) {
  const auto winner = static_cast<Color>(in.next());
  const auto force = static_cast<Force>(in.next());
  const int moves = in.next();
  return {winner, in.next_list(), force, moves};
}

Look read_look(Reader& in) {
  const double value = in.next_double();
  const auto side = static_cast<Color>(in.next());
  const auto best = static_cast<Move>(in.next());
  Look look{value, side, best, in.next_list()};
  if (in.next()) look.proof = read_proof(in);
  return look;
}

Prover& prover() {
  static Prover one(std::size_t{1} << 18);
  return one;
}

// The opinion of the engine: fresh with each review, so that two reviews agree.
Ask engine(int hash_megabytes, bool with_network) {
  auto search = std::make_shared<tengen::AlphaBeta>(1, hash_megabytes, 1);
  const auto network = with_network ? tengen::wasm::network : nullptr;
  search->use(network.get());
  return [search, network](const ThreatBoard& position, std::uint64_t nodes) {
    search->arm();
    const RootMove best = search->run(position, {0, nodes, 0}, 1).lines.front();
    return Opinion{best.move, tengen::wasm::value_of(best.score), best.pv};
  };
}

std::unique_ptr<Review> review;

}  // namespace

void tengen_prove(double fours, double threats) {
  write_found(prover().prove(*board, {static_cast<std::int64_t>(fours), static_cast<std::int64_t>(threats)}));
}

void tengen_win(double fours, double threats, int attacker) {
  const Effort effort{static_cast<std::int64_t>(fours), static_cast<std::int64_t>(threats)};
  write_found(prover().win(*board, effort, static_cast<Color>(attacker)));
}

void tengen_review(int moves, int known, int hash_megabytes, int network) {
  const std::vector<Move> line(buffer.begin(), buffer.begin() + moves);
  review = std::make_unique<Review>(*board, line, engine(hash_megabytes, network),
                                    std::vector<Pass>(std::begin(kPasses), std::end(kPasses)));
  Reader in(static_cast<std::size_t>(moves));
  for (int i = 0; i < known; ++i) {
    const int ply = in.next();
    review->know(ply, read_proof(in));
  }
}

int tengen_review_step() {
  if (!review || review->done()) return 0;
  const auto found = review->step();
  Writer out;
  out.put(static_cast<std::int64_t>(found.size()));
  for (const Finding& finding : found) {
    out.put(finding.ply);
    out.put(finding.sweep);
    write(out, finding.look);
    out.put(finding.verdict.has_value());
    if (finding.verdict) write(out, *finding.verdict);
  }
  return 1;
}

void tengen_retry(int move, int hash_megabytes, int network) {
  Reader in;
  const Look before = read_look(in);
  Writer out;
  write(out, second_try(*board, static_cast<Move>(move), before, engine(hash_megabytes, network)));
}

void tengen_judge(int move) {
  Reader in;
  const Look before = read_look(in), after = read_look(in);
  Writer out;
  write(out, judge(*board, static_cast<Move>(move), before, after));
}

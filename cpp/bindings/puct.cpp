#include "tree/puct.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "board.h"
#include "search.h"
#include "tree/root.h"

namespace nb = nanobind;
using namespace tengen;

namespace {

// One game's search as Python drives it: gather leaves, answer them, look, move on.
class Search {
 public:
  Search(const ThreatBoard& board, Encoding encoding, const SearchOptions& options, std::uint64_t seed)
      : encoding_(encoding), options_(options), rng_(seed), cache_(options.cache_size, board.position().cells()),
        tree_(board, options, encoding == Encoding::Shapes, &cache_), unturned_(board.position().cells()) {}

  int select(Planes planes, int sims);
  void expand(const Rows& logits, const Values& values);
  void abandon();
  void advance(const std::vector<int>& moves);

  Tree& tree() { return tree_; }
  const Tree& tree() const { return tree_; }
  Encoding encoding() const { return encoding_; }
  int waiting() const { return static_cast<int>(pending_.size()); }
  int done() const { return done_; }
  int best_move() const;
  std::vector<float> policy(float temperature) const;

 private:
  void begin();
  int first_move();
  void write_planes(float* out);

  Encoding encoding_;
  SearchOptions options_;
  Rng rng_;
  EvalCache cache_;
  Tree tree_;
  GumbelRoot gumbel_;
  bool begun_ = false;
  int done_ = 0;  // simulations since the root last moved
  std::vector<PendingLeaf> pending_;
  std::vector<int> symmetries_;
  std::vector<float> unturned_;
};

// Noise and candidates come once for each root, after its own evaluation.
void Search::begin() {
  begun_ = true;
  if (options_.gumbel)
    gumbel_.begin(tree_, rng_, options_.sims, options_.gumbel_scale);
  else
    add_noise(tree_, rng_, options_.noise_alpha, options_.noise_fraction);
}

int Search::first_move() { return options_.gumbel ? gumbel_.next(tree_) : -1; }

void Search::write_planes(float* out) {
  const Position& p = tree_.leaf_position();
  symmetries_.push_back(options_.random_symmetry ? rng_.below(symmetries(p.width(), p.height())) : 0);
  if (encoding_ == Encoding::Stones)
    encode_stones(p, symmetries_.back(), out);
  else
    encode_shapes(tree_.leaf_threats(), symmetries_.back(), out);
}

// Runs up to `sims` simulations and stops at a full batch, a proven root or a leaf already on its way.
int Search::select(Planes planes, int sims) {
  const std::size_t floats = planes.shape(1) * planes.shape(2) * planes.shape(3);
  const auto room = planes.shape(0);
  pending_.clear();
  symmetries_.clear();
  while (pending_.size() < room && sims > 0 && tree_.root().proof == Proof::None) {
    const bool at_root = tree_.root().state != Node::State::Open;
    if (!at_root && !begun_) begin();
    PendingLeaf pending;
    const auto result = tree_.select(pending, at_root ? -1 : first_move());
    if (result == Tree::Result::Collided) break;
    if (!at_root) --sims, ++done_;
    if (result == Tree::Result::Done) continue;
    write_planes(planes.data() + pending_.size() * floats);
    pending_.push_back(std::move(pending));
    if (at_root) break;
  }
  return waiting();
}

void Search::expand(const Rows& logits, const Values& values) {
  const Position& p = tree_.board().position();
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const float* row = logits.data() + i * p.cells();
    if (symmetries_[i]) {
      const auto& map = symmetry_map(p.width(), p.height(), symmetries_[i]);
      for (std::size_t m = 0; m < map.size(); ++m) unturned_[m] = row[map[m]];
      row = unturned_.data();
    }
    tree_.expand(pending_[i], row, values.data()[i]);
  }
  pending_.clear();
}

void Search::abandon() {
  for (auto& pending : pending_) tree_.abandon(pending);
  pending_.clear();
}

void Search::advance(const std::vector<int>& moves) {
  abandon();
  for (const int m : moves) {
    if (m < 0 || m >= tree_.board().position().cells() || !tree_.board().position().legal(static_cast<Move>(m)))
      throw std::invalid_argument("move " + std::to_string(m) + " is not legal here");
    tree_.advance(static_cast<Move>(m), options_.reuse_tree);
  }
  begun_ = false;
  done_ = 0;
}

int Search::best_move() const {
  if (const Move m = proven_move(tree_); m != kNoMove) return m;
  if (options_.gumbel && begun_) return gumbel_.best(tree_);
  return most_visited(tree_);
}

std::vector<float> Search::policy(float temperature) const {
  std::vector<float> out(tree_.board().position().cells());
  if (tree_.root().edge_count == 0) return out;
  if (options_.gumbel)
    gumbel_target(tree_, out.data());
  else
    visit_target(tree_, temperature, out.data());
  return out;
}

Dict candidate(const Tree& tree, int i) {
  const Node& root = tree.root();
  const Node* child = root.child()[i];
  const Proof proof = child ? child->proof : Proof::None;
  Dict d;
  d["move"] = static_cast<int>(root.edges[i].move());
  d["visits"] = static_cast<int>(root.n()[i]);
  d["value"] = std::max(root.q()[i], -1.0f);
  d["prior"] = std::exp(root.edges[i].log_prior());
  d["proven"] = proof == Proof::Loss ? 1 : proof == Proof::Win ? -1 : 0;
  d["pv"] = tree.line(i);
  return d;
}

DictList candidates(const Tree& tree, int count) {
  const Node& root = tree.root();
  std::vector<int> order;
  for (int i = 0; i < root.tried; ++i)
    if (root.n()[i] > 0) order.push_back(i);
  const auto wins = [&](int i) { return root.child()[i] && root.child()[i]->proof == Proof::Loss; };
  const auto lost = [&](int i) { return root.q()[i] <= kRefuted; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    if (wins(a) != wins(b)) return wins(a);
    if (lost(a) != lost(b)) return lost(b);
    return root.n()[a] != root.n()[b] ? root.n()[a] > root.n()[b] : root.q()[a] > root.q()[b];
  });
  DictList out;
  for (std::size_t i = 0; i < order.size() && static_cast<int>(i) < count; ++i) out.append(candidate(tree, order[i]));
  return out;
}

// Simulations a second of the tree alone: every position gets the same policy and the value 0.
Dict tree_speed(const BoardHandle& h, int sims, const Dict& config) {
  const SearchOptions options = options_from_dict(config);
  Tree tree(h.board, options, false, nullptr);
  const std::vector<float> logits(h.board.position().cells());
  PendingLeaf pending;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < sims; ++i)
    if (tree.select(pending) == Tree::Result::Leaf) tree.expand(pending, logits.data(), 0.0f);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  Dict d;
  d["sims_per_second"] = sims / spent.count();
  d["bytes"] = tree.bytes();
  d["depth"] = tree.depth();
  return d;
}

}  // namespace

void bind_puct(nb::module_& m) {
  nb::class_<Search>(m, "Search", "Tree search of one game with a network in Python.")
      .def(
          "__init__",
          [](Search* self, const BoardHandle& h, const std::string& encoding, const Dict& config, std::uint64_t seed) {
            if (h.board.over()) throw std::invalid_argument("the game is over");
            new (self) Search(h.board, encoding_from_name(encoding), options_from_dict(config), seed);
          },
          nb::arg("board"), nb::arg("encoding"), nb::arg("config") = nb::dict(), nb::arg("seed") = 0)
      .def(
          "select",
          [](Search& self, Planes planes, int sims) {
            if (self.waiting()) throw std::invalid_argument("expand or abandon the leaves of the last select first");
            const Position& p = self.tree().board().position();
            check_planes(planes, self.encoding(), p.height(), p.width(), 1);
            nb::gil_scoped_release release;
            return self.select(planes, sims);
          },
          nb::arg("planes"), nb::arg("sims"),
          "Fills planes [B, C, H, W] with up to B leaves of at most `sims` simulations.")
      .def(
          "expand",
          [](Search& self, Rows policy, Values value) {
            check_answers(policy, value, self.waiting(), self.tree().board().position().cells());
            nb::gil_scoped_release release;
            self.expand(policy, value);
          },
          nb::arg("policy"), nb::arg("value"))
      .def("abandon", &Search::abandon, "Gives the leaves of the last select back unevaluated.")
      .def("advance", &Search::advance, nb::arg("moves"), "Plays moves at the root, keeping the subtree.")
      .def("best_move", &Search::best_move, "-1 when nothing was searched.")
      .def(
          "policy",
          [](const Search& self, float temperature) {
            const auto policy = self.policy(temperature);
            return to_numpy(policy, {policy.size()});
          },
          nb::arg("temperature") = 1.0f, "What the search recommends, a probability for every cell.")
      .def(
          "candidates", [](const Search& self, int count) { return candidates(self.tree(), count); },
          nb::arg("count") = 10)
      .def("line", [](const Search& self) { return self.tree().line(); })
      .def_prop_ro("value", [](const Search& self) { return self.tree().root_value(); })
      .def_prop_ro("visits", [](const Search& self) { return static_cast<int>(self.tree().root_visits()); })
      .def_prop_ro("done", &Search::done, "Simulations since the root last moved.")
      .def_prop_ro("depth", [](const Search& self) { return self.tree().depth(); })
      .def_prop_ro("bytes", [](const Search& self) { return self.tree().bytes(); })
      .def_prop_ro("evaluations", [](const Search& self) { return self.tree().stats().evaluations; })
      .def_prop_ro("key", [](const Search& self) { return self.tree().board().position().key(); })
      .def_prop_ro("proven", [](const Search& self) {
        const Proof proof = self.tree().root().proof;
        return proof == Proof::Win ? "win" : proof == Proof::Loss ? "loss" : proof == Proof::Draw ? "draw" : "";
      });
  m.def("search_defaults", &option_defaults, "Every search option with its default.");
  m.def("tree_speed", &tree_speed, nb::arg("board"), nb::arg("sims"), nb::arg("config") = nb::dict(),
        "Simulations a second with a constant evaluator, and the memory they took.");
}

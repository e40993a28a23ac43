#include "study/rating.h"

#include <cmath>
#include <numbers>

namespace tengen::study {

namespace {

constexpr double kScale = 173.7178;
constexpr double kTau = 0.5;  // how fast the volatility may change
constexpr double kDay = 86'400;

double damping(double phi) { return 1 / std::sqrt(1 + 3 * std::pow(phi / std::numbers::pi, 2)); }

// The root of the paper's f, which falls: bracketed, then halved.
double new_volatility(double sigma, double phi, double variance, double delta) {
  const double a = std::log(sigma * sigma);
  const auto f = [&](double x) {
    const double spread = phi * phi + variance + std::exp(x);
    return std::exp(x) * (delta * delta - spread) / (2 * spread * spread) - (x - a) / (kTau * kTau);
  };
  double low = a - 1, high = a + 1;
  while (f(low) < 0) low -= 1;
  while (f(high) > 0) high += 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (f(middle) > 0 ? low : high) = middle;
  }
  return std::exp((low + high) / 4);
}

}  // namespace

Rating after_games(const Rating& person, const std::vector<std::pair<Rating, double>>& games) {
  const double mu = (person.value - 1500) / kScale, phi = person.deviation / kScale;
  double information = 0, gain = 0;
  for (const auto& [other, score] : games) {
    const double g = damping(other.deviation / kScale);
    const double expected = 1 / (1 + std::exp(-g * (mu - (other.value - 1500) / kScale)));
    information += g * g * expected * (1 - expected);
    gain += g * (score - expected);
  }
  const double variance = 1 / information;
  const double volatility = new_volatility(person.volatility, phi, variance, variance * gain);
  const double wider = phi * phi + volatility * volatility;
  const double narrower = 1 / std::sqrt(1 / wider + 1 / variance);
  return {1500 + kScale * (mu + narrower * narrower * gain), kScale * narrower, volatility};
}

std::optional<Estimate> estimate(std::vector<Fare> fares) {
  double games = 0, sum = 0;
  for (const Fare& f : fares) games += f.games, sum += f.elo * f.games;
  if (games < kFewestGames) return std::nullopt;
  const double mean = sum / games;
  fares.push_back({mean, 0.5, 1});
  const auto expected = [](double elo, double other) { return 1 / (1 + std::pow(10, (other - elo) / 400)); };
  double low = mean - 4000, high = mean + 4000;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    double surplus = 0;
    for (const Fare& f : fares) surplus += f.points - f.games * expected(middle, f.elo);
    (surplus > 0 ? low : high) = middle;
  }
  double information = 0;
  for (const Fare& f : fares) {
    const double p = expected(low, f.elo);
    information += f.games * p * (1 - p);
  }
  const double spread = 1.96 * 400 / std::numbers::ln10 / std::sqrt(information);
  return Estimate{low, low - spread, low + spread};
}

std::optional<Repetition> after_attempt(const std::optional<Repetition>& before, bool solved, double now) {
  if (!solved) return Repetition{0, now + kPauses[0] * kDay};
  if (!before || now < before->due) return before;
  const int step = before->step + 1;
  if (step == static_cast<int>(kPauses.size())) return std::nullopt;
  return Repetition{step, now + kPauses[step] * kDay};
}

}  // namespace tengen::study

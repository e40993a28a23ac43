"""Statistics of a few runs each (Agarwal et al. 2021): interquartile means, stratified bootstrap bands, and how likely
one variant is to beat another.

Scores are arrays [seeds, tasks]: a task is an opponent or another measure.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.stats import trim_mean

from tengen.arena.score import Interval

Scores = NDArray[np.float64]
SAMPLES = 2_000


def interquartile_mean(scores: Scores) -> float:
    """The mean of the middle half of all scores: less shaken by one run than the mean, less coarse than the median."""
    return float(trim_mean(scores, 0.25, axis=None))


def resampled(scores: Scores, rng: np.random.Generator) -> Scores:
    """Seeds drawn again with replacement, for each task by itself."""
    seeds, tasks = scores.shape
    drawn: Scores = np.take_along_axis(scores, rng.integers(0, seeds, (seeds, tasks)), axis=0)
    return drawn


def banded(value: Callable[..., float], *scores: Scores, samples: int = SAMPLES, seed: int = 0) -> Interval:
    """A statistic with its 95 % band from the stratified bootstrap. With one seed nothing is known of the spread."""
    middle = value(*scores)
    if min(len(own) for own in scores) < 2:
        return Interval(middle, float("-inf"), float("inf"))
    rng = np.random.default_rng(seed)
    drawn = [value(*(resampled(own, rng) for own in scores)) for _ in range(samples)]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return Interval(middle, float(low), float(high))


def improvement(x: Scores, y: Scores) -> float:
    """The probability that a run of x scores more than a run of y on a task drawn at random; a tie counts half."""
    more = (x[:, None, :] > y[None, :, :]) + 0.5 * (x[:, None, :] == y[None, :, :])
    return float(more.mean())

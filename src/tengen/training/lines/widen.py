"""A larger line network that plays exactly as a smaller one does, to go on learning with more features."""

from __future__ import annotations

import numpy as np

from tengen.inference.base import Floats
from tengen.inference.lines import LineShape, Tensors

AXES = {
    "table": ("view", "window", "channel"),
    "bias": ("view", "channel"),
    "value_1": ("row", "hidden"),
    "gate_1": ("row", "hidden"),
    "value_2": ("hidden", "hidden"),
    "gate_2": ("hidden", "row"),
    "gate_2_bias": ("row",),
    "value_3_bias": ("one",),
    "far_bias": ("one",),
}
"""What the axes of an array count; arrays that are not listed have one number per hidden unit."""
FRESH = ("table", "value_1", "gate_1", "value_2")
"""Arrays that make new features and new hidden units. They start at random; whatever reads the new ones starts at 0."""


def fits(small: LineShape, large: LineShape) -> bool:
    same = (small.k, small.rule) == (large.k, large.rule)
    return same and small.channels <= large.channels and small.hidden <= large.hidden


def widened(small: LineShape, tensors: Tensors, large: LineShape, fresh: Floats) -> Floats:
    """The weights of the large shape: those of the small network, and `fresh` ones where it has none."""
    old = {
        "channel": np.arange(small.channels),
        "row": np.concatenate([np.arange(small.channels), large.channels + np.arange(small.channels)]),
        "hidden": np.arange(small.hidden),
    }
    out = large.split(fresh.copy())
    for name, array in out.items():
        axes = AXES.get(name, ("hidden",))
        if name not in FRESH:
            array[...] = 0
        elif name != "table":
            array[:, old["hidden"]] = 0
        array[np.ix_(*(old.get(axis, np.arange(n)) for axis, n in zip(axes, array.shape, strict=True)))] = tensors[name]
    return large.flat(out)

"""The weights a network would begin with: the control of everything it has learned."""

from __future__ import annotations

from typing import Any

from tengen import _core
from tengen.errors import TengenError
from tengen.inference.lines import LineShape, to_bytes
from tengen.rules import Variant


def line_weights(card: dict[str, Any], variant: Variant, seed: int) -> bytes:
    """A line network as `tengen train` starts it, as a file."""
    network = card["network"]
    shape = LineShape(variant.k, str(variant.rule), network["channels"], network["hidden"])
    learner = _core.LineLearner(shape.k, shape.rule, shape.channels, shape.hidden, seed)
    return to_bytes(shape, learner.weights)


def onnx_weights(card: dict[str, Any], variant: Variant, seed: int) -> bytes:
    """A policy-value network as `tengen train` starts it, as ONNX. Needs torch and a card with the recipe."""
    try:
        import torch

        from tengen.nets.network import NetworkSpec, build_network
        from tengen.nets.onnx import export_onnx
    except ImportError as error:
        raise TengenError(f"untrained weights need {error.name}: pip install 'tengen[train]'") from None

    network = card["recipe"]["network"]
    known = {"kind", "encoding", "heads"}
    options = {key: value for key, value in network.items() if key not in known and value is not None}
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        spec = NetworkSpec(network["kind"], card["encoding"], variant.width, variant.height, options)
        return export_onnx(build_network(spec).eval())

"""An AlphaZero run as a model: ONNX checked against the network, and its card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tengen.nets.network import PolicyValueNetwork, build_network, count_parameters
from tengen.nets.onnx import check_parity, export_onnx
from tengen.training.alphazero.config import AlphaZeroConfig, LadderConfig
from tengen.training.alphazero.trainer import base_card, network_spec
from tengen.training.run.loop import RunFolder
from tengen.training.run.tensors import read_tensors

PARITY_BATCH = 8


def export_alphazero(name: str, config: AlphaZeroConfig, checkpoint: Path) -> tuple[bytes, dict[str, Any]]:
    """The averaged network of a checkpoint as ONNX, and what its card says of it."""
    network = load_average(config, checkpoint)
    model = export_onnx(network)
    check_parity(network, model, _probe(network))
    return model, _card(name, config, network, checkpoint)


def load_average(config: AlphaZeroConfig, checkpoint: Path) -> PolicyValueNetwork:
    """The averaged network of a checkpoint, ready to play."""
    network = build_network(network_spec(config))
    network.load_state_dict(read_tensors(checkpoint / "average.safetensors", network.state_dict()))
    return network.eval()


def _card(name: str, config: AlphaZeroConfig, network: PolicyValueNetwork, checkpoint: Path) -> dict[str, Any]:
    return base_card(name, config, network.spec, count_parameters(network.body)) | {
        "strength": newest_ladder(config.ladder, checkpoint),
        "tactics": newest_tactics(config.ladder, checkpoint),
    }


def newest_tactics(ladder: LadderConfig, checkpoint: Path) -> dict[str, float]:
    """Percent of the tactics probe solved by policy and by search, and the control's scores; empty: not probed."""
    rows = RunFolder(checkpoint.parents[1]).read_metrics()
    probed = [r for r in rows if r["iteration"] <= int(checkpoint.name) and any(k.startswith("policy/") for k in r)]
    return {k: v for k, v in (probed[-1] if probed else {}).items() if k.startswith(("policy/", "search/", "control/"))}


def newest_ladder(ladder: LadderConfig, checkpoint: Path) -> list[dict[str, Any]]:
    """The newest ladder that the run had played when the checkpoint was written."""
    rows = RunFolder(checkpoint.parents[1]).read_metrics()
    played = [r for r in rows if r["iteration"] <= int(checkpoint.name) and any(k.startswith("ladder/") for k in r)]
    return [
        {
            "opponent": (opponent := key.removeprefix("ladder/")),
            **{part: int(played[-1][f"ladder_{part}/{opponent}"]) for part in ("wins", "draws", "losses")},
            "sims": ladder.sims,
            "solver": ladder.solver,
            "iteration": int(played[-1]["iteration"]),
        }
        for key in (played[-1] if played else {})
        if key.startswith("ladder/")
    ]


def _probe(network: PolicyValueNetwork) -> np.ndarray[Any, np.dtype[np.float32]]:
    """A batch that looks like positions enough to compare two implementations."""
    spec = network.spec
    planes = np.random.default_rng(0).random((PARITY_BATCH, spec.core_planes, spec.height, spec.width)) < 0.2
    if spec.size_free:
        planes[:, 0] = True
    return planes.astype(np.float32)

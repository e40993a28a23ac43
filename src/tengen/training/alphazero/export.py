"""An AlphaZero run as a model: ONNX checked against the network, and its card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tengen.nets.network import PolicyValueNetwork, build_network, count_parameters
from tengen.nets.onnx import check_parity, export_onnx
from tengen.training.alphazero.config import AlphaZeroConfig
from tengen.training.alphazero.trainer import base_card, network_spec
from tengen.training.ladder import newest_ladder, newest_tactics
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
        "tactics": newest_tactics(checkpoint),
    }


def _probe(network: PolicyValueNetwork) -> np.ndarray[Any, np.dtype[np.float32]]:
    """A batch that looks like positions enough to compare two implementations."""
    spec = network.spec
    planes = np.random.default_rng(0).random((PARITY_BATCH, spec.core_planes, spec.height, spec.width)) < 0.2
    if spec.size_free:
        planes[:, 0] = True
    return planes.astype(np.float32)

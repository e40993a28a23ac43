"""From a run to a model: NAME.onnx, checked against the network, and its card NAME.json."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import numpy as np

from tengen.nets.factory import Network, build_network, count_parameters
from tengen.nets.onnx import check_parity, export_onnx
from tengen.training.alphazero import base_card, network_spec
from tengen.training.config import AlphaZeroConfig, check_config
from tengen.training.files import read_json, write_atomic, write_json
from tengen.training.learner import read_tensors
from tengen.training.run import RunFolder

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
PARITY_BATCH = 8


def export_run(run: RunFolder, name: str, folder: Path, iteration: int | None = None, replace: bool = False) -> Path:
    """Writes the model and returns the path of its ONNX file."""
    if not NAME.fullmatch(name):
        raise ValueError(f"'{name}' is not a model name; use letters, digits, '.', '_' and '-'")
    path = folder / f"{name}.onnx"
    if path.exists() and not replace:
        raise ValueError(f"{path} exists already; choose another name, or --replace it")
    about, checkpoint = run.about(), run.checkpoint(iteration)
    if about["method"] != "alphazero":
        raise ValueError(f"{run.path} was trained by '{about['method']}'; this exports AlphaZero runs")
    config = check_config(about["config"], str(run.path / "run.json"))
    network = load_average(config, checkpoint)
    model = export_onnx(network)
    check_parity(network, model, _probe(network))
    folder.mkdir(parents=True, exist_ok=True)
    write_atomic(path, model)
    write_json(path.with_suffix(".json"), _card(name, config, network, about, checkpoint, model))
    return path


def load_average(config: AlphaZeroConfig, checkpoint: Path) -> Network:
    """The averaged network of a checkpoint, ready to play."""
    network = build_network(network_spec(config))
    network.load_state_dict(read_tensors(checkpoint / "average.safetensors", network.state_dict()))
    return network.eval()


def _card(name: str, config: AlphaZeroConfig, network: Network, about: dict[str, Any], checkpoint: Path,
          model: bytes) -> dict[str, Any]:  # fmt: skip
    metrics = read_json(checkpoint / "metrics.json")
    kept = ("iteration", "games", "positions", "seconds", "loss", "loss_policy", "loss_value")
    return base_card(name, config, network.spec, count_parameters(network.body)) | {
        "recipe": about["config"],
        "seed": config.seed,
        "versions": about["versions"],
        "training": {key: metrics[key] for key in kept if key in metrics},
        "strength": [{"opponent": k.removeprefix("ladder/"), "score_percent": v, "sims": config.ladder.sims,
                      "games": config.ladder.games} for k, v in metrics.items() if k.startswith("ladder/")],
        "onnx_sha256": hashlib.sha256(model).hexdigest(),
    }  # fmt: skip


def _probe(network: Network) -> np.ndarray[Any, np.dtype[np.float32]]:
    """A batch that looks like positions enough to compare two implementations."""
    spec = network.spec
    planes = np.random.default_rng(0).random((PARITY_BATCH, spec.planes, spec.height, spec.width)) < 0.2
    if spec.size_free:
        planes[:, 0] = True
    return planes.astype(np.float32)

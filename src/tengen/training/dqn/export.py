"""A DQN run as a model: ONNX from planes [B, 2, H, W] to `q` [B, A], checked, and its card."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import torch

from tengen.errors import TengenError
from tengen.files import read_json
from tengen.nets.onnx import described
from tengen.nets.qnet import QNet
from tengen.training.dqn.config import DqnConfig
from tengen.training.run.tensors import read_tensors

OPSET, TOLERANCE = 17, 1e-3


METADATA = {
    "tengen.network": "q",
    "tengen.encoding": "q-stones",
    "tengen.planes": "float32 [batch, 2, height, width]: own stones, the opponent's, from the side to move",
    "tengen.q": "[batch, height * width] expected scaled reward of the cells, row by row from the top left",
}
"""What a reader of the file alone must know."""


def export_dqn(name: str, config: DqnConfig, checkpoint: Path) -> tuple[bytes, dict[str, Any]]:
    net = QNet(config.spec)
    weights = "average.safetensors" if config.learn.average else "online.safetensors"
    net.load_state_dict(read_tensors(checkpoint / weights, net.state_dict()))
    net.eval()
    model = network_onnx(net)
    _check(net, model)
    return model, _card(name, config, net, read_json(checkpoint / "metrics.json"))


def network_onnx(net: QNet) -> bytes:
    buffer, free = io.BytesIO(), net.spec.size_free
    axes = {0: "batch"} | ({2: "height", 3: "width"} if free else {})
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net, (torch.zeros(2, 2, net.spec.height, net.spec.width),), buffer,  # type: ignore[arg-type]
            input_names=["planes"],
            output_names=["q"], dynamic_axes={"planes": axes, "q": {0: "batch", 1: "cells"} if free else {0: "batch"}},
            opset_version=OPSET,
            dynamo=False,
        )  # fmt: skip
    board = "any" if free else f"{net.spec.width}x{net.spec.height}"
    return described(buffer.getvalue(), METADATA | {"tengen.board": board})


def _check(net: QNet, model: bytes) -> None:
    planes = (np.random.default_rng(0).random((4, 2, net.spec.height, net.spec.width)) < 0.2).astype(np.float32)
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    with torch.no_grad():
        difference = np.abs(session.run(["q"], {"planes": planes})[0] - net(torch.from_numpy(planes)).numpy()).max()
    if not difference <= TOLERANCE:
        raise TengenError(f"the exported model differs from the network by {difference:.2g}; {TOLERANCE} is allowed")


def _card(name: str, config: DqnConfig, net: QNet, metrics: dict[str, float]) -> dict[str, Any]:
    env = config.env
    opponent = f"minimax:depth={env.depth}" if env.opponent in {"minimax", "self"} else env.opponent
    strength = [
        {"opponent": opponent, "win": metrics["eval_win"], "draw": metrics["eval_draw"], "loss": metrics["eval_loss"],
         "games": config.evaluate.games, "seat": env.seat}
    ] if "eval_win" in metrics else []  # fmt: skip
    return {
        "name": name, "method": "dqn", "network": net.spec.to_dict(), "encoding": "q-stones",
        "size_free": net.spec.size_free, "width": env.width, "height": env.height, "k": env.k, "rule": str(env.rule),
        "parameters": sum(p.numel() for p in net.parameters()), "strength": strength,
        "q_win": env.reward.win * config.learn.reward_scale,
    }  # fmt: skip

"""ONNX files for play: export of a network's policy and value, checked against onnxruntime."""

from __future__ import annotations

import io
import warnings

import numpy as np
import onnxruntime as ort
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tengen.errors import TengenError
from tengen.nets.network import SIZE_FREE_TRACE, NetworkSpec, PolicyValueNetwork

OPSET = 17
TOLERANCE = 1e-3
"""Largest difference of policy logits and values between torch and onnxruntime that passes."""


class _PolicyValue(nn.Module):
    """The two outputs of play, in order, without auxiliary heads. Policies of all networks are log-probabilities."""

    def __init__(self, network: PolicyValueNetwork) -> None:
        super().__init__()
        self.body, self.derive = network.body, network.derive

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        said = self.body(self.derive(planes))
        return F.log_softmax(said.policy, dim=1), said.value


def export_onnx(network: PolicyValueNetwork) -> bytes:
    """The ONNX file of a network in evaluation mode: `planes` -> `policy`, `value`."""
    spec = network.spec
    height, width = (SIZE_FREE_TRACE, SIZE_FREE_TRACE) if spec.size_free else (spec.height, spec.width)
    axes = {"planes": {0: "batch"}, "policy": {0: "batch"}, "value": {0: "batch"}}
    if spec.size_free:
        axes["planes"] |= {2: "height", 3: "width"}
        axes["policy"] |= {1: "cells"}
    was_training, device = network.training, next(network.parameters()).device
    network.eval()
    buffer = io.BytesIO()
    try:
        # The TorchScript exporter needs no further package and keeps the tensors' names.
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")
            torch.onnx.export(
                _PolicyValue(network), (torch.ones(2, spec.core_planes, height, width, device=device),), buffer,  # type: ignore[arg-type]
                input_names=["planes"], output_names=["policy", "value"], dynamic_axes=axes,
                opset_version=OPSET, dynamo=False,
            )  # fmt: skip
    finally:
        network.train(was_training)
    return described(buffer.getvalue(), metadata(spec))


def metadata(spec: NetworkSpec) -> dict[str, str]:
    """What a reader of the file alone must know."""
    size = "any" if spec.size_free else f"{spec.width}x{spec.height}"
    return {
        "tengen.network": spec.network,
        "tengen.board": size,
        "tengen.encoding": spec.core_encoding,
        "tengen.planes": f"float32 [batch, {spec.core_planes}, height, width], from the side to move",
        "tengen.policy": "log-probabilities [batch, height * width] of the cells, row by row from the top left",
        "tengen.value": "[batch] expected result for the side to move, -1 to 1",
    }


def described(model: bytes, properties: dict[str, str]) -> bytes:
    """The file with these metadata properties."""
    import onnx

    loaded = onnx.load_model_from_string(model)
    onnx.helper.set_model_props(loaded, properties)
    data: bytes = loaded.SerializeToString()
    return data


def parity(network: PolicyValueNetwork, model: bytes, planes: np.ndarray) -> float:
    """The largest difference between torch and onnxruntime on a batch, over policy and value."""
    was_training = network.training
    network.eval()
    with torch.no_grad():
        outputs = network(torch.from_numpy(planes))
    network.train(was_training)
    policy, value = ort.InferenceSession(model, providers=["CPUExecutionProvider"]).run(None, {"planes": planes})
    return max(
        float(np.abs(policy - F.log_softmax(outputs["policy"], dim=1).numpy()).max()),
        float(np.abs(value - outputs["value"].numpy()).max()),
    )


def check_parity(network: PolicyValueNetwork, model: bytes, planes: np.ndarray) -> float:
    """Raises when the exported file does not say what the network says."""
    difference = parity(network, model, planes)
    if not difference <= TOLERANCE:
        raise TengenError(
            f"the exported model differs from the network by {difference:.2g}; at most {TOLERANCE} is allowed"
        )
    return difference

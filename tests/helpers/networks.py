"""Tiny networks as files, for tests of what runs networks."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from tengen import _core


def write_network(folder: Path, name: str = "tiny", size: int = 7, k: int = 5, rule: str = "freestyle",
                  encoding: str = "stones", seed: int = 0, size_free: bool = False,
                  scale: float = 0.5) -> Path:  # fmt: skip
    """One 3x3 convolution: random weights, the policy is its output, the value a squashed mean. With its card."""
    rng = np.random.default_rng(seed)
    planes = _core.encoding_planes(encoding)
    side = "side" if size_free else size
    weights = (scale * rng.normal(size=(2, planes, 3, 3))).astype(np.float32)
    nodes = [
        helper.make_node("Conv", ["planes", "w"], ["maps"], pads=[1, 1, 1, 1]),
        helper.make_node("Split", ["maps", "ones"], ["first", "second"], axis=1),
        helper.make_node("Flatten", ["first"], ["policy"], axis=1),
        helper.make_node("ReduceMean", ["second"], ["mean"], axes=[1, 2, 3], keepdims=0),
        helper.make_node("Tanh", ["mean"], ["value"]),
    ]
    graph = helper.make_graph(
        nodes,
        name,
        [helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["batch", planes, side, side])],
        [
            helper.make_tensor_value_info("policy", TensorProto.FLOAT, ["batch", "cells"]),
            helper.make_tensor_value_info("value", TensorProto.FLOAT, ["batch"]),
        ],
        [
            numpy_helper.from_array(weights, "w"),
            numpy_helper.from_array(np.array([1, 1], dtype=np.int64), "ones"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path = folder / f"{name}.onnx"
    onnx.save(model, path)
    card = {
        "name": name, "method": "test", "encoding": encoding, "size_free": size_free, "width": size, "height": size,
        "k": k, "rule": rule, "onnx_sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }  # fmt: skip
    path.with_suffix(".json").write_text(json.dumps(card))
    return path


def write_q_network(folder: Path, name: str = "tiny-q", size: int = 9, seed: int = 0) -> Path:
    """One 3x3 convolution from own and opponent's stones to the Q of each cell: random weights. With its card."""
    weights = np.random.default_rng(seed).normal(scale=0.1, size=(1, 2, 3, 3)).astype(np.float32)
    graph = helper.make_graph(
        [
            helper.make_node("Conv", ["planes", "w"], ["maps"], pads=[1, 1, 1, 1]),
            helper.make_node("Flatten", ["maps"], ["q"], axis=1),
        ],
        name,
        [helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["batch", 2, size, size])],
        [helper.make_tensor_value_info("q", TensorProto.FLOAT, ["batch", "cells"])],
        [numpy_helper.from_array(weights, "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path = folder / f"{name}.onnx"
    onnx.save(model, path)
    card = {
        "name": name, "method": "test", "encoding": "q-stones", "size_free": False, "width": size, "height": size,
        "k": 5, "rule": "freestyle", "onnx_sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }  # fmt: skip
    path.with_suffix(".json").write_text(json.dumps(card))
    return path

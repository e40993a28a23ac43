"""Networks by onnxruntime: one thread each, no spinning, so that workers share a machine fairly."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tengen import _core
from tengen.board import Board
from tengen.errors import TengenError
from tengen.inference.base import Evaluation, Floats, legal_mask, masked_softmax


class OnnxEvaluator:
    """A network with input `planes` [B, C, H, W] and outputs `policy` [B, A] and `value` [B], from a file or its bytes.

    Raises ValueError for a file that is not such a network.
    """

    def __init__(self, source: Path | str | bytes, threads: int = 1) -> None:
        self.name = "the network" if isinstance(source, bytes) else str(source)
        self._session = open_session(source, self.name, threads)
        names = {output.name for output in self._session.get_outputs()}
        inputs = [i.name for i in self._session.get_inputs()]
        if inputs != ["planes"] or not {"policy", "value"} <= names:
            raise TengenError(
                f"{self.name} is not a Gomoku network: it needs one input 'planes' and outputs 'policy' and 'value'"
            )
        shape = self._session.get_inputs()[0].shape
        self.planes: int = shape[1]
        self.height: int | None = shape[2] if isinstance(shape[2], int) else None
        self.width: int | None = shape[3] if isinstance(shape[3], int) else None

    def run(self, planes: Floats) -> tuple[Floats, Floats]:
        """Logits [B, A] and values [B] for the side to move."""
        policy, value = self._session.run(["policy", "value"], {"planes": planes})
        return policy, value.reshape(-1)

    @property
    def encoding(self) -> str:
        """The encoding with this network's number of planes."""
        for kind in ("stones", "shapes"):
            if _core.encoding_planes(kind) == self.planes:
                return kind
        raise TengenError(f"{self.name} wants {self.planes} planes; no encoding has so many")

    def evaluate(self, boards: Sequence[Board]) -> Evaluation:
        planes = np.stack([_core.encode(board.core, self.encoding) for board in boards])
        logits, value = self.run(planes)
        return Evaluation(masked_softmax(logits, legal_mask(boards)), np.clip(value, -1, 1))


def open_session(source: Path | str | bytes, name: str, threads: int) -> Any:
    import onnxruntime

    if not isinstance(source, bytes) and not Path(source).is_file():
        raise TengenError(f"there is no network file {name}")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    model = source if isinstance(source, bytes) else str(source)
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        reason = str(error).splitlines()[0]
        raise TengenError(f"{name} is not a readable network: {reason}") from None

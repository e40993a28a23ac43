"""Networks by onnxruntime: one thread each, no spinning, so that workers share a machine fairly."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tengen import _core
from tengen.board import Board
from tengen.errors import TengenError
from tengen.inference.base import Floats
from tengen.inference.models import Model, ModelError

CPU = "cpu"
"""The provider that every machine has."""


class OnnxEvaluator:
    """A network with input `planes` [B, C, H, W] and outputs `policy` [B, A] and `value` [B], from a file or its bytes.

    Raises TengenError for a file that is not such a network.
    """

    def __init__(self, source: Path | str | bytes, threads: int = 1, provider: str = CPU) -> None:
        self.name = "the network" if isinstance(source, bytes) else str(source)
        self._session = open_session(source, self.name, threads, provider)
        names = {output.name for output in self._session.get_outputs()}
        inputs = [i.name for i in self._session.get_inputs()]
        if inputs != ["planes"] or not {"policy", "value"} <= names:
            raise TengenError(
                f"{self.name} is not a Gomoku network: it needs one input 'planes' and outputs 'policy' and 'value'"
            )

    @classmethod
    def of_model(cls, model: Model, threads: int = 1, provider: str = CPU) -> OnnxEvaluator:
        """The network of a model, tried once on the board of its card: what cannot be used is known before a game."""
        evaluator = _kept(model.source, None if model.data else model.path.stat().st_mtime_ns, threads, provider)
        board = Board(model.variant)
        planes = _core.encode(board.core, model.encoding)[None]
        try:
            policy, value = evaluator.run(planes)
        except Exception as error:  # onnxruntime's own, of many kinds and lines
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise ModelError(f"model '{model.name}' does not fit its card: {reason}") from None
        if policy.shape != (1, board.cells) or value.shape != (1,):
            raise ModelError(f"model '{model.name}' does not fit its card: not a network for {model.variant.size}")
        if not (np.isfinite(policy).all() and np.isfinite(value).all()):
            raise ModelError(f"model '{model.name}' answers with numbers that are not finite")
        return evaluator

    def run(self, planes: Floats) -> tuple[Floats, Floats]:
        """Logits [B, A] and values [B] for the side to move."""
        policy, value = self._session.run(["policy", "value"], {"planes": planes})
        return policy, value.reshape(-1)


@lru_cache(maxsize=4)
def _kept(source: Path | bytes, changed: int | None, threads: int, provider: str) -> OnnxEvaluator:
    """Sessions stay open between games: players that come and go share them, also from several threads."""
    return OnnxEvaluator(source, threads, provider)


def providers(name: str) -> list[str]:
    """onnxruntime's name for a provider such as `cuda`, the processor behind it. `auto`: the best that is there.

    Raises TengenError with those that exist for another one.
    """
    import onnxruntime

    found = {text.removesuffix("ExecutionProvider").lower(): text for text in onnxruntime.get_available_providers()}
    first = next(iter(found)) if name == "auto" else name
    if first not in found:
        raise TengenError(f"provider '{name}' is not available here; choose auto or one of {', '.join(found)}")
    return list(dict.fromkeys((found[first], found[CPU])))


def open_session(source: Path | str | bytes, name: str, threads: int, provider: str = CPU) -> Any:
    import onnxruntime

    if not isinstance(source, bytes) and not Path(source).is_file():
        raise TengenError(f"there is no network file {name}")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    model, chain = source if isinstance(source, bytes) else str(source), providers(provider)
    try:
        return onnxruntime.InferenceSession(model, options, providers=chain)
    except Exception as error:
        reason = str(error).splitlines()[0]
        raise TengenError(f"{name} is not a readable network: {reason}") from None

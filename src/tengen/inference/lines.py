"""Line networks as files: no torch, no onnxruntime.

A file is in the safetensors format: eight bytes of length, a JSON header, the numbers. The table and its bias are the
integers that the core plays with (512 stands for 1), the heads are float32. docs/lines.md names every array.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen import _core
from tengen.errors import TengenError, clip
from tengen.files import parse_json
from tengen.inference.base import Floats

FORMAT, VERSION = "tengen-lines", "1"
UNIT = 512
"""What stands for 1 in the table and its bias."""
INTEGERS = ("table", "bias")
Tensors = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class LineShape:
    """What decides the arrays of a line network."""

    k: int = 5
    rule: str = "freestyle"
    channels: int = 32
    hidden: int = 32

    def __str__(self) -> str:
        return f"{self.rule} with k = {self.k}, {self.channels} channels and {self.hidden} hidden units"

    def tensors(self) -> dict[str, tuple[int, ...]]:
        """Names and extents, in the order of the flat weights."""
        return {name: tuple(e) for name, e in _core.line_tensors(self.k, self.rule, self.channels, self.hidden)}

    def split(self, weights: Floats) -> Tensors:
        """Flat weights as named arrays."""
        extents = self.tensors()
        ends = np.cumsum([math.prod(e) for e in extents.values()])
        parts = np.split(weights, ends[:-1])
        return {name: part.reshape(e) for (name, e), part in zip(extents.items(), parts, strict=True)}

    def flat(self, tensors: Mapping[str, NDArray[Any]]) -> Floats:
        return np.concatenate([np.asarray(tensors[name], np.float32).ravel() for name in self.tensors()])

    def network(self, weights: Floats) -> _core.LineNetwork:
        return _core.LineNetwork(self.k, self.rule, self.channels, self.hidden, weights)


def to_bytes(shape: LineShape, weights: Floats) -> bytes:
    """The file of a network. Rounds the table as the core does, so that the file plays as the weights do."""
    header: dict[str, Any] = {"__metadata__": {"format": FORMAT, "version": VERSION} | _described(shape)}
    body = b""
    for name, array in shape.split(np.asarray(weights, np.float32)).items():
        data = np.rint(array * UNIT).astype("<i2") if name in INTEGERS else array.astype("<f4")
        kind = "I16" if name in INTEGERS else "F32"
        header[name] = {
            "dtype": kind,
            "shape": list(array.shape),
            "data_offsets": [len(body), len(body) + data.nbytes],
        }
        body += data.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + body


def from_bytes(data: bytes, name: str) -> tuple[LineShape, Tensors]:
    """Raises TengenError for a file that is damaged, of another kind or of another version."""
    header, body = _parts(data, name)
    about = header.pop("__metadata__", {})
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise TengenError(f"{name} is not a line network")
    if about.get("version") != VERSION:
        raise TengenError(f"{name} is a line network of version {about.get('version')}; this tengen reads {VERSION}")
    try:
        shape = LineShape(int(about["k"]), str(about["rule"]), int(about["channels"]), int(about["hidden"]))
        return shape, {key: _array(header[key], body, extents) for key, extents in shape.tensors().items()}
    except (KeyError, ValueError, TypeError) as error:
        raise TengenError(f"{name} is not a whole line network: {clip(error, 120)}") from None


def load_network(source: Path | bytes, name: str = "") -> _core.LineNetwork:
    """A network of a file or of the bytes of one. The last ones stay loaded, since players come and go."""
    if isinstance(source, bytes):
        return _loaded(source, name)
    return _loaded(source.read_bytes(), name or source.name)


@lru_cache(maxsize=4)
def _loaded(data: bytes, name: str) -> _core.LineNetwork:
    shape, tensors = from_bytes(data, name)
    try:
        return shape.network(shape.flat(tensors))
    except ValueError as error:
        raise TengenError(f"{name}: {error}") from None


def _described(shape: LineShape) -> dict[str, str]:
    return {
        "k": str(shape.k),
        "rule": shape.rule,
        "channels": str(shape.channels),
        "hidden": str(shape.hidden),
    }


def _parts(data: bytes, name: str) -> tuple[dict[str, Any], bytes]:
    length = int.from_bytes(data[:8], "little")
    try:
        header = parse_json(data[8 : 8 + length])
    except TengenError:
        header = None
    if not isinstance(header, dict) or 8 + length > len(data):
        raise TengenError(f"{name} is not a safetensors file, or it is cut short")
    return header, data[8 + length :]


def _array(about: Mapping[str, Any], body: bytes, extents: tuple[int, ...]) -> NDArray[np.float32]:
    start, end = about["data_offsets"]
    if tuple(about["shape"]) != extents:
        raise ValueError(f"an array has extents {about['shape']}, not {list(extents)}")
    kind = {"I16": "<i2", "F32": "<f4"}[about["dtype"]]
    array = np.frombuffer(body[start:end], kind).reshape(extents)
    return (array / UNIT if kind == "<i2" else array).astype(np.float32)

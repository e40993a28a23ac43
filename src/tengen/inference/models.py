"""Networks as files: NAME.onnx, or NAME.safetensors for a line network, with the card NAME.json. No torch.

They are bundled in tengen/models, lie in the folder `models` of the user's data folder, or anywhere else.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tengen.board import Board
from tengen.errors import TengenError
from tengen.files import data_folder, read_object
from tengen.rules import Rule, Variant

BUNDLED = Path(__file__).resolve().parent.parent / "models"
NATIVE = ".safetensors"
"""The ending of a line network's file."""
SUFFIXES = (".onnx", NATIVE)
UNTRAINED = ":untrained"
"""After a model's name: the same network with the weights it would begin with."""

ENGINE_NETWORKS = {Rule.FREESTYLE: "lines", Rule.STANDARD: "lines-standard", Rule.RENJU: "lines-renju"}
"""Under renju the network gains nothing at equal time, and caro has none: docs/alphabeta.md."""


class ModelError(TengenError):
    """A model that cannot be loaded or does not fit; the message says what would."""


@dataclass(frozen=True, slots=True)
class Model:
    """A network and what its card says about it. `path` is the network's file, or only a name for `data`."""

    name: str
    path: Path
    encoding: str
    variant: Variant
    """What it was trained for."""
    size_free: bool
    """It plays other sizes of the same game too."""
    card: dict[str, Any] = field(default_factory=dict)
    data: bytes | None = field(default=None, repr=False)
    """The network itself where it lies in no file."""

    @property
    def source(self) -> Path | bytes:
        return self.path if self.data is None else self.data

    @property
    def checksum(self) -> str:
        return file_sha256(self.path) if self.data is None else hashlib.sha256(self.data).hexdigest()

    @property
    def native(self) -> bool:
        """A line network, which the core runs."""
        return self.path.suffix == NATIVE

    def check_board(self, board: Board) -> None:
        """Raises ModelError for a board the network was not made for."""
        own, other = self.variant, board.variant
        if other.k != own.k:
            raise ModelError(f"model '{self.name}' plays {own.k} in a row, not {other.k}")
        if other.rule != own.rule:
            raise ModelError(f"model '{self.name}' plays {own.rule}, not {other.rule}{_instead(self, board)}")
        if not self.size_free and other.size != own.size:
            raise ModelError(f"model '{self.name}' plays {own.size}, not {other.size}")


def bundled_models() -> list[str]:
    """Names of the networks that come with the package."""
    return _names(BUNDLED)


def engine_network(variant: Variant) -> Model | None:
    """The bundled line network with which alphabeta plays a variant better, at equal time, than by its tables alone."""
    name = ENGINE_NETWORKS.get(variant.rule)
    return load_model(name) if name and variant.k == 5 else None


def load_line_model(name: str) -> Model:
    """A line network by name or path; raises ModelError for a network of another kind."""
    model = load_model(name)
    if not model.native:
        raise ModelError(f"alphabeta takes line networks, and '{name}' is none; the bundled ones begin with 'lines'")
    return model


def _instead(model: Model, board: Board) -> str:
    """The bundled model of the same family that does play the rule, if there is one."""
    name = f"{model.name.partition('-')[0]}-{board.rule}"
    return f"; {name} does" if name in bundled_models() else ""


def user_folder() -> Path:
    """Where `tengen export` puts models, and where they are found by name."""
    return data_folder() / "models"


def user_models() -> list[str]:
    """Names of the user's own models."""
    return _names(user_folder())


def _names(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*") if path.suffix in SUFFIXES)


def load_model(name_or_path: str | Path) -> Model:
    """A bundled model or one's own by name, or any model by the path of its file or of its card; as a control the same
    network before it learned, `base-9:untrained`.

    Checks card and checksum.
    """
    name = str(name_or_path)
    if name.endswith(UNTRAINED):
        return untrained(load_model(name.removesuffix(UNTRAINED)))
    path = _find(name)
    card = _read_card(path.with_suffix(".json"))
    _check_sum(path, card)
    return _described(path, card, None)


def model_from_bytes(data: bytes, card: dict[str, Any], suffix: str = ".onnx") -> Model:
    """A model that was never written to a file; `suffix` says what kind of network it is."""
    return _described(Path(f"{card.get('name', 'network')}{suffix}"), card, data)


def untrained(model: Model, seed: int = 1) -> Model:
    """The same network with the weights it would begin with; of the card's figures only those that are its own."""
    if model.card.get("method") not in ("alphazero", "lines"):
        raise ModelError(f"model '{model.name}' has no untrained control: its card names no recipe of a policy network")
    from tengen.inference.untrained import line_weights, onnx_weights

    tactics = {key.replace("untrained/", "search/"): value for key, value in model.card.get("tactics", {}).items()
               if key.startswith("untrained/")}  # fmt: skip
    card = {key: value for key, value in model.card.items() if key not in ("strength", "ladder")}
    card |= {"name": model.name + UNTRAINED, "tactics": tactics}
    weights = (line_weights if model.native else onnx_weights)(model.card, model.variant, seed)
    return model_from_bytes(weights, card, model.path.suffix)


def _described(path: Path, card: dict[str, Any], data: bytes | None) -> Model:
    try:
        return Model(
            name=str(card["name"]),
            path=path,
            encoding=str(card["encoding"]),
            variant=Variant(int(card["width"]), int(card["height"]), int(card["k"]), card["rule"]),
            size_free=bool(card.get("size_free", False)),
            card=card,
            data=data,
        )
    except KeyError as error:
        raise ModelError(f"the card of {path.name} is not complete: {error} is missing") from None
    except (ValueError, TypeError, OverflowError) as error:
        raise ModelError(f"the card of {path.name} is wrong: {error}") from None


def file_sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _find(text: str) -> Path:
    path = Path(text).expanduser()
    if path.suffix in {*SUFFIXES, ".json"}:
        ends = SUFFIXES if path.suffix == ".json" else (path.suffix,)
        for file in (path.with_suffix(end) for end in ends):
            if file.is_file():
                return file
        raise ModelError(f"there is no model file {path.with_suffix(ends[0])}")
    for folder in (path.parent, BUNDLED, user_folder()):
        for file in (folder / f"{path.name}{end}" for end in SUFFIXES):
            if file.is_file() and (folder == path.parent or path.name == text):
                return file
    known = ", ".join(bundled_models()) or "none yet"
    own = f"; your models: {', '.join(mine)}" if (mine := user_models()) else ""
    raise ModelError(
        f"unknown model '{text}'; bundled models: {known}{own}; or give the path of an .onnx or {NATIVE} file"
    )


def _read_card(path: Path) -> dict[str, Any]:
    try:
        return read_object(path)
    except FileNotFoundError:
        raise ModelError(f"the model has no card; {path.name} should lie beside the network's file") from None
    except TengenError as error:
        raise ModelError(f"{path} is not a model card: {error}") from None


def _check_sum(path: Path, card: dict[str, Any]) -> None:
    expected = card.get("sha256") or card.get("onnx_sha256")
    if expected and file_sha256(path) != expected:
        raise ModelError(f"{path.name} is damaged or does not belong to its card: the checksum differs")

"""Networks the page may name: those that come with the package, and those exported from runs of this server."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tengen.inference.models import SUFFIXES, Model, bundled_models, load_model
from tengen.registry import PLAYERS, parse_spec

DEFAULT_PLAYER = "alphazero"

_exports: Path | None = None


def keep_exports_in(folder: Path) -> None:
    """Networks of this folder are offered too, by their names."""
    global _exports
    _exports = folder
    network.cache_clear()


def network_names() -> list[str]:
    return [*bundled_models(), *sorted(_exported())]


@cache
def network(name: str) -> Model:
    """Its checksum is checked once."""
    return load_model(_exported().get(name, name))


def browser_file(model: Model) -> str | None:
    """The name under which pages get a network that the browser's engine plays. It is named after its contents, so that
    browsers may keep it for ever.
    """
    return f"{model.name}-{model.card['sha256'][:8]}.safetensors" if model.native else None


def file_called(name: str) -> Path | None:
    """The network that pages call so."""
    models = map(network, network_names())
    return next((model.path for model in models if browser_file(model) == name), None)


def player_of(model: Model) -> str:
    """Who plays the network: the player of its method's name, else the tree search."""
    method = str(model.card.get("method", DEFAULT_PLAYER))
    return method if method in PLAYERS else DEFAULT_PLAYER


def located(spec: str) -> str:
    """The spec with the file of an exported network in place of its name, for processes that do not know the folder."""
    name, values = parse_spec(spec)
    path = _exported().get(str(values.get("model", "")))
    if path is None:
        return spec
    options = (f"{key}={path if key == 'model' else value}" for key, value in values.items())
    return f"{name}:{','.join(options)}"


def _exported() -> dict[str, Path]:
    files = _exports.glob("*") if _exports and _exports.is_dir() else ()
    return {path.stem: path for path in files if path.suffix in SUFFIXES}

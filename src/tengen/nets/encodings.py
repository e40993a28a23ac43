"""Input planes by name: those of the core, and those that packages and files of one's own derive from them.

A derived encoding is a torch module in front of the network. It is exported with it, so whoever plays the model needs
the core's planes alone:

    @tengen.encoding("no-turn")
    class NoTurn(torch.nn.Module):
        base, planes = "stones", 3

        def forward(self, planes):
            return planes[:, :3]
"""

from __future__ import annotations

from typing import Any, Protocol, cast

from torch import Tensor, nn

from tengen import _core
from tengen.errors import TengenError
from tengen.plugins import ENCODINGS, PluginError, discover

CORE = ("stones", "shapes")
"""Encodings that the core computes and networks take."""


class Encoding(Protocol):
    """A class whose instances turn planes [B, C, H, W] of `base` into [B, planes, H, W]."""

    base: str
    planes: int

    def __call__(self, planes: Tensor) -> Tensor: ...


class TwoStones(nn.Module):
    """Own and the opponent's stones alone, as the vectorised environment shows them."""

    base, planes = "stones", 2

    def forward(self, planes: Tensor) -> Tensor:
        return planes[:, :2]


BUILT_IN: dict[str, type[Encoding]] = {"two-stones": TwoStones}


def encoding_names() -> list[str]:
    known = [*CORE, *BUILT_IN]
    return [*known, *sorted(discover(ENCODINGS).plugins.keys() - set(known))]


def derived(name: str) -> type[Encoding] | None:
    """The class of a derived encoding; None for one of the core. Raises TengenError with the known names."""
    if name in CORE:
        return None
    if name in BUILT_IN:
        return BUILT_IN[name]
    plugin = discover(ENCODINGS).plugins.get(name)
    if plugin is None:
        raise TengenError(f"unknown encoding '{name}'; choose one of {', '.join(encoding_names())}")
    thing: Any = plugin.load()
    planes = getattr(thing, "planes", None)
    if getattr(thing, "base", None) not in CORE or not isinstance(planes, int) or planes < 1:
        raise PluginError(
            f"encoding '{name}' of {plugin.source}: its class needs base = {' or '.join(map(repr, CORE))}, and planes"
        )
    return cast(type[Encoding], thing)


def core_encoding(name: str) -> str:
    """The planes of the core behind an encoding, which self-play and players compute."""
    found = derived(name)
    return found.base if found else name


def encoding_planes(name: str) -> int:
    """How many planes a network gets."""
    found = derived(name)
    return found.planes if found else _core.encoding_planes(name)

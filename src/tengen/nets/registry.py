"""Networks by name: the built-in ones, and those of packages and files outside of this tree (`tengen.plugins`).

A package offers a network by an entry point of the group `tengen.networks`, a file by `@tengen.network("mine")`. What
such a class must have is written in `tengen.nets.body.Body`.
"""

from __future__ import annotations

from importlib import import_module
from typing import cast

from tengen.errors import TengenError
from tengen.nets.body import Body, Options
from tengen.plugins import NETWORKS, Plugin, PluginError, discover

BUILT_IN = {
    "base": "tengen.nets.base:BaseNet",
    "compact": "tengen.nets.compact:CompactNet",
    "enhanced": "tengen.nets.enhanced:EnhancedNet",
    "tengen": "tengen.nets.tengen:TengenNet",
}
"""Name -> module:class, as in an entry point."""


def network_names() -> list[str]:
    return [*BUILT_IN, *sorted(discover(NETWORKS).plugins.keys() - BUILT_IN.keys())]


def network_class(name: str) -> type[Body]:
    """The class of a network. Raises TengenError with the known names for another one."""
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        return cast(type[Body], getattr(import_module(module), attribute))
    if plugin := discover(NETWORKS).plugins.get(name):
        return _checked(plugin)
    raise TengenError(f"unknown network '{name}'; choose one of {', '.join(network_names())}")


def _checked(plugin: Plugin) -> type[Body]:
    """Raises for a class that does not say what a network must."""
    network = plugin.load()
    kinds = {"size_free": bool, "encodings": tuple, "options": type}
    wrong = [key for key, kind in kinds.items() if not isinstance(getattr(network, key, None), kind)]
    if wrong or not issubclass(network.options, Options):  # type: ignore[attr-defined]
        what = wrong[0] if wrong else "options"
        raise PluginError(f"network '{plugin.name}' of {plugin.source}: its class lacks {what}, see tengen.nets.body")
    return cast(type[Body], network)

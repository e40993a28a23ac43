"""`tengen players`: what can be named wherever a player is asked for."""

from __future__ import annotations

from tengen.cli import options as o
from tengen.registry import players, problems


def command(import_: o.Import = None) -> None:
    """List the players and their options."""
    for name, player in players().items():
        print(f"{name}: {player.help}")
        for key, option in player.options.items():
            default = ("off", "on")[option.default] if isinstance(option.default, bool) else option.default
            print(f"    {key}={default}  {option.help}")
    for problem in problems():
        print(f"\n{problem}")

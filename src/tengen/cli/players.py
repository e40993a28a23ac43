"""`tengen players`: what can be named wherever a player is asked for."""

from __future__ import annotations

from tengen.registry import players, problems


def command() -> None:
    """List the players and their options."""
    for name, player in players().items():
        print(f"{name}: {player.help}")
        for key, option in player.options.items():
            default = ("off", "on")[option.default] if isinstance(option.default, bool) else option.default
            print(f"    {key}={default}  {option.help}")
    for problem in problems():
        print(f"\n{problem}")

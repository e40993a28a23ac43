"""`tengen engine SPEC`: any player as a Gomocup engine."""

from __future__ import annotations

from typing import Annotated

import typer

from tengen.cli.pbrain import DEFAULT_SPEC, serve


def command(
    spec: Annotated[str, typer.Argument(help="the player, such as minimax:depth=3")] = DEFAULT_SPEC,
) -> None:
    """Run any player as a Gomocup engine on standard input and output."""
    serve(spec)

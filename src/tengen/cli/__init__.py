"""The `tengen` command. One module per command, imported only when it is called."""

from __future__ import annotations

from tengen.cli.interrupts import leave_on_interrupt


def main(argv: list[str] | None = None) -> None:
    """The console script. Takes care of Ctrl-C before it imports anything that takes time."""
    leave_on_interrupt()
    from tengen.cli.app import main as run

    run(argv)

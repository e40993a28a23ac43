"""The table of commands: name -> module with a typer app or function `command`, loaded when it is called."""

from __future__ import annotations

import importlib
import sys

from tengen.errors import TengenError

COMMANDS: dict[str, tuple[str, str]] = {
    # name: (module in tengen.cli, help line)
    "play": ("play", "play in a browser (or --terminal)"),
    "serve": ("serve", "serve the page: play, analyse, review, watch, train"),
    "players": ("players", "list the players and their options"),
    "solve": ("solve", "find forced wins in the positions of a file"),
    "match": ("match", "play two players against each other"),
    "terminal": ("terminal", "play in the terminal against any player"),
    "engine": ("engine", "speak the Gomocup protocol with any player"),
    "sprt": ("sprt", "test whether one player is stronger than another, stopping by itself"),
    "ab": ("ab", "test a change to the engine against another build of it"),
    "data": ("data", "games of the engine to learn from, and its numbers learned from them"),
    "rate": ("rate", "rate the players of any record files"),
    "tournament": ("tournament", "round robin or gauntlet of many players"),
    "train": ("train", "learn to play by self-play, stop and resume at will"),
    "games": ("games", "let players play games to learn from"),
    "features": ("features", "store the positions of games with their shapes, as arrays"),
    "runs": ("runs", "list training runs"),
    "plot": ("plot", "draw the curves of a training run"),
    "export": ("export", "make a model that can play from a training run"),
    "report": ("report", "a page with charts, tables and games from record files"),
    "bench": ("bench", "measure the core: speeds, ratios, signature"),
    "reproduce": ("reproduce", "reproduce published experiments"),
    "calibrate": ("calibrate", "measure the levels again"),
}


def main(argv: list[str] | None = None) -> None:
    """Runs one command. A user's mistake ends in one line on stderr and exit code 2."""
    args = list(sys.argv[1:] if argv is None else argv)
    if not args or args[0] in {"-h", "--help"}:
        print(_overview())
        return
    if args[0] == "--version":
        from tengen import __version__

        print(f"tengen {__version__}")
        return
    if args[0] not in COMMANDS:
        _fail(f"unknown command '{args[0]}'; choose one of {', '.join(COMMANDS)}")
    _run(args[0], args[1:])


def _run(name: str, args: list[str]) -> None:
    import typer

    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(name)(importlib.import_module(f"tengen.cli.{COMMANDS[name][0]}").command)
    try:
        app(args=args, prog_name=f"tengen {name}")
    except (TengenError, OSError) as error:
        _fail(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


def _fail(message: str) -> None:
    print(f"tengen: {message}", file=sys.stderr)
    sys.exit(2)


def _overview() -> str:
    rows = [f"  {name:12} {text}" for name, (_, text) in COMMANDS.items()]
    return "\n".join(["usage: tengen COMMAND [OPTIONS]   (tengen COMMAND --help tells more)", "", *rows])

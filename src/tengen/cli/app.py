"""The table of commands, and how errors are reported: a user's in one line, ours with a traceback."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

from tengen.cli.console import lose_output, tolerate_encodings
from tengen.cli.interrupts import leave_on_interrupt, raise_on_interrupt
from tengen.errors import TengenError

GROUPS: dict[str, dict[str, str]] = {
    # A command's module in tengen.cli has its name and holds a function `command`.
    "Play": {
        "play": "play in a browser (or --terminal)",
        "terminal": "play in the terminal against any player",
        "serve": "serve the web page without opening a browser",
        "players": "list the players and their options",
        "engine": "run any player as a Gomocup engine",
        "review": "review every move of a game, with reasons",
        "solve": "find forced wins in the positions of a file",
        "puzzles": "make puzzles from games; check, rate or list them",
        "book": "make an opening book and look up positions",
        "library": "import, list and export the games of your library",
    },
    "Measure": {
        "match": "play a match between two players",
        "tournament": "play a round robin or gauntlet",
        "sprt": "test whether one player is stronger than another, with as few games as possible",
        "rate": "rate the players of record files",
        "probe": "test which tactics networks see without the solver",
        "report": "write a page with charts, tables and games from record files",
        "calibrate": "measure the ratings of the levels",
        "reproduce": "reproduce published experiments",
        "results": "check published figures against their records",
    },
    "Train": {
        "train": "train a network by self-play; can be stopped and resumed",
        "sweep": "compare training settings over several seeds",
        "runs": "list training runs",
        "plot": "plot the learning curves of a run",
        "export": "export the network of a run as a model that players can load",
        "games": "generate training games with any players",
        "features": "store the positions of games as arrays",
    },
    "Develop": {
        "bench": "measure the speed of the core and print its signature",
        "ab": "test a change to the alphabeta engine against another build",
        "spsa": "tune constants of the alphabeta engine by self-play",
        "data": "generate engine games and fit the evaluation to them",
    },
}
COMMANDS = {name: text for group in GROUPS.values() for name, text in group.items()}


def main(argv: list[str] | None = None) -> None:
    """Runs one command. Exit codes: 0, 2 for a user's mistake, 130 for Ctrl-C, 1 with a traceback for a bug."""
    args = list(sys.argv[1:] if argv is None else argv)
    tolerate_encodings()
    try:
        code = _dispatch(args)
        leave_on_interrupt()
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has seen enough
        lose_output()
        sys.exit(1)
    except TengenError as error:
        _fail(str(error))
    except OSError as error:
        _fail(_what_failed(error))
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(code)


def _dispatch(args: list[str]) -> int:
    if not args or args[0] in {"-h", "--help"}:
        print(_overview())
        return 0
    if args[0] == "--version":
        from tengen import __version__

        print(f"tengen {__version__}")
        return 0
    if args[0] not in COMMANDS:
        raise TengenError(f"unknown command '{args[0]}'; choose one of {', '.join(COMMANDS)}")
    for arg in args:
        if any("\ud800" <= letter <= "\udfff" for letter in arg):
            raise TengenError(f"an argument is not valid UTF-8: {arg}")
    return _run(args[0], args[1:])


def _run(name: str, args: list[str]) -> int:
    import typer

    module = importlib.import_module(f"tengen.cli.{name}")
    usage_error: Any = typer.BadParameter.mro()[2]  # ClickException, of the click that typer brings or uses
    try:
        return int(_parser(name, module.command)(args=args, prog_name=f"tengen {name}", standalone_mode=False) or 0)
    except usage_error as error:
        raise TengenError(_sentence(error.format_message())) from None
    except typer.Abort:
        raise KeyboardInterrupt from None


def _parser(name: str, function: Callable[..., None]) -> Any:
    """The function as a command; Ctrl-C reaches it once its arguments are read."""
    import typer

    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(name)(function)
    command: Any = typer.main.get_command(app)
    body = command.callback

    def call(**values: Any) -> Any:
        raise_on_interrupt()
        return body(**values)

    command.callback = call
    return command


def _sentence(text: str) -> str:
    """`Invalid value for '--k': 'x' is not a valid integer.` as it reads after `tengen: `."""
    text = " ".join(text.split()).rstrip(".")
    return text[:1].lower() + text[1:]


def _what_failed(error: OSError) -> str:
    """`games.jsonl: No space left on device`."""
    if error.strerror is None:
        return str(error)
    if error.filename is None:
        lose_output()
        return f"cannot write the output: {error.strerror}"
    return f"{error.filename}: {error.strerror}"


def _fail(message: str) -> None:
    print(f"tengen: {message}", file=sys.stderr)
    sys.exit(2)


def _overview() -> str:
    lines = ["usage: tengen COMMAND [OPTIONS]", "", "`tengen COMMAND --help` describes a command."]
    for group, commands in GROUPS.items():
        lines += ["", f"{group}:", *(f"  {name:12}{text}" for name, text in commands.items())]
    return "\n".join(lines)

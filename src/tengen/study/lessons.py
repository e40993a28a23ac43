"""Short interactive lessons, one TOML file each: read a sentence, place the stone, see why.

A step shows a position and asks for a move. `goal` says what the move must do and `accept` lists every move that does
it; `accepted_moves` computes the list from the goal, and the tests compare the two, so a lesson cannot teach a mistake.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tengen import _core
from tengen.board import Board
from tengen.errors import TengenError
from tengen.players.solver import Mode
from tengen.rules import Color, Move, Rule, Variant, parse_move, parse_moves
from tengen.study.forced import ForcedPlay, fives, played

LANGUAGES = ("en", "zh")
Text = dict[str, str]
"""The same words in every language of `LANGUAGES`."""


@dataclass(frozen=True, slots=True)
class Step:
    text: Text
    board: Board
    """The position shown; the side to move is the learner's."""
    goal: str
    accept: tuple[Move, ...]
    """Empty: there is nothing to play, the learner reads on."""
    done: Text
    wrong: Text
    answer: Move | None
    """What the opponent replies to a right move; the next step goes on from there."""


@dataclass(frozen=True, slots=True)
class Lesson:
    id: str
    title: Text
    minutes: int
    steps: tuple[Step, ...]


def load_lessons() -> list[Lesson]:
    """The bundled lessons in the order in which they are taught."""
    folder = resources.files("tengen.study") / "data" / "lessons"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return [parse_lesson(file.read_text(encoding="utf-8"), file.name) for file in files]


def parse_lesson(text: str, name: str) -> Lesson:
    try:
        data = tomllib.loads(text)
        steps: list[Step] = []
        for row in data["steps"]:
            steps.append(_step(row, steps[-1] if steps else None))
        return Lesson(data["id"], _text(data["title"]), int(data["minutes"]), tuple(steps))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise TengenError(f"lesson {name}: {error}") from None


def _step(row: dict[str, Any], before: Step | None) -> Step:
    board = _continued(before) if row.get("continues") else _set_up(row)
    accept = tuple(parse_move(cell, board.width, board.height) for cell in row["accept"])
    if row["goal"] not in GOALS:
        raise TengenError(f"unknown goal '{row['goal']}'; choose one of {', '.join(GOALS)}")
    words = {key: _text(row[key]) if accept else dict.fromkeys(LANGUAGES, "") for key in ("done", "wrong")}
    answer = parse_move(row["answer"], board.width, board.height) if "answer" in row else None
    return Step(_text(row["text"]), board, row["goal"], accept, words["done"], words["wrong"], answer)


def _set_up(row: dict[str, Any]) -> Board:
    variant = Variant(rule=Rule(row.get("rule", Rule.FREESTYLE)))
    black, white = (parse_moves(row[side], variant.width, variant.height) for side in ("black", "white"))
    return Board.from_stones(black, white, Color[row.get("turn", "black").upper()], variant)


def _continued(before: Step | None) -> Board:
    if before is None or before.answer is None or len(before.accept) != 1:
        raise TengenError("a step that continues needs a step before it with one right move and its answer")
    board = before.board.copy()
    board.play(before.accept[0])
    board.play(before.answer)
    return board


def _text(words: dict[str, str]) -> Text:
    if set(words) != set(LANGUAGES) or not all(words.values()):
        raise TengenError(f"every text is needed in {' and '.join(LANGUAGES)}")
    return words


# What a move must do to reach a goal.


def accepted_moves(board: Board, goal: str) -> tuple[Move, ...]:
    """Every cell that reaches the goal for the side to move, in order."""
    reaches = GOALS[goal]
    return tuple(m for m in range(board.cells) if board.at(m) is None and reaches(board, m))


@cache
def _forced() -> ForcedPlay:
    return ForcedPlay(nodes=500_000)  # settles every move of the bundled lessons


def _makes_five(board: Board, move: Move) -> bool:
    return board.is_legal(move) and played(board, move).outcome() is not None


def _makes_open_four(board: Board, move: Move) -> bool:
    return board.is_legal(move) and len(fives(played(board, move), board.turn)) >= 2


def _makes_four(board: Board, move: Move) -> bool:
    return board.is_legal(move) and len(fives(played(board, move), board.turn)) == 1


def _stops_five(board: Board, move: Move) -> bool:
    return board.is_legal(move) and not fives(played(board, move), board.turn.other)


def _stops_fours(board: Board, move: Move) -> bool:
    """The opponent has no win by fours any more, after our own fours and their answers too."""
    if not board.is_legal(move):
        return False
    after = played(board, move)
    if blocks := fives(after, board.turn):
        return len(blocks) > 1 or any(_stops_fours(played(after, blocks[0]), m) for m in range(board.cells))
    return _forced().none(after, Mode.VCF)


def _wins(mode: Mode) -> Callable[[Board, Move], bool]:
    return lambda board, move: board.is_legal(move) and _forced().is_winning(board, move, mode)


def _makes_double_three(board: Board, move: Move) -> bool:
    """Two open threes with one stone, and the defender has no way out."""
    shapes = board.core.shapes(int(board.turn), move)
    return shapes.count(_core.Shape.OPEN_THREE) >= 2 and _wins(Mode.VCT)(board, move)


def _is_forbidden(board: Board, move: Move) -> bool:
    return move in board.forbidden()


def _is_near(board: Board, move: Move) -> bool:
    row, col = divmod(move, board.width)
    stones = [divmod(m, board.width) for m in range(board.cells) if board.at(m) is not None]
    return board.is_legal(move) and any(max(abs(row - r), abs(col - c)) == 1 for r, c in stones)


GOALS: dict[str, Callable[[Board, Move], bool]] = {
    "none": lambda board, move: False,
    "five": _makes_five,
    "stop_five": _stops_five,
    "makes_four": _makes_four,
    "open_four": _makes_open_four,
    "five_or_open_four": lambda board, move: _makes_five(board, move) or _makes_open_four(board, move),
    "stop_fours": _stops_fours,
    "win_by_fours": _wins(Mode.VCF),
    "win_by_threats": _wins(Mode.VCT),
    "double_three": _makes_double_three,
    "forbidden": _is_forbidden,
    "near": _is_near,
}
"""Name -> whether a move reaches it."""

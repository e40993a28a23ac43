"""Games of the page to and from the file formats of other programs."""

from __future__ import annotations

import math
import re
import time

from tengen.board import Board
from tengen.errors import TengenError
from tengen.formats import GameTree, Suggestion, parse_games
from tengen.formats import Node as FileNode
from tengen.formats.postext import format_text
from tengen.formats.psq import format_psq
from tengen.formats.sgf import format_sgf
from tengen.rules import Color, Value, Variant
from tengen.study.verdicts import Look, Mark, judge
from tengen.web.game import MAX_NODES, ROOT, Game, Node
from tengen.web.messages import ImportRecord, Settings, SetUp
from tengen.web.notes import Note
from tengen.web.snapshot import new_id

FORMATS = ("sgf", "psq", "pos")
MAX_COMMENT = 2000
MAX_NAME = 80
SGF_MARKS = {Mark.INACCURACY: ("DO", ""), Mark.MISTAKE: ("BM", "1")} | dict.fromkeys(
    (Mark.BLUNDER, Mark.MISSED_WIN, Mark.ALLOWED_WIN), ("BM", "2")
)
"""How SGF itself calls our judgements: a doubtful move, a bad move, a very bad move."""


def import_game(request: ImportRecord) -> Game:
    """The first game of a text. Cells alone are for the board and the rule on show; a text that names its game is taken
    at its word. Raises ValueError with the line or node that is wrong.
    """
    text = request.text.lstrip("\ufeff \t\r\n")
    if re.match(r"[A-Za-z]\d", text):
        text = f"{Variant(request.width, request.height, request.k, request.rule)} {text}"
    return game_of(parse_games(text, request.rule)[0])


def game_of(tree: GameTree) -> Game:
    """Every move is checked against the rule on the way in."""
    settings = Settings.of(tree.variant)
    setup = None
    if tree.black_stones or tree.white_stones or tree.first != Color.BLACK:
        turn = "black" if tree.first == Color.BLACK else "white"
        setup = SetUp.model_validate({"black": tree.black_stones, "white": tree.white_stones, "turn": turn})
    game = Game(new_id(), settings, setup)
    game.names = (tree.black[:MAX_NAME], tree.white[:MAX_NAME])
    _keep_note(game.nodes[ROOT].note, tree.root, tree.first)
    start = game.position(ROOT).board()
    stack = [(tree.root, ROOT, start)]
    while stack:
        node, id, board = stack.pop()
        if board.outcome():  # some files go on after five: the game ends there
            game.went_on |= bool(node.children)
            continue
        stack += [(child, *_add(game, id, board, child)) for child in node.children]
    game.cursor = _end_of_main_line(game)
    return game


def _add(game: Game, parent: int, board: Board, node: FileNode) -> tuple[int, Board]:
    if len(game.nodes) >= MAX_NODES:
        raise TengenError(f"the record holds more than {MAX_NODES} moves")
    if node.move is None or node.color != board.turn:
        raise TengenError("the record must place one stone per move, colours in turn")
    after = board.copy()
    after.play(node.move)
    game.cursor = parent
    id = game.child(node.move)
    _keep_note(game.nodes[id].note, node, after.turn)
    _judge_again(game.nodes[parent].note, game.nodes[id], board)
    return id, after


def _keep_note(note: Note, source: FileNode, turn: Color) -> None:
    """What a file says is believed only where it makes sense: values are numbers from -1 to 1."""
    if _is_value(source.value):
        note.value = Value(source.value or 0.0, turn)
    note.comment = source.comment[:MAX_COMMENT]
    if source.suggestions and _is_value(source.suggestions[0].value):
        best = source.suggestions[0]
        note.look = Look(Value(best.value, turn), best.move, best.pv)


def _is_value(value: float | None) -> bool:
    return value is not None and math.isfinite(value) and abs(value) <= 1


def _judge_again(before: Note, node: Node, board: Board) -> None:
    """A record with a review inside comes back with its judgements."""
    after = node.note
    if before.look and after.value:
        node.note.verdict = judge(board, node.move, before.look, after.look or Look(after.value))


def _end_of_main_line(game: Game) -> int:
    at = ROOT
    while children := game.nodes[at].children:
        at = children[0]
    for node in game.nodes.values():  # redo follows the last child: the main line comes last
        node.children.sort(reverse=True)
    return at


def export_game(game: Game, format: str) -> tuple[str, str]:
    """File name and text. SGF holds the whole tree with analysis, the others the line on show."""
    if format == "sgf":
        return f"{file_stem(game)}.sgf", format_sgf([tree_of_game(game)])
    if format not in FORMATS:
        raise TengenError(f"unknown format '{format}'; choose one of {', '.join(FORMATS)}")
    tree = tree_of_game(game, line_only=True)
    if format == "psq":
        return f"{file_stem(game)}.psq", format_psq(tree)
    return f"{file_stem(game)}.txt", format_text(tree)


def file_stem(game: Game) -> str:
    """`2026-11-17-strongest-human`: the day, black and white, in letters that every system takes."""
    s = game.settings
    names = (_name(*pair).removeprefix("level:") for pair in zip((s.black, s.white), game.names, strict=True))
    plain = [re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:24].lower() or side
             for name, side in zip(names, ("black", "white"), strict=True)]  # fmt: skip
    return "-".join([_day(game), *plain])


def _day(game: Game) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(game.created))


def tree_of_game(game: Game, line_only: bool = False) -> GameTree:
    s = game.settings
    black, white = (_name(*pair) for pair in zip((s.black, s.white), game.names, strict=True))
    tree = GameTree(s.variant, black, white)
    if game.setup:
        tree.black_stones, tree.white_stones = game.setup.black, game.setup.white
        tree.first = game.setup.color
    tree.result = _result(game)
    tree.root.extra["DT"] = [_day(game)]
    on_line = set(game.path())
    stack = [(ROOT, tree.root, tree.first)]
    while stack:
        id, node, turn = stack.pop()
        _write_note(game.nodes[id].note, node, turn)
        for child in sorted(game.nodes[id].children, key=lambda c: c not in on_line):
            if not line_only or child in on_line:
                stack.append((child, node.add(game.nodes[child].move, turn), turn.other))
    return tree


def _name(seat: str, name: str) -> str:
    """A machine is named by its seat; a person by the name the record came with, if any."""
    return name if seat == "human" and name else seat


def _write_note(note: Note, target: FileNode, turn: Color) -> None:
    if note.value:
        target.value = round(note.value.of(turn), 4)
    if note.look and note.look.best is not None:
        target.suggestions = (Suggestion(note.look.best, round(note.look.value.of(turn), 4), 0, note.look.line),)
    target.comment = note.comment
    if note.verdict and (mark := SGF_MARKS.get(note.verdict.mark)):
        target.extra[mark[0]] = [mark[1]]


def _result(game: Game) -> str:
    outcome = game.outcome()
    if outcome is None:
        return ""
    if outcome.winner is None:
        return "0"
    letter = {"resign": "R", "time": "T"}.get(str(outcome.termination), "")
    return f"{outcome.winner.name[0]}+{letter}"

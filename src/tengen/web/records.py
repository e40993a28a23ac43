"""Games of the page to and from the file formats of other programs."""

from __future__ import annotations

import re

from tengen.board import Board
from tengen.formats import GameTree, Suggestion, parse_games
from tengen.formats import Node as FileNode
from tengen.formats.postext import RowOrigin, format_position
from tengen.formats.psq import format_psq
from tengen.formats.sgf import format_sgf
from tengen.rules import Color, Rule
from tengen.web.game import MAX_NODES, ROOT, Game, Node
from tengen.web.models import ImportRecord, Settings, SetUp
from tengen.web.snapshot import new_id

FORMATS = ("sgf", "psq", "pos")


def import_game(request: ImportRecord) -> Game:
    """The first game of a text. Raises ValueError with the line or node that is wrong."""
    text = request.text.lstrip("\ufeff \t\r\n")
    bare = re.match(r"[A-Za-z]\d", text) is not None
    tree = parse_games(f"{request.width}x{request.height} {text}" if bare else text)[0]
    if not text.startswith("("):  # only SGF says which rule was played
        tree.rule = Rule(request.rule)
    if bare:
        tree.k = request.k
    return game_of(tree)


def game_of(tree: GameTree) -> Game:
    """Every move is checked against the rule on the way in."""
    settings = Settings(width=tree.width, height=tree.height, k=tree.k, rule=tree.rule.value)
    setup = None
    if tree.black_stones or tree.white_stones or tree.first != Color.BLACK:
        turn = "black" if tree.first == Color.BLACK else "white"
        setup = SetUp.model_validate({"black": tree.black_stones, "white": tree.white_stones, "turn": turn})
    game = Game(new_id(), settings, setup)
    _keep_study(game, game.nodes[ROOT], tree.root, tree.first)
    start = game.position(ROOT).board()
    stack = [(tree.root, ROOT, start)]
    while stack:
        node, id, board = stack.pop()
        stack += [(child, *_add(game, id, board, child)) for child in node.children]
    game.cursor = _end_of_main_line(game)
    return game


def _add(game: Game, parent: int, board: Board, node: FileNode) -> tuple[int, Board]:
    if len(game.nodes) >= MAX_NODES:
        raise ValueError(f"the record holds more than {MAX_NODES} moves")
    if node.move is None or node.color != board.turn:
        raise ValueError("the record must place one stone a move, colours in turn")
    after = board.copy()
    after.play(node.move)
    game.cursor = parent
    id = game._child(node.move)
    _keep_study(game, game.nodes[id], node, after.turn)
    return id, after


def _keep_study(game: Game, node: Node, source: FileNode, turn: Color) -> None:
    if source.value is not None:
        node.study["v"] = round(source.value if turn == Color.BLACK else -source.value, 4)
    if source.comment:
        node.study["c"] = source.comment[:2000]


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
        return "game.sgf", format_sgf([tree_of_game(game)])
    if format not in FORMATS:
        raise ValueError(f"unknown format '{format}'; choose one of {', '.join(FORMATS)}")
    tree = tree_of_game(game, line_only=True)
    if format == "psq":
        return "game.psq", format_psq(tree)
    if game.setup is not None:
        raise ValueError("position text holds games from the empty board; this one has stones set up")
    size = "" if (tree.width, tree.height) == (15, 15) else f"{tree.width}x{tree.height} "
    return "game.txt", size + format_position(tree.moves(), tree.width, tree.height, RowOrigin.BOTTOM) + "\n"


def tree_of_game(game: Game, line_only: bool = False) -> GameTree:
    s = game.settings
    tree = GameTree(s.width, s.height, s.k, Rule(s.rule), s.black, s.white)
    if game.setup:
        tree.black_stones, tree.white_stones = game.setup.black, game.setup.white
        tree.first = game.setup.color
    tree.result = _result(game)
    on_line = set(game.path())
    stack = [(ROOT, tree.root, tree.first)]
    while stack:
        id, node, turn = stack.pop()
        _write_study(game.nodes[id], node, turn)
        for child in sorted(game.nodes[id].children, key=lambda c: c not in on_line):
            if not line_only or child in on_line:
                stack.append((child, node.add(game.nodes[child].move, turn), turn.other))
    return tree


def _write_study(node: Node, target: FileNode, turn: Color) -> None:
    if (value := node.study.get("v")) is not None:
        target.value = value if turn == Color.BLACK else -value
    if (found := node.study.get("r")) and found["best"] is not None:
        own = found["value"] if turn == Color.BLACK else -found["value"]
        target.suggestions = (Suggestion(found["best"], own, 0, tuple(found["pv"])),)
    notes = [node.study.get("c", ""), node.study.get("mark", "")]
    target.comment = "\n".join(filter(None, notes))


def _result(game: Game) -> str:
    outcome = game.outcome()
    if outcome is None:
        return ""
    if outcome.winner is None:
        return "0"
    letter = {"resign": "R", "time": "T"}.get(str(outcome.termination), "")
    return f"{outcome.winner.name[0]}+{letter}"

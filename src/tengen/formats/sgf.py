"""SGF for Gomoku and Renju (GM[4]): variations, comments, and analysis inside.

Cells are two letters, column then row from the TOP left, as in SGF for Go; `h8` with rows from the bottom is read too,
since some Gomoku programs write it. Analysis lives in V (the position's value in [-1, 1] for black, as SGF has it) and
in private properties: TGS, one suggestion each (cell, value for the side to move, visits, line); TGT, seconds of the
move; TGK at the root, the length of the winning row where it is not five.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tengen.errors import TengenError, clip
from tengen.formats.tree import GameTree, Node, Suggestion, clean
from tengen.rules import MAX_SIZE, Color, Move, Rule, Variant, parse_move

GAME = "4"
MOST_NODES = 200_000
LARGEST_NUMBER = 1e9

Properties = dict[str, list[str]]

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)\s*((?:\[(?:\\.|[^\]\\])*\]\s*)+))", re.DOTALL)
_VALUE = re.compile(r"\[((?:\\.|[^\]\\])*)\]", re.DOTALL)
_MOVE_KEYS = {"B": Color.BLACK, "W": Color.WHITE}
_OURS = {"B", "W", "GM", "FF", "CA", "AP", "SZ", "RU", "PB", "PW", "RE", "AB", "AW", "PL", "TGK"}


# --- reading ----------------------------------------------------------------------------------------------------


def parse_sgf(text: str) -> list[GameTree]:
    """Every game of an SGF text. Raises TengenError saying which node is wrong and why."""
    games = [_game(raw) for raw in _collection(text.lstrip("\ufeff"))]
    if not games:
        raise TengenError("SGF: there is no game; a game starts with (;GM[4]")
    return games


class _Raw:
    """A node as written: properties and continuations."""

    __slots__ = ("children", "properties")

    def __init__(self) -> None:
        self.properties: Properties = {}
        self.children: list[_Raw] = []


def _collection(text: str) -> list[_Raw]:
    """The raw nodes of each game, by a stack of open brackets instead of recursion: lines are long."""
    top = _Raw()
    here, branches, count = top, [], 0
    for mark, key, values in _tokens(text):
        if mark == "(":
            branches.append(here)
        elif mark == ")":
            if not branches:
                raise TengenError("SGF: a ')' closes nothing")
            here = branches.pop()
        elif mark == ";":
            if not branches:
                raise TengenError("SGF: a node stands outside of '(...)'")
            count += 1
            if count > MOST_NODES:
                raise TengenError(f"SGF: more than {MOST_NODES} nodes")
            here.children.append(child := _Raw())
            here = child
        elif here is top:
            raise TengenError(f"SGF: property {clip(key)} stands before the first ';'")
        else:
            here.properties.setdefault(key, []).extend(values)
    if branches:
        raise TengenError("SGF: the text ends inside a game; a ')' is missing")
    return top.children


def _tokens(text: str) -> Iterator[tuple[str, str, list[str]]]:
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if not match:
            raise TengenError(
                f"SGF, character {position + 1}: cannot read '{clip(text[position : position + 21], 20)}'"
            )
        key = re.sub("[a-z]", "", match[2] or "")  # FF[1] to FF[3] allow lower case for ornament
        position = match.end()
        if key or match[1]:  # a name without a capital letter is none
            yield match[1] or "", key, [_unescape(value) for value in _VALUE.findall(match[3] or "")]


def _game(raw: _Raw) -> GameTree:
    tree = _header(raw.properties)
    taken = frozenset((*tree.black_stones, *tree.white_stones))
    node = tree.root
    if _MOVE_KEYS.keys() & raw.properties.keys():  # some writers put the first move into the root
        node, taken = _moved(tree, node, raw.properties, taken)
    _fill(tree, node, raw.properties)
    _grow(tree, node, raw.children, taken)
    return tree


def _grow(tree: GameTree, root: Node, children: list[_Raw], taken: frozenset[Move]) -> None:
    stack = [(root, child, taken) for child in reversed(children)]
    while stack:
        node, raw, occupied = stack.pop()
        if {"AB", "AW", "AE"} & raw.properties.keys():
            raise TengenError("SGF: stones set up after the first node are not supported")
        if _MOVE_KEYS.keys() & raw.properties.keys():
            node, occupied = _moved(tree, node, raw.properties, occupied)
        _fill(tree, node, raw.properties)  # a node without a move adds to the position before it
        stack.extend((node, child, occupied) for child in reversed(raw.children))


def _moved(
    tree: GameTree, parent: Node, properties: Properties, taken: frozenset[Move]
) -> tuple[Node, frozenset[Move]]:
    """A new child that plays the move of `properties`, and the cells that are then taken."""
    key = next(key for key in _MOVE_KEYS if key in properties)
    text = properties[key][0]
    move = _cell(tree, text)
    if move in taken:
        raise TengenError(f"SGF: {key}[{clip(text)}] is played on an occupied cell")
    node = Node(move, _MOVE_KEYS[key])
    parent.children.append(node)
    return node, taken | {move}


def _header(properties: Properties) -> GameTree:
    game = _first(properties, "GM", GAME)
    if game.strip() != GAME:
        raise TengenError(f"SGF: GM[{clip(game)}] is another game; Gomoku and Renju are GM[{GAME}]")
    width, height = _size(_first(properties, "SZ", "15"))
    k = _integer(_first(properties, "TGK", "5"), "TGK")
    tree = GameTree(Variant(width, height, k, _rule(_first(properties, "RU", ""))))
    tree.black, tree.white = _first(properties, "PB", ""), _first(properties, "PW", "")
    tree.result = _first(properties, "RE", "")
    tree.black_stones = tuple(_cells(tree, properties.get("AB", [])))
    tree.white_stones = tuple(_cells(tree, properties.get("AW", [])))
    if set(tree.black_stones) & set(tree.white_stones):
        raise TengenError("SGF: AB and AW put two stones on one cell")
    even = len(tree.black_stones) <= len(tree.white_stones)
    turn = _first(properties, "PL", "B" if even else "W")[:1].upper()
    tree.first = Color.WHITE if turn == "W" else Color.BLACK
    return tree


def _fill(tree: GameTree, node: Node, properties: Properties) -> None:
    """Comment, analysis and whatever else the node holds."""
    for key, values in properties.items():
        if key == "C":
            node.comment = f"{node.comment}\n{values[0]}" if node.comment else values[0]
        elif key == "V":
            node.value = _value(tree, node, values[0])
        elif key == "TGT":
            node.seconds = max(0.0, _number(values[0], "TGT"))
        elif key == "TGS":
            node.suggestions = tuple(_suggestion(tree, value) for value in values)
        elif key not in _OURS:
            node.extra[key] = values


def _value(tree: GameTree, node: Node, text: str) -> float:
    for_black = _in_range(_number(text, "V"))
    return for_black if tree.side_to_move(node) == Color.BLACK else -for_black


def _suggestion(tree: GameTree, text: str) -> Suggestion:
    parts = text.split()
    if len(parts) not in (3, 4):
        raise TengenError(f"SGF: TGS[{clip(text)}] is not 'cell value visits line'")
    line = parts[3] if len(parts) == 4 else ""
    pv = tuple(_cell(tree, line[i : i + 2]) for i in range(0, len(line), 2))
    value = _in_range(_number(parts[1], "TGS"))
    return Suggestion(_cell(tree, parts[0]), value, _integer(parts[2], "TGS"), pv)


def _in_range(value: float) -> float:
    return max(-1.0, min(1.0, value))


def _cells(tree: GameTree, values: list[str]) -> Iterator[Move]:
    """Single cells, or rectangles `aa:cc` as SGF's compressed lists have them; each cell once, so that a short text
    cannot name more stones than the board has room for."""
    taken: set[Move] = set()
    for value in values:
        corner, _, opposite = value.partition(":")
        first, last = _cell(tree, corner), _cell(tree, opposite or corner)
        (top, left), (bottom, right) = divmod(first, tree.width), divmod(last, tree.width)
        for move in (r * tree.width + c for r in range(top, bottom + 1) for c in range(left, right + 1)):
            if move in taken:
                raise TengenError(f"SGF: [{clip(value)}] puts a second stone on a cell")
            taken.add(move)
            yield move


def _cell(tree: GameTree, text: str) -> Move:
    text = text.strip()
    if re.fullmatch(r"[A-Za-z]\d{1,2}", text):
        return parse_move(text, tree.width, tree.height)
    if not re.fullmatch(r"[a-z]{2}", text):
        raise TengenError(f"SGF: '{clip(text)}' is not a cell; write two letters such as hh (passes are not supported)")
    col, row = (ord(letter) - ord("a") for letter in text)
    if not (col < tree.width and row < tree.height):
        raise TengenError(f"SGF: '{clip(text)}' is off the {tree.width}x{tree.height} board")
    return row * tree.width + col


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"\s*(\d{1,3})\s*(?::\s*(\d{1,3})\s*)?", text)
    if not match:
        raise TengenError(f"SGF: SZ[{clip(text)}] is not a size; write SZ[15] or SZ[15:13], sides up to {MAX_SIZE}")
    return int(match[1]), int(match[2] or match[1])


def _rule(text: str) -> Rule:
    """Our own names, and words that other writers use; freestyle when nothing is said."""
    lowered = text.lower()
    return next((rule for rule in Rule if rule in lowered), Rule.FREESTYLE)


def _first(properties: Properties, key: str, default: str) -> str:
    return properties.get(key, [default])[0]


def _number(text: str, key: str) -> float:
    if not re.fullmatch(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?\s*", text[:40]):
        raise TengenError(f"SGF: {key}[{clip(text)}] is not a number")
    number = float(text[:40])
    if abs(number) > LARGEST_NUMBER:
        raise TengenError(f"SGF: {key}[{clip(text)}] is too large a number")
    return number


def _integer(text: str, key: str) -> int:
    if not re.fullmatch(r"\s*\d{1,15}\s*", text):
        raise TengenError(f"SGF: {key}[{clip(text)}] is not a whole number")
    return int(text)


def _unescape(text: str) -> str:
    return re.sub(r"\\(\r\n|\n\r|.)", lambda m: "" if m[1] in "\r\n\r" else m[1], text, flags=re.DOTALL)


# --- writing ----------------------------------------------------------------------------------------------------


def format_sgf(trees: Iterable[GameTree]) -> str:
    """A collection of games. Reading it back gives the same games."""
    return "".join("(" + "".join(_written(tree)) + ")\n" for tree in trees)


def _written(tree: GameTree) -> Iterator[str]:
    """The nodes in order, brackets where a node has several continuations."""
    yield ";" + _header_text(tree) + _node_text(tree, tree.root)
    stack: list[Node | str] = _continuations(tree.root)
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
            continue
        yield "\n;" + _node_text(tree, item)
        stack.extend(_continuations(item))


def _continuations(node: Node) -> list[Node | str]:
    """What follows a node, last first, ready for a stack."""
    if len(node.children) < 2:
        return list(node.children)
    items: list[Node | str] = []
    for child in reversed(node.children):
        items += [")", child, "\n("]
    return items


def _header_text(tree: GameTree) -> str:
    size = str(tree.width) if tree.width == tree.height else f"{tree.width}:{tree.height}"
    text = f"GM[{GAME}]FF[4]CA[UTF-8]AP[Tengen]SZ[{size}]RU[{tree.variant.rule.value}]"
    text += f"TGK[{tree.variant.k}]" if tree.variant.k != 5 else ""
    for key, value in (("PB", tree.black), ("PW", tree.white), ("RE", tree.result)):
        text += f"{key}[{_escape(value)}]" if value else ""
    for key, stones in (("AB", tree.black_stones), ("AW", tree.white_stones)):
        text += key + "".join(f"[{_cell_text(tree, move)}]" for move in stones) if stones else ""
    if tree.black_stones or tree.white_stones or tree.first != Color.BLACK:
        text += f"PL[{tree.first.name[0]}]"
    return text


def _node_text(tree: GameTree, node: Node) -> str:
    text = ""
    if node.move is not None and node.color is not None:
        text += f"{node.color.name[0]}[{_cell_text(tree, node.move)}]"
    if node.comment:
        text += f"C[{_escape(node.comment)}]"
    if node.value is not None:
        sign = 1 if tree.side_to_move(node) == Color.BLACK else -1
        text += f"V[{sign * node.value:.4f}]"
    text += f"TGT[{node.seconds:.3f}]" if node.seconds is not None else ""
    text += "TGS" + "".join(_suggestion_text(tree, s) for s in node.suggestions) if node.suggestions else ""
    return text + "".join(key + "".join(f"[{_escape(v)}]" for v in values) for key, values in node.extra.items())


def _suggestion_text(tree: GameTree, suggestion: Suggestion) -> str:
    pv = "".join(_cell_text(tree, move) for move in suggestion.pv)
    return f"[{_cell_text(tree, suggestion.move)} {suggestion.value:.4f} {suggestion.visits} {pv}".rstrip() + "]"


def _cell_text(tree: GameTree, move: Move) -> str:
    row, col = divmod(move, tree.width)
    return chr(ord("a") + col) + chr(ord("a") + row)


def _escape(text: str) -> str:
    return clean(text).replace("\\", "\\\\").replace("]", "\\]")

"""How a search is reported to the manager: MESSAGE lines for people, INFO blocks for programs that read them."""

from __future__ import annotations

from collections.abc import Iterator

from tengen.board import Board
from tengen.gomocup.wire import format_cell
from tengen.players.base import Analysis, Candidate, Decision
from tengen.rules import Move

EVAL_SCALE = 1000
"""EVAL is the value for the side to move in thousandths: 1000 is a sure win."""


def message_line(board: Board, depth: int, value: float | None, nodes: int, pv: tuple[Move, ...]) -> str:
    parts = [f"DEPTH {depth}"] if depth else []
    parts += [f"EVAL {_eval(value)}"] if value is not None else []
    parts += [f"NODES {nodes}"] if nodes else []
    parts += ["PV " + " ".join(board.name(move).upper() for move in pv)] if pv else []
    return "MESSAGE " + " ".join(parts) if parts else ""


def decision_line(board: Board, decision: Decision) -> str:
    """Empty for a player that reports nothing but its move."""
    if decision.value is None and not decision.depth:
        return ""
    pv = decision.pv or (decision.move,)
    return message_line(board, decision.depth, decision.value, decision.nodes, pv)


def analysis_line(board: Board, analysis: Analysis) -> str:
    best = analysis.candidates[0]
    return message_line(board, analysis.depth, best.value, analysis.nodes, _line(best))


def info_blocks(board: Board, analysis: Analysis, count: int) -> Iterator[str]:
    """One INFO PV block for each of the best `count` candidates, best first."""
    shown = analysis.candidates[:count]
    for index, candidate in enumerate(shown):
        yield from (f"INFO {text}" for text in _block(board, analysis, candidate, index, len(shown)))


def _block(board: Board, analysis: Analysis, candidate: Candidate, index: int, count: int) -> tuple[str, ...]:
    return (
        f"PV {index}",
        f"NUMPV {count}",
        f"DEPTH {analysis.depth}",
        f"SELDEPTH {analysis.depth}",
        f"NODES {candidate.visits or analysis.nodes}",
        f"TOTALNODES {analysis.nodes}",
        f"TOTALTIME {round(analysis.seconds * 1000)}",
        f"SPEED {round(analysis.nodes / max(analysis.seconds, 0.001))}",
        f"EVAL {_eval(candidate.value)}",
        f"WINRATE {(candidate.value + 1) / 2:.4f}",
        "BESTLINE " + " ".join(format_cell(move, board.width) for move in _line(candidate)),
        "PV DONE",
    )


def _line(candidate: Candidate) -> tuple[Move, ...]:
    return candidate.pv or (candidate.move,)


def _eval(value: float) -> int:
    return round(EVAL_SCALE * value)

"""Proofs in the tree of a game: kept with their positions, handed on to neighbours, and heeded by verdicts.

One proof says something of other positions too: a move into a win is a win, and a win goes on along its line. Whatever
study finds it, all of them see the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tengen.rules import Value
from tengen.study.proofs import Proof, carried_back, carried_on
from tengen.study.verdicts import Look, judge
from tengen.web.game import ROOT, Game


def known_proof(game: Game, node: int) -> Proof | None:
    """What is proven of the position at `node`, by itself or by the position before it."""
    at = game.nodes[node]
    if at.note.proof or node == ROOT:
        return at.note.proof
    before = game.nodes[at.parent].note.proof
    return carried_on(before, at.move, game.turn_at(at.parent)) if before else None


def keep_proof(game: Game, node: int, proof: Proof) -> set[int]:
    """Notes a proof where it holds; returns the nodes whose notes have changed."""
    proven = dict(_spread(game, node, proof))
    for at, found in proven.items():
        note = game.nodes[at].note
        note.proof, note.value = found, Value(1.0, found.winner)
        note.look = Look.proven(found) if note.look else None
    return proven.keys() | judge_again(game, proven)


def judge_again(game: Game, nodes: Iterable[int]) -> set[int]:
    """Judges anew the moves that lead to these positions or away from them; returns those whose verdict has changed."""
    near = {move for node in nodes for move in (node, *game.nodes[node].children)}
    return {node for node in near if _judged_anew(game, node)}


def _spread(game: Game, node: int, proof: Proof) -> Iterator[tuple[int, Proof]]:
    yield node, proof
    while node != ROOT:
        move, node = game.nodes[node].move, game.nodes[node].parent
        back = carried_back(proof, move, game.turn_at(node))
        if back is None or game.nodes[node].note.proof:
            return
        yield node, (proof := back)


def _judged_anew(game: Game, node: int) -> bool:
    """Only a move that was judged before."""
    at = game.nodes[node]
    if node == ROOT or at.note.verdict is None:
        return False
    before, after = game.nodes[at.parent].note.look, at.note.look
    if before is None or after is None:
        return False
    old, at.note.verdict = at.note.verdict, judge(game.position(at.parent).board(), at.move, before, after)
    return at.note.verdict != old

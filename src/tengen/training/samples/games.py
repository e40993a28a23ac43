"""Finished games with the targets that are learned from them, and files of such games."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.errors import TengenError
from tengen.rules import Color, Result, Variant
from tengen.training.samples.arrays import Arrays, read_arrays, write_arrays


@dataclass(frozen=True, slots=True, eq=False)
class TrainingGame:
    """One game. The target rows belong to the moves after the opening, in order."""

    variant: Variant
    moves: NDArray[np.int16]
    opening: int
    """Moves that were given, not chosen."""
    result: Result
    policies: NDArray[np.float16]  # [moves - opening, cells]
    values: NDArray[np.float32]  # root values for the side to move
    weights: NDArray[np.float32]  # 0: not a sample
    proven: NDArray[np.int8]  # 1 won, -1 lost, 0 unknown for the side to move

    def samples(self) -> NDArray[np.intp]:
        """Rows that may be learned from."""
        return np.flatnonzero(self.weights > 0)

    def ply(self, row: int) -> int:
        """Stones on the board at a row."""
        return self.opening + int(row)

    def sign(self, row: int) -> int:
        """1 won, 0 drawn, -1 lost for the side to move at a row."""
        return sign_at(self.result, self.ply(row))


def weighed(game: TrainingGame, lost: float) -> TrainingGame:
    """The game with positions proven lost for the side to move weighing `lost` of what they did."""
    if lost == 1:
        return game
    return replace(game, weights=np.where(game.proven < 0, np.float32(lost) * game.weights, game.weights))


def surprised(games: list[TrainingGame], surprises: list[NDArray[np.float32]], share: float) -> list[TrainingGame]:
    """The games with `share` of all weight given out by surprise: how far a position's search went from the network's
    own policy. The sum of the weights stays what it was."""
    weight = np.concatenate([game.weights for game in games])
    surprise = np.concatenate(surprises) * (weight > 0)
    mean = float((weight * surprise).sum() / max(weight.sum(), 1e-9))
    if mean <= 0:
        return games
    factors = [1 - share + share * own / mean for own in surprises]
    return [replace(game, weights=np.float32(1) * game.weights * f) for game, f in zip(games, factors, strict=True)]


def sign_at(result: Result, ply: int) -> int:
    """1 won, 0 drawn, -1 lost for the side that moves after `ply` stones."""
    return result.sign(Color(ply % 2))


def game_from_native(data: dict[str, Any], variant: Variant) -> TrainingGame:
    """A game as the native self-play returns it. Policies are kept in half precision to save memory."""
    winner = data["winner"]
    return TrainingGame(
        variant, np.asarray(data["moves"], np.int16), int(data["opening"]),
        WINNERS[-1 if winner is None else int(winner)], np.asarray(data["policies"], np.float16),
        np.asarray(data["root_values"], np.float32), np.asarray(data["weights"], np.float32),
        np.asarray(data["proven"], np.int8),
    )  # fmt: skip


KINDS = {"heads": "i", "moves": "i", "policies": "f", "values": "f", "weights": "f", "proven": "i"}
"""The arrays of a file, and numpy's letter for what they hold. Heads: width, height, opening, winner, moves."""

WINNERS = {0: Result.BLACK, 1: Result.WHITE, -1: Result.DRAW}
"""The winner in a file's heads."""


def save_games(path: Path, games: list[TrainingGame]) -> None:
    """Writes games as one compressed npz of flat arrays, atomically. Their k and rule stand elsewhere."""
    codes = {result: code for code, result in WINNERS.items()}
    heads = [[g.variant.width, g.variant.height, g.opening, codes[g.result], len(g.moves)] for g in games]
    arrays = {
        "heads": np.array(heads, np.int32).reshape(-1, 5),
        "moves": _join([g.moves for g in games], np.int16),
        "policies": _join([g.policies.ravel() for g in games], np.float16),
        "values": _join([g.values for g in games], np.float32),
        "weights": _join([g.weights for g in games], np.float32),
        "proven": _join([g.proven for g in games], np.int8),
    }
    write_arrays(path, arrays)


def load_games(path: Path, played: Variant) -> list[TrainingGame]:
    """The games of a file, which knows their boards; k and rule are those of `played`."""
    try:
        arrays = read_arrays(path, KINDS)
        _check(arrays)
        return _split(arrays, played)
    except ValueError as error:
        raise TengenError(f"{path} is not a file of self-play games: {error}") from None


def _check(arrays: Arrays) -> None:
    """Raises for arrays that no games could have made."""
    for name, kind in KINDS.items():
        if arrays[name].dtype.kind != kind or arrays[name].ndim != 1 + (name == "heads"):
            raise TengenError(f"its {name} are not what games have")
    if arrays["heads"].shape[1] != 5:
        raise TengenError("its heads have not five columns")
    width, height, opening, winner, length = arrays["heads"].astype(np.int64).T
    known = np.isin(winner, list(WINNERS))
    if np.any((width < 1) | (height < 1) | (opening < 0) | (opening > length) | ~known):
        raise TengenError("its headers describe impossible games")
    sums = {"moves": length.sum(), "policies": ((length - opening) * width * height).sum()}
    if any(len(arrays[name]) != sums.get(name, (length - opening).sum()) for name in KINDS if name != "heads"):
        raise TengenError("its arrays do not fit together")
    if np.any((arrays["moves"] < 0) | (arrays["moves"] >= np.repeat(width * height, length))):
        raise TengenError("it has moves off the board")


def _split(arrays: Arrays, played: Variant) -> list[TrainingGame]:
    games: list[TrainingGame] = []
    move = row = cell = 0
    for width, height, opening, winner, length in arrays["heads"].tolist():
        rows, cells = length - opening, (length - opening) * width * height
        part = slice(row, row + rows)
        policies = arrays["policies"][cell : cell + cells].reshape(rows, width * height)
        targets = (policies, arrays["values"][part], arrays["weights"][part], arrays["proven"][part])
        variant = replace(played, width=width, height=height)
        moves = arrays["moves"][move : move + length]
        games.append(TrainingGame(variant, moves, opening, WINNERS[winner], *targets))
        move, row, cell = move + length, row + rows, cell + cells
    return games


def _join(arrays: list[NDArray[Any]], kind: type) -> NDArray[Any]:
    return np.concatenate(arrays) if arrays else np.zeros(0, kind)

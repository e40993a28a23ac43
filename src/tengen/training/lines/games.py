"""Games as columns: what the core plays and learns from, and files of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tengen.errors import TengenError
from tengen.training.samples.arrays import read_arrays, write_arrays
from tengen.training.samples.engine_games import read_games, read_header
from tengen.training.samples.games import WINNERS, TrainingGame

Columns = dict[str, Any]
"""What `_core.line_games` returns: per game, per row (a move after the opening), per move of a policy."""

KINDS: dict[str, type[np.generic]] = {
    "lengths": np.int32, "openings": np.int32, "winners": np.int32, "moves": np.int16, "values": np.float32,
    "weights": np.float32, "counts": np.int32, "policy_moves": np.int16, "policy_shares": np.float32,
}  # fmt: skip


def save_columns(path: Path, games: Columns) -> None:
    size = np.array([games["width"], games["height"]], np.int32)
    write_arrays(path, {"size": size} | {name: games[name] for name in KINDS})


def load_columns(path: Path) -> Columns:
    try:
        arrays = read_arrays(path, ("size", *KINDS))
        width, height = (int(side) for side in arrays["size"])
        return {"width": width, "height": height} | {n: np.ascontiguousarray(arrays[n], k) for n, k in KINDS.items()}
    except (ValueError, OSError) as error:
        raise TengenError(f"{path} holds no games of a line network: {error}") from None


def columns_of(games: Sequence[TrainingGame]) -> Columns:
    """Games of other methods, all on one board, as columns."""
    rows = [policy for game in games for policy in game.policies]
    picked = [np.flatnonzero(row) for row in rows]
    shares = [row[moves].astype(np.float32) for row, moves in zip(rows, picked, strict=True)]
    codes = {result: code for code, result in WINNERS.items()}
    columns = {
        "lengths": [len(game.moves) for game in games],
        "openings": [game.opening for game in games],
        "winners": [codes[game.result] for game in games],
        "moves": np.concatenate([game.moves for game in games]),
        "values": np.clip(np.concatenate([game.values for game in games]), -1, 1),
        "weights": np.concatenate([game.weights for game in games]),
        "counts": [len(moves) for moves in picked],
        "policy_moves": np.concatenate(picked) if picked else [],
        "policy_shares": np.clip(np.concatenate([s / s.sum() for s in shares if len(s)]), 0, 1) if picked else [],
    }
    size = {"width": games[0].variant.width, "height": games[0].variant.height}
    return size | {name: np.ascontiguousarray(columns[name], kind) for name, kind in KINDS.items()}


def columns_of_engine(path: Path) -> Columns:
    """A file of `tengen data` as columns: of each position the best move found, the search's value and the result."""
    variant, games = read_header(path).variant, list(read_games(path))
    if not games:
        raise TengenError(f"{path} holds no games yet")
    best = np.concatenate([game.plies["best"] for game in games])
    columns = {
        "lengths": [len(game.opening) + len(game.plies) for game in games],
        "openings": [len(game.opening) for game in games],
        "winners": [-1 if game.winner is None else game.winner for game in games],
        "moves": np.concatenate([np.array(game.moves, np.int16) for game in games]),
        "values": np.concatenate([game.values() for game in games]),
        "weights": np.ones(len(best)),
        "counts": np.ones(len(best)),
        "policy_moves": best,
        "policy_shares": np.ones(len(best)),
    }
    size = {"width": variant.width, "height": variant.height}
    return size | {name: np.ascontiguousarray(columns[name], kind) for name, kind in KINDS.items()}


def game_metrics(games: Columns) -> dict[str, float]:
    winners = games["winners"]
    return {
        "length": float(np.mean(games["lengths"])),
        "black_wins": float(np.mean(winners == 0)),
        "white_wins": float(np.mean(winners == 1)),
        "draws": float(np.mean(winners < 0)),
    }

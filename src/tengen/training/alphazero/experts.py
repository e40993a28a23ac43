"""Games of others that a run learns from before it plays its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tengen.errors import TengenError
from tengen.training.alphazero.config import AlphaZeroConfig
from tengen.training.knowledge.expert import read_games
from tengen.training.samples.games import TrainingGame
from tengen.training.samples.window import ReplayWindow


def warm_window(config: AlphaZeroConfig) -> ReplayWindow:
    window = ReplayWindow()
    for generation, games in enumerate(expert_games(config, config.warm.games), start=1):
        window.add(generation, games)
    return window


def expert_games(config: AlphaZeroConfig, folders: list[str]) -> Iterator[list[TrainingGame]]:
    """The games of each folder; those on boards the network does not play are an error."""
    board = config.board
    for folder in folders:
        games = [game for file in read_games(Path(folder), board.k, str(board.rule)) for game in file]
        _check_games(config, folder, games)
        yield games


def check_experts(config: AlphaZeroConfig) -> None:
    """Opens the folders of games that the run will learn from, and their first files."""
    warm = config.warm.games if config.warm.iterations else []
    for folder in [*warm, *(config.teacher.games if config.taught else [])]:
        _check_games(config, folder, next(read_games(Path(folder), config.board.k, str(config.board.rule)), []))


def _check_games(config: AlphaZeroConfig, folder: str, games: list[TrainingGame]) -> None:
    board = config.board
    if not games:
        raise TengenError(f"{folder} holds no games yet")
    if not config.network.body.size_free and {game.variant for game in games} != {board.variant}:
        raise TengenError(f"{folder} holds games on other boards than {board.width}x{board.height}")

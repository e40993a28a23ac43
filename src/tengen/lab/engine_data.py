"""Games of the engine as training data: making them, reading them, fitting the engine's numbers to them.

docs/data.md describes the file.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from tengen.errors import TengenError
from tengen.lab.ab_build import Engine, runner
from tengen.rules import Variant
from tengen.training.samples.engine_games import DataGame, DataHeader, read_games, read_header

__all__ = ["DataGame", "DataHeader", "fit_data", "make_data", "read_games", "read_header"]
GAMES_PER_BLOCK = 100


def make_data(
    engine: Engine,
    variant: Variant,
    path: Path,
    *,
    nodes: int,
    games: int,
    seed: int = 1,
    threads: int = 1,
    on_block: Callable[[int, int], None] | None = None,
) -> None:
    """Plays until the file holds `games` games, rounded up to whole blocks; goes on from what is there."""
    if engine.threads > 1:
        raise TengenError("games for data are searched by one thread each; --threads plays several at a time")
    blocks = -(-games // GAMES_PER_BLOCK)
    words = [runner(), "data", engine.library, variant.width, variant.height, variant.k, variant.rule, path,
             engine.name_in_files, nodes, blocks, seed, threads, engine.network or "-", engine.settings]  # fmt: skip
    for line in _lines([str(word) for word in words]):
        _, played, positions = line.split()
        if on_block:
            on_block(int(played), int(positions))


def fit_data(
    header: Path, files: list[Path], *, epochs: int, search_share: float, proven: bool = True, rate: float = 0.003,
    pull: float = 20.0,
) -> Iterator[str]:  # fmt: skip
    """Fits the engine's numbers to data of one rule and writes their C++ header; yields a line for each epoch."""
    words = [runner(), "fit", header, epochs, search_share, int(proven), rate, pull, *files]
    return _lines([str(word) for word in words])


def _lines(command: list[str]) -> Iterator[str]:
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        yield from (line.rstrip("\n") for line in process.stdout)
        _, fault = process.communicate()
    finally:
        process.kill()
        process.wait()
    if process.returncode:
        raise TengenError(fault.strip() or f"the runner stopped with exit code {process.returncode}")

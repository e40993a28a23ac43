"""Games of any registered players as training data: what the player to move would play, and how it judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tengen.board import Board
from tengen.errors import TengenError
from tengen.files import read_json, read_object, write_json
from tengen.play.entrants import Entrant, check_entrants
from tengen.play.openings import Opening, openings
from tengen.players.base import Decision, Player
from tengen.registry import create
from tengen.rules import Limit, Result, Variant, parse_rule
from tengen.training.run.workers import Workers
from tengen.training.samples.games import TrainingGame, load_games, save_games, sign_at

ABOUT = "about.json"
"""What a folder of games says about itself: the recipe of the games, or for a run its settings are in run.json."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides a folder of games, so that an interrupted command can go on where it stopped."""

    players: tuple[str, ...]
    """Specs. One plays itself; of several every ordered pair takes its turn."""
    variant: Variant
    nodes: int
    """Nodes per move; 0: as the specs say."""
    openings: str
    random_moves: float
    """Share of moves played at random near the stones. The sample keeps the player's own choice."""
    chunk: int
    """Games per file."""
    seed: int

    def files(self, games: int) -> int:
        """How many files hold at least so many games."""
        return -(-games // self.chunk)

    def to_dict(self) -> dict[str, Any]:
        """As about.json holds it: the variant's four settings stand beside the others."""
        data = asdict(self)
        variant: dict[str, Any] = data.pop("variant")
        return data | variant | {"players": list(self.players)}


def play_chunk(recipe: Recipe, number: int) -> list[TrainingGame]:
    """The games of one file, seeded by its number. Players keep what they remember from game to game, as in a match."""
    seed = 1_000_003 * recipe.seed + number
    rng = np.random.default_rng(seed)
    players = [create(spec, seed=seed + i) for i, spec in enumerate(recipe.players)]
    pairs = [(a, b) for a in players for b in players if a is not b or len(players) == 1]
    starts = openings(recipe.openings, recipe.variant, recipe.chunk, seed)
    return [
        play_expert_game(pairs[(number * recipe.chunk + i) % len(pairs)], recipe, start, rng)
        for i, start in enumerate(starts)
    ]


def play_expert_game(
    players: tuple[Player, Player], recipe: Recipe, start: Opening, rng: np.random.Generator
) -> TrainingGame:
    """One game to its end; black is the first of `players`."""
    board, limit = Board(recipe.variant, start), Limit(nodes=recipe.nodes or None)
    decisions: list[Decision] = []
    while board.outcome() is None:
        decisions.append(players[len(board.moves) % 2].choose(board, limit))
        at_random = rng.random() < recipe.random_moves
        board.play(_near_stones(board, rng) if at_random else decisions[-1].move)
    outcome = board.outcome()
    assert outcome is not None
    return _game(board, len(start), decisions, outcome.result)


def _game(board: Board, opening: int, decisions: list[Decision], result: Result) -> TrainingGame:
    """A player that names no value is taken to expect what happened."""
    signs = [sign_at(result, ply) for ply in range(opening, len(board.moves))]
    values = [sign if d.value is None else d.value for d, sign in zip(decisions, signs, strict=True)]
    policies = np.zeros((len(decisions), board.cells), np.float16)
    for row, decision in zip(policies, decisions, strict=True):
        for move, share in (decision.policy or {decision.move: 1.0}).items():
            row[move] = share
    rows = len(decisions)
    return TrainingGame(board.variant, np.array(board.moves, np.int16), opening, result, policies,
                        np.array(values, np.float32), np.ones(rows, np.float32), np.zeros(rows, np.int8))  # fmt: skip


def _near_stones(board: Board, rng: np.random.Generator) -> int:
    """A legal move at most two cells from a stone, or any when there is none."""
    near = [move for move in board.core.cells_near(2) if board.is_legal(move)] if board.moves else []
    return int(rng.choice(near or board.legal_moves()))


def write_games(folder: Path, recipe: Recipe, games: int, workers: Workers,
                tick: Callable[[int], None] = lambda done: None) -> int:  # fmt: skip
    """Fills a folder up to `games` games, in whole files, and returns how many that is. Files there are kept."""
    _check(recipe)
    _claim(folder, recipe)
    files = range(recipe.files(games))
    left = [number for number in files if not _file(folder, number).is_file()]
    done = (len(files) - len(left)) * recipe.chunk
    tick(done)
    for index, played in workers.map(play_chunk, recipe, left):
        save_games(_file(folder, left[index]), played)
        tick(done := done + len(played))
    return done


def _check(recipe: Recipe) -> None:
    """What could only fail later must not leave a folder behind."""
    if recipe.seed < 0:
        raise TengenError(f"seed {recipe.seed}: choose 0 or more")
    check_entrants([Entrant(spec, spec, Limit()) for spec in recipe.players], Board(recipe.variant))
    openings(recipe.openings, recipe.variant, 1, recipe.seed)


def _claim(folder: Path, recipe: Recipe) -> None:
    """A folder holds the games of one recipe."""
    about = {"games": recipe.to_dict()}
    if (folder / ABOUT).is_file():
        if read_json(folder / ABOUT) != about:
            raise TengenError(f"{folder} holds games of other players or settings; choose another folder")
        return
    if folder.is_dir() and any(folder.iterdir()):
        raise TengenError(f"{folder} is not empty and holds no games of ours; choose another folder")
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / ABOUT, about)


def _file(folder: Path, number: int) -> Path:
    return folder / f"{number:06d}.npz"


def read_games(folder: Path, k: int, rule: str) -> Iterator[list[TrainingGame]]:
    """The games of a folder of `write_games`, or those a training run still holds, file by file."""
    found = _source(folder)
    if found is None:
        raise TengenError(f"{folder} holds no games; make some with: tengen games SPEC --out FOLDER")
    files, about = found
    if (about["k"], about["rule"]) != (k, rule):
        raise TengenError(f"{folder} holds games of {about['rule']} with k = {about['k']}, not of {rule} with k = {k}")
    for file in sorted(files.glob("[0-9]*.npz")):
        yield load_games(file, Variant(k=k, rule=parse_rule(rule)))


def _source(folder: Path) -> tuple[Path, dict[str, Any]] | None:
    """Where the files are, and what k and rule their games have."""
    if (folder / ABOUT).is_file():
        return folder, _conditions(folder / ABOUT, "games")
    if (folder / "run.json").is_file():
        about = read_object(folder / "run.json")
        if isinstance(config := about.get("config"), dict) and "board" not in config:
            raise TengenError(f"{folder} is a run of method {about.get('method')}, which keeps no games")
        return folder / "games", _conditions(folder / "run.json", "config", "board")
    return None


def _conditions(file: Path, *keys: str) -> dict[str, Any]:
    """The table of a JSON file that says k and rule."""
    table: Any = read_object(file)
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    if not isinstance(table, dict) or not {"k", "rule"} <= table.keys():
        raise TengenError(f"{file} does not say what its games are: it lacks {'.'.join(keys)} with k and rule")
    return table

"""How long the study room takes to answer, in processor time: python benchmarks/study.py

The next puzzle, the verdict on a move (right ones and attacks that fail), and look-ups in the explorer with a library
of 100,000 positions. Milliseconds: median, 95 %, slowest.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tengen.players.solver import Mode
from tengen.rules import Variant
from tengen.study.book import bundled_book
from tengen.study.explorer import Explorer, bundled_matches
from tengen.study.forced import ForcedPlay, played
from tengen.study.library import Entry, Library
from tengen.study.openings import openings
from tengen.study.progress import Progress, Wish
from tengen.study.puzzles import Kind, Puzzle, bundled_puzzles
from tengen.study.store import Store
from tengen.study.trainer import Trainer

GAMES, MOVES = 3_400, 30


def main() -> None:
    dice = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "study.sqlite")
        progress, library = Progress(store), Library(store)
        tell("next puzzle", [clocked(lambda: progress.next(Wish(), 0.0)) for _ in range(200)])
        for kind in Kind:
            tell(f"verdict, {kind}", verdicts(kind, dice))
        library.add(games(dice))
        explorer = Explorer(library, bundled_matches(), bundled_book())
        lines = [opening.moves[:length] for opening in openings() for length in range(4)]
        tell("explorer", [clocked(lambda line=line: explorer.look(Variant(), line)) for line in lines])
        store.close()


def verdicts(kind: Kind, dice: random.Random) -> list[float]:
    trainer, threats = Trainer(), ForcedPlay(2_000)
    some = [puzzle for puzzle in bundled_puzzles() if puzzle.kind is kind]
    found = []
    for puzzle in dice.sample(some, min(25, len(some))):
        for move in tries(puzzle, threats, dice):
            found.append(clocked(lambda puzzle=puzzle, move=move: trainer.answer(puzzle, [move])))
    return found


def tries(puzzle: Puzzle, threats: ForcedPlay, dice: random.Random) -> list[int]:
    """The solutions, and moves that somebody might try: attacks where one is asked for."""
    board = puzzle.board()
    others = [move for move in board.legal_moves() if move not in puzzle.solutions]
    if puzzle.kind is not Kind.DEFENCE:
        others = [move for move in others if threats.replies(played(board, move), Mode.VCT) is not None] or others
    return [*puzzle.solutions, *dice.sample(others, min(8, len(others)))]


def games(dice: random.Random) -> list[Entry]:
    """Classical openings that go on at random."""
    made = []
    for number in range(GAMES):
        start = list(dice.choice(openings()).moves)
        free = [cell for cell in range(225) if cell not in start]
        moves = (*start, *dice.sample(free, MOVES - len(start)))
        winner = dice.choice(["black", "white", "draw"])
        made.append(Entry(Variant(), moves, f"player {number}", "other", winner, float(number), "import"))
    return made


def clocked(action: Callable[[], object]) -> float:
    started = time.process_time()
    action()
    return 1000 * (time.process_time() - started)


def tell(name: str, times: list[float]) -> None:
    times.sort()
    middle, high = times[len(times) // 2], times[int(0.95 * len(times))]
    print(f"{name:20} {len(times):4} asked: {middle:6.1f} {high:6.1f} {times[-1]:6.1f}", flush=True)


if __name__ == "__main__":
    main()

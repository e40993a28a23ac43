"""The study room behind the page: puzzles, lessons and teaching. One person, one solver, a few questions a second."""

from __future__ import annotations

import threading
import time
from functools import cached_property
from pathlib import Path

from tengen.board import Board
from tengen.errors import TengenError
from tengen.lab.position_files import parse_position
from tengen.rules import Move
from tengen.study.forced import ForcedPlay
from tengen.study.library import Library
from tengen.study.mining import Miner
from tengen.study.progress import Progress, Standing, Wish, bundled_by_id, checked_lines
from tengen.study.proofs import Effort, Prover
from tengen.study.proofs import Proof as Proven
from tengen.study.puzzles import NODES, Puzzle, check_puzzle
from tengen.study.store import NAME, Store
from tengen.study.trainer import Answer, Clue, Hint, State, Trainer
from tengen.web.game import Game
from tengen.web.messages import Position

WARNING = Effort(2_000, 2_000)
"""For the question whether a move loses by force: asked before every move, so it must be quick."""
MAX_LINES = 300
"""Lines of a puzzle file that are proved in one go."""


class StudyRoom:
    """Its answers come from threads; the solvers are used by one at a time."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._lock = threading.Lock()
        threading.Thread(target=bundled_by_id, daemon=True).start()  # read before somebody asks for the first puzzle

    @cached_property
    def store(self) -> Store:
        return Store(self._state / NAME)

    @cached_property
    def library(self) -> Library:
        return Library(self.store)

    @cached_property
    def progress(self) -> Progress:
        return Progress(self.store)

    @cached_property
    def _trainer(self) -> Trainer:
        return Trainer()

    @cached_property
    def _prover(self) -> Prover:
        return Prover()

    @cached_property
    def _miner(self) -> Miner:
        return Miner(NODES)

    def close(self) -> None:
        if "store" in self.__dict__:
            self.store.close()

    # Puzzles

    def next(self, wish: Wish, avoid: str) -> Puzzle:
        with self._lock:
            return self.progress.next(wish, time.time(), avoid)

    def puzzle(self, id: str) -> Puzzle:
        with self._lock:
            return self.progress.puzzle(id)

    def standing(self) -> Standing:
        with self._lock:
            return self.progress.standing(time.time())

    def answer(self, id: str, moves: tuple[Move, ...], hints: int, counts: bool) -> tuple[Answer, Standing | None]:
        """`counts`: this is the first try of a showing, so that its end is an attempt."""
        with self._lock:
            answer = self._trainer.answer(self.progress.puzzle(id), moves)
            ended = counts and answer.state is not State.RIGHT
            solved = answer.state is State.SOLVED
            return answer, self.progress.attempted(id, solved, hints, time.time()) if ended else None

    def give_up(self, id: str) -> Standing:
        with self._lock:
            return self.progress.attempted(id, False, 0, time.time())

    def clue(self, id: str, moves: tuple[Move, ...], step: Hint) -> Clue:
        with self._lock:
            return self._trainer.clue(self.progress.puzzle(id), moves, step)

    def take_in(self, text: str, variant_of_positions: Position) -> tuple[int, list[str]]:
        """Puzzles of a person's file: how many are new, and what is wrong with the other lines."""
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) > MAX_LINES:
            raise TengenError(f"at most {MAX_LINES} lines at a time; `tengen puzzles check` takes whole files")
        with self._lock:
            forced = ForcedPlay(NODES)
            read = "\n".join(self._as_puzzle(line, variant_of_positions) for line in lines)
            good, bad = checked_lines(read, lambda puzzle: check_puzzle(puzzle, forced))
            return self.progress.add(good, "import", time.time()), bad

    def _as_puzzle(self, line: str, shape: Position) -> str:
        """A line of `tengen solve`, stones and a side, becomes a puzzle if there is one in it."""
        if '"side"' not in line:
            return line
        try:
            puzzle = self._miner.puzzle_at(parse_position(line, shape.variant))
        except TengenError as error:
            return f"{error}"
        return puzzle.to_json() if puzzle else "nothing is to be found in this position"

    def from_mistakes(self, game: Game) -> int:
        """Puzzles from the faults a review has found in a game. Returns how many are new."""
        faults = [node for node in game.nodes.values() if node.note.verdict and node.note.verdict.mark.is_fault]
        with self._lock:
            made = (self._miner.puzzle_at(game.position(node.parent).board()) for node in faults)
            return self.progress.add((puzzle for puzzle in made if puzzle), "mistake", time.time())

    # Teaching

    def warning(self, board: Board, move: Move) -> Proven | None:
        """How the opponent wins by force after `move`, if the move allows that and another one would not."""
        after = board.copy()
        after.play(move)
        if after.outcome() is not None:
            return None
        with self._lock:
            win = self._prover.win(after, WARNING)
            return win if win and not self._prover.prove(board, WARNING) else None

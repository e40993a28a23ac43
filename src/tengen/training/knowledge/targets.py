"""What the auxiliary heads learn. A target is computed from the samples of a batch; a loss compares it.

Add a target here under the name of its head in `tengen.nets.heads.HEADS`, and `network.heads` can use it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from tengen.board import Board
from tengen.nets.teacher import ENCODING, TeacherNet
from tengen.training.samples.games import TrainingGame
from tengen.training.samples.planes import SHAPE_MAPS, encode_samples, shape_counts
from tengen.training.samples.window import Samples

SOON = 5 / 6
"""How much the weight of a later root value falls with each move: about six moves count."""
OPINION_SCALE = 0.1
"""The factor of the 9x9 research report on the sum of a teacher's features in front of tanh."""


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """What a target may look at: the samples, the symmetry of each and the cell map of each symmetry."""

    samples: Samples
    symmetries: NDArray[np.intp]  # [B]
    maps: NDArray[np.intp]  # [8, cells] cell -> image
    teacher: TeacherNet | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """`output` names the output it is compared with; empty: that of the head of its own name."""

    make: Callable[[Context], NDArray[np.float32]]
    loss: Callable[[Tensor, Tensor], Tensor]
    output: str = ""


def _counts(context: Context) -> NDArray[np.float32]:
    """[B, 6] own and opponent's open fours, fours, open threes, by the rule. The same under every symmetry."""
    return shape_counts(context.samples)


def _reply(context: Context) -> NDArray[np.float32]:
    """[B, cells] one at the move that followed the sample's own move; all zero at the end of a game."""
    samples = context.samples
    target = np.zeros((len(samples), samples.variant.cells), np.float32)
    for i, (game, row) in enumerate(zip(samples.games, samples.rows, strict=True)):
        after = game.ply(row) + 1
        if after < len(game.moves):
            target[i, context.maps[context.symmetries[i], game.moves[after]]] = 1
    return target


def _shapes(context: Context) -> NDArray[np.float32]:
    """[B, 10, H, W] maps of what a stone of either side would make on each empty cell."""
    planes = encode_samples(context.samples, context.symmetries, "shapes")
    return np.ascontiguousarray(planes[:, SHAPE_MAPS])


def _soon(context: Context) -> NDArray[np.float32]:
    """[B] the root values of the moves to come, for the side to move: near ones count most, then the result."""
    samples = context.samples
    return np.array([soon(game, int(row)) for game, row in zip(samples.games, samples.rows, strict=True)], np.float32)


def soon(game: TrainingGame, row: int) -> float:
    """A mean of later root values with weights that fall by SOON each move; what is left goes to the result."""
    values = game.values[row + 1 :]
    signs = np.where(np.arange(1, len(values) + 1) % 2, -1.0, 1.0)
    weights = (1 - SOON) * SOON ** np.arange(len(values))
    return float((weights * signs * values).sum() + SOON ** len(values) * game.sign(row))


def _five(context: Context) -> NDArray[np.float32]:
    """[B, cells] evenly over the cells of the row that won in the end; all zero where none did."""
    samples = context.samples
    target = np.zeros((len(samples), samples.variant.cells), np.float32)
    lines = {id(game): _final_row(game) for game in samples.games}
    for i, game in enumerate(samples.games):
        if cells := lines[id(game)]:
            target[i, context.maps[context.symmetries[i], cells]] = 1 / len(cells)
    return target


def _final_row(game: TrainingGame) -> list[int]:
    outcome = Board(game.variant, game.moves.tolist()).outcome()
    return list(outcome.line) if outcome else []


def _opinion(judge: Callable[[Tensor], Tensor]) -> Callable[[Context], NDArray[np.float32]]:
    """[B] what the teacher makes of the shapes it sees, for the side to move."""

    def make(context: Context) -> NDArray[np.float32]:
        assert context.teacher is not None, "the trainer sees to it that there is a teacher"
        planes = encode_samples(context.samples, context.symmetries, ENCODING)
        with torch.no_grad():
            opinion: NDArray[np.float32] = judge(context.teacher(torch.from_numpy(planes))).numpy()
        return opinion

    return make


def printed(counts: Tensor) -> Tensor:
    """As the 9x9 research report prints it: own and opponent's features add up, so it never tells who is ahead."""
    return torch.tanh(OPINION_SCALE * counts.sum(dim=1))


def signed(counts: Tensor) -> Tensor:
    """The opponent's features count against the side to move."""
    return torch.tanh(OPINION_SCALE * (counts[:, :3].sum(dim=1) - counts[:, 3:].sum(dim=1)))


def _squared(output: Tensor, target: Tensor) -> Tensor:
    return F.mse_loss(output, target)


def _cross_entropy(output: Tensor, target: Tensor) -> Tensor:
    return -(target * F.log_softmax(output.flatten(1), dim=1)).sum(dim=1).mean()


def _cells(output: Tensor, target: Tensor) -> Tensor:
    """Every cell of every map is a yes or no of its own."""
    return F.binary_cross_entropy_with_logits(output, target)


TARGETS: dict[str, Target] = {
    "counts": Target(_counts, _squared),
    "reply": Target(_reply, _cross_entropy),
    "shapes": Target(_shapes, _cells),
    "soon": Target(_soon, _squared),
    "five": Target(_five, _cross_entropy),
    "teacher": Target(_opinion(signed), _squared, output="value"),
    "teacher_printed": Target(_opinion(printed), _squared, output="value"),
}


def make_targets(names: list[str], context: Context) -> dict[str, Tensor]:
    return {name: torch.from_numpy(TARGETS[name].make(context)) for name in names}

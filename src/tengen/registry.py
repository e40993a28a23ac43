"""Players by name: `minimax:depth=3`, `alphazero:model=enhanced-9,sims=400`.

One table of name -> PlayerEntry. A factory imports what it needs when it is called, so naming a player costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tengen.errors import TengenError
from tengen.players.base import Player


class SpecError(TengenError):
    """A player spec that names nothing we have; the message lists what exists."""


@dataclass(frozen=True, slots=True)
class Option:
    """One key of a spec. `default` also tells the type: int, float, bool (on/off) or str."""

    default: int | float | bool | str
    help: str


@dataclass(frozen=True, slots=True)
class PlayerEntry:
    help: str
    make: Callable[..., Player]
    options: dict[str, Option]


SEED = Option(0, "seed of the player's random choices")


def _random(seed: int) -> Player:
    from tengen.players.random import RandomPlayer

    return RandomPlayer(seed)


def _greedy(seed: int) -> Player:
    from tengen.players.greedy import GreedyPlayer

    return GreedyPlayer(seed)


def _minimax(depth: int, random_depth: bool, seed: int) -> Player:
    from tengen.players.minimax import MinimaxPlayer

    return MinimaxPlayer(depth, random_depth, seed)


def _weight(seed: int) -> Player:
    from tengen.players.weight import WeightPlayer

    return WeightPlayer(seed)


def _mcts(playouts: int, playouts_max: int, c: float, rollout_limit: int, seed: int) -> Player:
    from tengen.players.mcts import MctsPlayer

    return MctsPlayer(playouts, playouts_max, c, rollout_limit, seed)


def _alphabeta(threads: int, hash_mb: int, depth: int, seed: int) -> Player:
    from tengen.players.alphabeta import AlphaBetaPlayer

    return AlphaBetaPlayer(threads, hash_mb, depth, seed)


def _human() -> Player:
    from tengen.players.human import HumanPlayer

    return HumanPlayer(input)


def _gomocup(cmd: str, memory: int, tolerance: float, suspend: bool) -> Player:
    from tengen.gomocup.external import ExternalPlayer, Terms

    return ExternalPlayer(cmd, Terms(memory_mb=memory, tolerance=tolerance, suspend=suspend))


def _alphazero(
    model: str,
    sims: int,
    batch: int,
    c_puct: float,
    formula: str,
    gumbel: bool,
    solver: bool,
    vcf_nodes: int,
    temperature_moves: int,
    symmetry: bool,
    reuse: bool,
    threads: int,
    memory_mb: float,
    seed: int,
) -> Player:
    from dataclasses import replace

    from tengen.players.alphazero import PLAY, AlphaZeroPlayer, PlayOptions

    options = replace(PLAY, c_puct=c_puct, formula=formula, gumbel=gumbel, solver=solver, vcf_nodes=vcf_nodes,
                      random_symmetry=symmetry, temperature=1.0)  # fmt: skip
    play = PlayOptions(sims, batch, temperature_moves, reuse)
    return AlphaZeroPlayer.from_model(model, options, play, threads, seed, memory_mb)


def _dqn(model: str, seed: int) -> Player:
    from tengen.players.dqn import DqnPlayer

    return DqnPlayer(model, seed)


PLAYERS: dict[str, PlayerEntry] = {
    "random": PlayerEntry("any legal move", _random, {"seed": SEED}),
    "dqn": PlayerEntry(
        "a Q-network in one forward pass",
        _dqn,
        {"model": Option("dqn-7", "bundled model or path of an .onnx file"), "seed": SEED},
    ),
    "greedy": PlayerEntry("one stone ahead: win, block, build, in that order", _greedy, {"seed": SEED}),
    "weight": PlayerEntry("largest sum of attack and defence in a score table", _weight, {"seed": SEED}),
    "alphabeta": PlayerEntry(
        "our strong engine: principal-variation search on threats",
        _alphabeta,
        {
            "threads": Option(1, "threads that search together; with one, nodes limits are reproducible"),
            "hash_mb": Option(64, "megabytes of the transposition table"),
            "depth": Option(0, "most moves looked ahead, 0 for no limit"),
            "seed": SEED,
        },
    ),
    "alphazero": PlayerEntry(
        "tree search guided by a network that learned from its own games",
        _alphazero,
        {
            "model": Option(
                "tengen", "a bundled network by name, or the path of an .onnx or .safetensors file with its card"
            ),
            "sims": Option(400, "simulations a move; 0: as many as the limit allows"),
            "batch": Option(4, "positions evaluated at once"),
            "c_puct": Option(0.0, "weight of the network's moves against values found; 0: what suits the network"),
            "formula": Option("puct", "puct, or printed (the exploration term as printed in Liu & Qiu 2025)"),
            "gumbel": Option(False, "choose among the root's moves by sequential halving; good for few simulations"),
            "solver": Option(True, "settle wins, blocks, open fours and continuous fours without the network"),
            "vcf_nodes": Option(
                -1,
                "nodes of a search for continuous fours at each leaf (solver=on); 0: none, -1: what suits the network",
            ),
            "temperature_moves": Option(0, "until so many stones stand, draw moves by visits for variety"),
            "symmetry": Option(False, "show positions to the network under random symmetries"),
            "reuse": Option(False, "keep the tree from move to move"),
            "threads": Option(1, "threads of the network, or of the search with a line network"),
            "memory_mb": Option(256.0, "megabytes of the tree with a line network"),
            "seed": SEED,
        },
    ),
    "minimax": PlayerEntry(
        "alpha-beta to a fixed depth on shapes",
        _minimax,
        {
            "depth": Option(3, "moves looked ahead, 1 to 8"),
            "random_depth": Option(False, "look 2 or 3 moves ahead, drawn anew at each move"),
            "seed": SEED,
        },
    ),
    "mcts": PlayerEntry(
        "pure Monte Carlo tree search: UCB1, random rollouts",
        _mcts,
        {
            "playouts": Option(1000, "random games a move; 0: as many as the limit allows"),
            "playouts_max": Option(0, "draw the number from playouts to this at each move; 0: always playouts"),
            "c": Option(1.4142135623730951, "exploration, 0 to 100; the square root of 2 is UCB1"),
            "rollout_limit": Option(0, "moves after which a random game is a draw; 0: none"),
            "seed": SEED,
        },
    ),
    "human": PlayerEntry("a person at the terminal, who types moves such as h8", _human, {}),
    "gomocup": PlayerEntry(
        "another program that speaks the Gomocup protocol",
        _gomocup,
        {
            "cmd": Option("", "the command that starts it; may hold blanks, not commas"),
            "memory": Option(350, "megabytes its processes may use together, 0 for no limit"),
            "tolerance": Option(1.0, "seconds past the limit that are forgiven"),
            "suspend": Option(False, "stop it while the opponent thinks"),
        },
    ),
}


def parse_spec(spec: str) -> tuple[str, dict[str, Any]]:
    """Splits `name:key=value,key=value` and checks it against the table. Values may not hold commas."""
    name, _, rest = spec.strip().partition(":")
    if name not in PLAYERS:
        raise SpecError(f"unknown player '{name}'; choose one of {', '.join(sorted(PLAYERS))}")
    options = PLAYERS[name].options
    values: dict[str, Any] = {}
    for item in filter(None, rest.split(",")):
        key, equals, text = item.partition("=")
        if key not in options or not equals:
            known = ", ".join(options) or "none"
            raise SpecError(f"player '{name}' has no option '{key}'; its options: {known}")
        values[key] = _convert(name, key, text, options[key].default)
    return name, values


def create(spec: str, **overrides: Any) -> Player:
    """The player a spec names. `overrides` (such as seed=7) fill in options the spec leaves open."""
    name, values = parse_spec(spec)
    player = PLAYERS[name]
    filled = {key: option.default for key, option in player.options.items()}
    filled |= {key: value for key, value in overrides.items() if key in filled}
    return player.make(**(filled | values))


def _convert(name: str, key: str, text: str, default: Any) -> Any:
    try:
        if isinstance(default, bool):
            return {"on": True, "off": False, "true": True, "false": False, "1": True, "0": False}[text.lower()]
        return type(default)(text)
    except (ValueError, KeyError):
        kind = "on or off" if isinstance(default, bool) else {int: "a whole number", float: "a number"}[type(default)]
        raise SpecError(f"player '{name}': {key}={text} is not {kind}") from None

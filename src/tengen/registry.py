"""Players by name: `minimax:depth=3`, `alphazero:model=enhanced-9,sims=400`.

One table of name -> Player. A factory imports what it needs when it is called, so naming a player costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tengen.agents.base import Agent


class SpecError(ValueError):
    """A player spec that names nothing we have; the message lists what exists."""


@dataclass(frozen=True, slots=True)
class Option:
    """One key of a spec. `default` also tells the type: int, float, bool (on/off) or str."""

    default: int | float | bool | str
    help: str


@dataclass(frozen=True, slots=True)
class Player:
    help: str
    make: Callable[..., Agent]
    options: dict[str, Option]


SEED = Option(0, "seed of the player's random choices")


def _random(seed: int) -> Agent:
    from tengen.agents.random import RandomAgent

    return RandomAgent(seed)


def _greedy(seed: int) -> Agent:
    from tengen.agents.greedy import GreedyAgent

    return GreedyAgent(seed)


def _minimax(depth: int, random_depth: bool, seed: int) -> Agent:
    from tengen.agents.minimax import MinimaxAgent

    return MinimaxAgent(depth, random_depth, seed)


def _weight(seed: int) -> Agent:
    from tengen.agents.weight import WeightAgent

    return WeightAgent(seed)


def _mcts(playouts: int, playouts_max: int, c: float, rollout_limit: int, seed: int) -> Agent:
    from tengen.agents.mcts import MctsAgent

    return MctsAgent(playouts, playouts_max, c, rollout_limit, seed)


def _alphabeta(threads: int, hash_mb: int, depth: int, seed: int) -> Agent:
    from tengen.agents.alphabeta import AlphaBetaAgent

    return AlphaBetaAgent(threads, hash_mb, depth, seed)


def _human() -> Agent:
    from tengen.agents.human import HumanAgent

    return HumanAgent(input)


def _gomocup(cmd: str, memory: int, tolerance: float, suspend: bool) -> Agent:
    from tengen.protocol.external import ExternalAgent, Terms

    return ExternalAgent(cmd, Terms(memory_mb=memory, tolerance=tolerance, suspend=suspend))


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
    seed: int,
) -> Agent:
    from dataclasses import replace

    from tengen.agents.alphazero import PLAY, AlphaZeroAgent, Style

    options = replace(PLAY, c_puct=c_puct, formula=formula, gumbel=gumbel, solver=solver, vcf_nodes=vcf_nodes,
                      random_symmetry=symmetry, temperature=1.0)  # fmt: skip
    style = Style(sims, batch, temperature_moves, reuse)
    return AlphaZeroAgent.from_model(model, options, style, threads, seed)


def _dqn(model: str, seed: int) -> Agent:
    from tengen.agents.dqn import DqnAgent

    return DqnAgent(model, seed)


PLAYERS: dict[str, Player] = {
    "random": Player("any legal move", _random, {"seed": SEED}),
    "dqn": Player(
        "a Q-network in one forward pass",
        _dqn,
        {"model": Option("dqn-7", "bundled model or path of an .onnx file"), "seed": SEED},
    ),
    "greedy": Player("one stone ahead: win, block, build, in that order", _greedy, {"seed": SEED}),
    "weight": Player("largest sum of attack and defence in a score table", _weight, {"seed": SEED}),
    "alphabeta": Player(
        "our strong engine: principal-variation search on threats",
        _alphabeta,
        {
            "threads": Option(1, "threads that search together; with one, nodes limits are reproducible"),
            "hash_mb": Option(64, "megabytes of the transposition table"),
            "depth": Option(0, "most moves looked ahead, 0 for no limit"),
            "seed": SEED,
        },
    ),
    "alphazero": Player(
        "tree search guided by a network that learned from its own games",
        _alphazero,
        {
            "model": Option("tengen", "a bundled network by name, or the path of an .onnx file with its card"),
            "sims": Option(400, "simulations a move; 0: as many as the limit allows"),
            "batch": Option(4, "positions evaluated at once"),
            "c_puct": Option(2.0, "weight of the network's moves against values found"),
            "formula": Option("puct", "puct, or printed (the exploration term as the source prints it)"),
            "gumbel": Option(False, "choose among the root's moves by sequential halving; good for few simulations"),
            "solver": Option(True, "settle wins, blocks, open fours and continuous fours without the network"),
            "vcf_nodes": Option(200, "nodes of a search for continuous fours at each leaf (solver=on); 0: none"),
            "temperature_moves": Option(0, "until so many stones stand, draw moves by visits for variety"),
            "symmetry": Option(False, "show positions to the network under random symmetries"),
            "reuse": Option(False, "keep the tree from move to move"),
            "threads": Option(1, "threads of the network"),
            "seed": SEED,
        },
    ),
    "minimax": Player(
        "alpha-beta to a fixed depth on shapes",
        _minimax,
        {
            "depth": Option(3, "moves looked ahead, 1 to 8"),
            "random_depth": Option(False, "look 2 or 3 moves ahead, drawn anew at each move"),
            "seed": SEED,
        },
    ),
    "mcts": Player(
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
    "human": Player("a person at the terminal, who types moves such as h8", _human, {}),
    "gomocup": Player(
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


def create(spec: str, **overrides: Any) -> Agent:
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

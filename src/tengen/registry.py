"""Players by name: `minimax:depth=3`, `alphazero:model=enhanced-9,sims=400`.

One table of name -> PlayerEntry, and what plugins add to it (tengen.plugins). A factory imports what it needs when it
is called, so naming a player costs nothing.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tengen import plugins
from tengen.errors import TengenError
from tengen.players.base import Player


class SpecError(TengenError):
    """A player spec that names nothing we have; the message lists what exists."""


@dataclass(frozen=True, slots=True)
class Option:
    """One key of a spec. `default` also gives the type: int, float, bool (on/off) or str.

    Numbers lie in `least` to `most`, texts among `choices` where there are any. Players rely on that.
    """

    default: int | float | bool | str
    help: str
    least: float = -math.inf
    most: float = math.inf
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerEntry:
    help: str
    make: Callable[..., Player]
    options: dict[str, Option]


SEED = Option(0, "seed of the player's random choices", -(2**63), 2**64 - 1)
PROVIDER = Option("cpu", "onnxruntime provider that runs the network: cpu, cuda, coreml or another, or auto")
MOST_MB = 16_384


def _random(seed: int) -> Player:
    from tengen.players.one_stone import OneStonePlayer, any_legal

    return OneStonePlayer(any_legal, seed)


def _greedy(seed: int) -> Player:
    from tengen.players.one_stone import OneStonePlayer, greedy

    return OneStonePlayer(greedy, seed)


def _weight(seed: int) -> Player:
    from tengen.players.one_stone import OneStonePlayer, weight

    return OneStonePlayer(weight, seed)


def _minimax(depth: int, random_depth: bool, seed: int) -> Player:
    from tengen.players.minimax import MinimaxPlayer

    return MinimaxPlayer(depth, random_depth, seed)


def _mcts(playouts: int, playouts_max: int, c: float, rollout_limit: int, memory_mb: int, seed: int) -> Player:
    from tengen.players.mcts import MctsPlayer

    return MctsPlayer(playouts, playouts_max, c, rollout_limit, memory_mb, seed)


def _alphabeta(threads: int, hash_mb: int, depth: int, nodes: int, network: str, seed: int) -> Player:
    from tengen.players.alphabeta import AlphaBetaPlayer

    return AlphaBetaPlayer(threads, hash_mb, depth, seed, nodes, network)


def _person(sees: float, reads: float, nodes: int, seed: int) -> Player:
    from tengen.players.person import PersonPlayer

    return PersonPlayer(sees, reads, nodes, seed)


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
    memory_mb: int,
    threads: int,
    provider: str,
    seed: int,
) -> Player:
    from dataclasses import replace

    from tengen.players.alphazero import PLAY, AlphaZeroPlayer, PlayOptions

    options = replace(PLAY, c_puct=c_puct, formula=formula, gumbel=gumbel, solver=solver, vcf_nodes=vcf_nodes,
                      random_symmetry=symmetry, temperature=1.0)  # fmt: skip
    play = PlayOptions(sims, batch, temperature_moves, reuse, memory_mb)
    return AlphaZeroPlayer.from_model(model, options, play, threads, seed, provider)


def _dqn(model: str, provider: str, seed: int) -> Player:
    from tengen.players.dqn import DqnPlayer

    return DqnPlayer(model, seed, provider)


PLAYERS: dict[str, PlayerEntry] = {
    "random": PlayerEntry("plays a random legal move", _random, {"seed": SEED}),
    "dqn": PlayerEntry(
        "plays the move with the largest Q-value of a network, without search",
        _dqn,
        {
            "model": Option("dqn-7", "name of a bundled model, or path of an .onnx file"),
            "provider": PROVIDER,
            "seed": SEED,
        },
    ),
    "greedy": PlayerEntry("looks one move ahead: win, block or build, in that order", _greedy, {"seed": SEED}),
    "weight": PlayerEntry("plays the cell with the largest sum of attack and defence scores", _weight, {"seed": SEED}),
    "alphabeta": PlayerEntry(
        "our strong engine: principal variation search with a threat solver",
        _alphabeta,
        {
            "threads": Option(1, "search threads; with 1, searches limited by nodes are reproducible", 1, 64),
            "hash_mb": Option(48, "size of the transposition table in megabytes", 1, MOST_MB),
            "depth": Option(0, "maximum search depth; 0: no limit", 0, 100),
            "nodes": Option(0, "maximum nodes per move; 0: no limit", 0, 10**12),
            "network": Option(
                "auto", "line network that evaluates positions; auto: the bundled one, none: tables only"
            ),
            "seed": SEED,
        },
    ),
    "alphazero": PlayerEntry(
        "tree search guided by a network that learned from its own games",
        _alphazero,
        {
            "model": Option(
                "lines", "name of a bundled network, or path of an .onnx or .safetensors file with its card"
            ),
            "sims": Option(400, "simulations per move; 0: as many as the limit allows", 0, 10**9),
            "batch": Option(4, "positions evaluated in one batch", 1, 256),
            "c_puct": Option(
                0.0, "weight of the network's policy against the value in PUCT; 0: the default for the network", 0, 100
            ),
            "formula": Option(
                "puct",
                "puct, or printed (the exploration term as printed in Liu & Qiu 2025)",
                choices=("puct", "printed"),
            ),
            "gumbel": Option(False, "choose the root move by sequential halving; good with few simulations"),
            "solver": Option(True, "resolve wins, blocks, open fours and continuous fours without the network"),
            "vcf_nodes": Option(
                -1,
                "nodes of the VCF search at each leaf (solver=on); 0: no search, -1: the default for the network",
                -1,
                10**6,
            ),
            "temperature_moves": Option(0, "sample moves by visits, for variety, up to this many stones", 0, 1000),
            "symmetry": Option(False, "evaluate positions under random symmetries"),
            "reuse": Option(False, "keep the search tree from move to move"),
            "memory_mb": Option(256, "maximum size of the search tree in megabytes", 1, MOST_MB),
            "threads": Option(1, "threads of the network; with a line network, search threads", 1, 64),
            "provider": PROVIDER,
            "seed": SEED,
        },
    ),
    "person": PlayerEntry(
        "makes human mistakes: overlooks threats, plays near other stones, reads ahead only now and then",
        _person,
        {
            "sees": Option(0.5, "how much it sees; 0: a complete beginner, 1: overlooks nothing", 0, 1),
            "reads": Option(0.0, "fraction of moves for which it reads ahead", 0, 1),
            "nodes": Option(200, "nodes of the alphabeta search when it reads ahead", 1, 10**9),
            "seed": SEED,
        },
    ),
    "minimax": PlayerEntry(
        "alpha-beta search to a fixed depth, evaluating shapes",
        _minimax,
        {
            "depth": Option(3, "search depth, 1 to 8", 1, 8),
            "random_depth": Option(False, "search to depth 2 or 3, chosen at random for each move"),
            "seed": SEED,
        },
    ),
    "mcts": PlayerEntry(
        "pure Monte Carlo tree search: UCB1, random rollouts",
        _mcts,
        {
            "playouts": Option(1000, "playouts (random games) per move; 0: as many as the limit allows", 0, 10**9),
            "playouts_max": Option(
                0, "draw the number for each move between playouts and this; 0: always playouts", 0, 10**9
            ),
            "c": Option(1.4142135623730951, "exploration constant, 0 to 100; the square root of 2 is UCB1", 0, 100),
            "rollout_limit": Option(0, "moves after which a playout counts as a draw; 0: no limit", 0, 10**6),
            "memory_mb": Option(
                78, "maximum size of the search tree in megabytes; a full tree stops growing", 1, MOST_MB
            ),
            "seed": SEED,
        },
    ),
    "human": PlayerEntry("a person at the terminal, who types moves such as h8", _human, {}),
    "gomocup": PlayerEntry(
        "another program that speaks the Gomocup protocol",
        _gomocup,
        {
            "cmd": Option("", "command that starts it; may contain spaces but no commas"),
            "memory": Option(350, "memory limit for all its processes together, in megabytes; 0: no limit", 0, 10**6),
            "tolerance": Option(1.0, "seconds by which it may exceed the time limit", 0, 3600),
            "suspend": Option(False, "suspend it while the opponent thinks"),
        },
    ),
}


def players() -> dict[str, PlayerEntry]:
    """Every player that can be named: those of the table, then those of plugins that work."""
    found = plugins.discover(plugins.PLAYERS).plugins
    outside = {}
    for name in sorted(found.keys() - PLAYERS.keys()):
        try:
            outside[name] = _plugin_entry(found[name])
        except plugins.PluginError:
            continue  # problems() reports it
    return PLAYERS | outside


def problems() -> list[str]:
    """One line for each plugin that is meant to be a player and is none."""
    found = plugins.discover(plugins.PLAYERS)
    lines = list(found.problems)
    for name, plugin in found.plugins.items():
        if name in PLAYERS:
            lines.append(f"plugin '{name}' of {plugin.source} is left out: there is a player of that name already")
            continue
        try:
            _plugin_entry(plugin)
        except plugins.PluginError as error:
            lines.append(str(error))
    return lines


def entry(name: str) -> PlayerEntry:
    """The player of a name. Raises SpecError listing what exists, PluginError for a plugin that does not work."""
    if name in PLAYERS:
        return PLAYERS[name]
    found = plugins.discover(plugins.PLAYERS).plugins
    if name in found:
        return _plugin_entry(found[name])
    unusable = "".join(f"; {line}" for line in problems())
    raise SpecError(f"unknown player '{name}'; choose one of {', '.join(sorted(players()))}{unusable}")


def _plugin_entry(plugin: plugins.Plugin) -> PlayerEntry:
    """A plugin is a PlayerEntry, or a class or function whose arguments with their defaults are the options."""
    thing = plugin.load()
    if isinstance(thing, PlayerEntry):
        return thing
    try:
        if not callable(thing):
            raise TengenError("it is neither a class nor a function nor a PlayerEntry")
        options = {p.name: _option(p) for p in inspect.signature(thing).parameters.values()}
    except ValueError as error:
        raise plugins.broken(plugin.name, plugin.source, error) from None
    return PlayerEntry((inspect.getdoc(thing) or f"from {plugin.source}").splitlines()[0], thing, options)


def _option(parameter: inspect.Parameter) -> Option:
    if parameter.name == "seed":
        return SEED
    if not isinstance(parameter.default, bool | int | float | str):
        raise TengenError(f"argument '{parameter.name}' needs a default that is a number, a text, True or False")
    return Option(parameter.default, "see the plugin")


def parse_spec(spec: str) -> tuple[str, dict[str, Any]]:
    """Splits `name:key=value,key=value` and checks it against the table. Values may not hold commas."""
    name, _, rest = spec.strip().partition(":")
    if not spec.isprintable():
        raise SpecError("a player spec must be printable text")
    options = entry(name).options
    values: dict[str, Any] = {}
    for item in filter(None, rest.split(",")):
        key, equals, text = item.partition("=")
        if key not in options or not equals:
            known = ", ".join(options) or "none"
            raise SpecError(f"player '{name}' has no option '{key}'; its options: {known}")
        values[key] = _checked(name, key, _convert(name, key, text, options[key].default), options[key])
    return name, values


def create(spec: str, **overrides: Any) -> Player:
    """The player a spec names. `overrides` (such as seed=7) fill in options the spec leaves open."""
    name, values = parse_spec(spec)
    player = entry(name)
    filled = {key: option.default for key, option in player.options.items()}
    for key in overrides.keys() & filled.keys():
        filled[key] = _checked(name, key, overrides[key], player.options[key])
    return player.make(**(filled | values))


def _convert(name: str, key: str, text: str, default: Any) -> Any:
    try:
        if isinstance(default, bool):
            return {"on": True, "off": False, "true": True, "false": False, "1": True, "0": False}[text.lower()]
        return type(default)(text)
    except (ValueError, KeyError):
        kind = "on or off" if isinstance(default, bool) else {int: "a whole number", float: "a number"}[type(default)]
        raise SpecError(f"player '{name}': {key}={_short(text)} is not {kind}") from None


def _checked(name: str, key: str, value: Any, option: Option) -> Any:
    """The value, when the option may have it. Not-a-number lies in no range."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        if not option.least <= value <= option.most or value in (math.inf, -math.inf):
            raise SpecError(f"{name}: {key}={_short(value)} is not supported; choose {_range(option)}")
    elif option.choices and value not in option.choices:
        raise SpecError(f"{name}: {key}={_short(value)} is not supported; choose {' or '.join(option.choices)}")
    return value


def _range(option: Option) -> str:
    return "a finite number" if math.isinf(option.most) else f"{option.least} to {option.most}"


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:40] + "..."

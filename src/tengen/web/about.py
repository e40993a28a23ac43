"""What can be chosen, told to the page once: rules, sizes, players, levels and networks. Nothing is listed twice."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from tengen import __version__
from tengen.inference.models import ENGINE_NETWORKS
from tengen.lab.levels import Level, read_scale
from tengen.players.alphazero import policy_temperature
from tengen.registry import Option, players
from tengen.rules import MAX_K, MAX_SIZE, MIN_K, Rule
from tengen.web.networks import browser_file, network, network_names, player_of
from tengen.web.seats import SERVER_OPTIONS, UNSAFE_PLAYERS, exists, levels
from tengen.web.static_files import BROWSER_ENGINE

USUAL_SIZES = (9, 13, 15, 19, 20)


class Sizes(BaseModel):
    """Sides from `k` (at least `least`) to `most`; `usual` are the ones to offer first."""

    least: int = MIN_K
    most: int = MAX_SIZE
    usual: tuple[int, ...] = USUAL_SIZES


class Network(BaseModel):
    """What a network plays. With `size_free` it plays every size."""

    name: str
    player: str
    width: int
    height: int
    k: int
    rule: Rule
    size_free: bool
    parameters: int
    tactics: dict[str, float]
    """Percent of the tactics probe solved without the solver: `policy/KIND`, `search/KIND`, `untrained/KIND`."""
    file: str | None
    """For the browser's engine, if it plays this network: its name in the folder of networks."""
    policy_temperature: float | None


class PlayerCard(BaseModel):
    help: str
    options: dict[str, Option]


class About(BaseModel):
    version: str = __version__
    rules: tuple[Rule, ...] = tuple(Rule)
    sizes: Sizes = Sizes()
    in_a_row: tuple[int, ...] = tuple(range(MIN_K, MAX_K + 1))
    players: dict[str, PlayerCard]
    levels: dict[int, tuple[Level, ...]]
    networks: tuple[Network, ...]
    engine_networks: dict[Rule, str] = ENGINE_NETWORKS
    """By which alphabeta values positions."""
    browser_engine: bool
    """The engine for browsers is here: pages may search for themselves."""


def about() -> About:
    """Not players whose own network is not installed."""
    shown = {name: entry for name, entry in players().items() if name not in UNSAFE_PLAYERS and exists(name)}
    cards = {
        name: PlayerCard(
            help=entry.help, options={k: o for k, o in entry.options.items() if k not in SERVER_OPTIONS}
        )
        for name, entry in shown.items()
    }  # fmt: skip
    return About(
        players=cards,
        levels={side: levels(side) for side in read_scale().boards},
        networks=tuple(map(_network, network_names())),
        browser_engine=BROWSER_ENGINE.exists(),
    )


def _network(name: str) -> Network:
    model = network(name)
    card, variant = model.card, model.variant
    return Network(name=name, player=player_of(model), width=variant.width, height=variant.height,
                   k=variant.k, rule=variant.rule, size_free=model.size_free,
                   parameters=int(card.get("parameters", 0)), tactics=_tactics(card), file=browser_file(model),
                   policy_temperature=policy_temperature(model) if model.native else None)  # fmt: skip


def _tactics(card: dict[str, Any]) -> dict[str, float]:
    """Cards of exported runs hold scores of matches beside the probe."""
    given = card.get("tactics") or {}
    return {key: value for key, value in given.items() if key.split("/")[0] in ("policy", "search", "untrained")}

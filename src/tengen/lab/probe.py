"""The tactics probe of whole models: bundled ones, one's own, and untrained twins as controls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tengen.files import read_json, write_atomic, write_json
from tengen.inference.models import BUNDLED, UNTRAINED, Model, bundled_models, load_model
from tengen.provenance import origin
from tengen.registry import create, entry, parse_spec
from tengen.rules import Limit, Variant
from tengen.training.samples.tactics import KINDS, TITLES, probe_positions, solved

GATED = ("five", "block")
GATE = 99.0
"""Percent of the gated kinds that a bundled network finds by search, unless it is named as an exhibit."""
SEES = (
    "Sees: percent of fives at hand / fives to block that the network finds by search without the solver, and what the "
    "same network finds untrained."
)
RECORD = "tactics.json"
EXHIBITS = {
    "base-8": "the network of Liu & Qiu (2025)",
    "base-9": "the network of Liu & Qiu (2025)",
    "base-15": "the network of Liu & Qiu (2025)",
    "enhanced-9": "the network of the 9x9 research report",
    "weight-enhanced-9": "a method of the 9x9 research report",
    "distilled-9": "a method of the 9x9 research report",
    "dqn-7": "Q-learning, one forward pass",
    "dqn-9": "Q-learning, one forward pass",
    "tengen": "trained on games that ended when the solver had a proof",
}
"""Bundled networks that do not pass the gate without the solver, and what they are kept for."""


@dataclass(frozen=True, slots=True)
class ProbeRow:
    """Percent solved of each kind, without the solver."""

    model: str
    checksum: str
    board: str
    positions: int
    sims: int
    policy: dict[str, float]
    search: dict[str, float]

    @property
    def passes(self) -> bool:
        return all(self.search[kind] >= GATE for kind in GATED)


def probe_model(
    source: str | Model, sims: int, count: int, variant: Variant | None = None, kinds: tuple[str, ...] = KINDS
) -> ProbeRow:
    """Has the network choose in `count` positions of each kind: by its first choice, and after `sims` simulations."""
    model = source if isinstance(source, Model) else load_model(source)
    board = variant or model.variant
    probes = probe_positions(board, count, kinds)
    found = {how: solved(probes, board, _chooser(model, n), "") for how, n in (("policy", 1), ("search", sims))}
    checksum = "" if model.data else model.checksum
    searched = 1 if model.encoding == "q-stones" else sims
    return ProbeRow(model.name, checksum, str(board), count, searched, found["policy"], found["search"])


def _chooser(model: Model, sims: int) -> Any:
    if model.encoding == "q-stones":
        player = create("dqn", model=model)
    else:
        player = create("alphazero", model=model, sims=sims, solver=False)
    return lambda board: player.choose(board, Limit()).move


def write_record(folder: Path, rows: Sequence[ProbeRow]) -> None:
    """The rows as data and as a table."""
    write_json(folder / RECORD, {"rows": [asdict(row) for row in rows]} | origin())
    write_atomic(folder / "README.md", probe_markdown(rows))


def read_record(folder: Path) -> list[ProbeRow]:
    return [ProbeRow(**row) for row in read_json(folder / RECORD)["rows"]]


def card_tactics(row: ProbeRow, control: ProbeRow | None = None) -> dict[str, float]:
    """What a card says of the probe, in the words of an exported run: `policy/five`, `search/five`, and
    `untrained/five` for the search of the same network before it learned."""
    parts = {"policy": row.policy, "search": row.search} | ({"untrained": control.search} if control else {})
    return {f"{how}/{kind}": percent for how, solved in parts.items() for kind, percent in solved.items()}


def seen(spec: str) -> str:
    """What the network of a player sees by search without the solver, by its card: percent of fives at hand and of
    fives to block, and the same of its untrained twin; empty for a player without a network."""
    name, values = parse_spec(spec)
    options = entry(name).options
    if "model" not in options:
        return ""
    tactics = load_model(values.get("model", options["model"].default)).card.get("tactics", {})
    own, twin = ([tactics.get(f"{how}/{kind}") for kind in GATED] for how in ("search", "untrained"))
    if None in own:
        return "not probed"
    text = " / ".join(f"{percent:.0f}" for percent in own)
    return text if None in twin else f"{text}, untrained {' / '.join(f'{percent:.0f}' for percent in twin)}"


def write_cards(rows: Sequence[ProbeRow], folder: Path = BUNDLED) -> None:
    """Enters the rows into the cards of a folder of models."""
    found = {row.model: row for row in rows}
    for path in sorted(folder.glob("*.json")):
        if row := found.get(path.stem):
            tactics = card_tactics(row, found.get(f"{path.stem}{UNTRAINED}"))
            write_json(path, read_json(path) | {"tactics": tactics})


def every_bundled(sims: int, count: int) -> list[ProbeRow]:
    return [probe_model(name, sims, count) for name in bundled_models()]


def probe_markdown(rows: Sequence[ProbeRow]) -> str:
    lines = ["# Tactics probe", "",
             "Percent of positions solved without the solver. The positions come from no network: games of the score "
             "table with one random move in four. Each cell: the network's first choice / search.", "",
             "| model | board | positions | simulations | " + " | ".join(TITLES[kind] for kind in KINDS) + " |",
             "|---" * (4 + len(KINDS)) + "|"]  # fmt: skip
    for row in rows:
        cells = " | ".join(f"{row.policy[kind]:.0f} / {row.search[kind]:.0f}" for kind in KINDS)
        lines.append(f"| {row.model} | {row.board} | {row.positions} | {row.sims} | {cells} |")
    return "\n".join(lines) + "\n"

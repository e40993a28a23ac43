"""The tactics probe of whole models: bundled ones, one's own, and untrained twins as controls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tengen.files import read_json, write_atomic, write_json
from tengen.inference.models import Model, bundled_models, file_sha256, load_model
from tengen.provenance import origin
from tengen.registry import create
from tengen.rules import Limit, Variant
from tengen.training.samples.tactics import KINDS, TITLES, probe_positions, solved

GATED = ("five", "block")
GATE = 99.0
"""Percent of the gated kinds that a bundled network finds by search, unless it is named as an exhibit."""
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
    "lines-renju": "misses a five now and then",
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
    checksum = "" if model.data else file_sha256(model.path)
    searched = 1 if model.encoding == "q-stones" else sims
    return ProbeRow(model.name, checksum, str(board), count, searched, found["policy"], found["search"])


def _chooser(model: Model, sims: int) -> Any:
    if model.encoding == "q-stones":
        player = create("dqn", model=model)
    else:
        player = create("alphazero", model=model, sims=sims, solver=False)
    return lambda board: player.choose(board, Limit()).move


def untrained(model: Model, seed: int = 1) -> Model:
    """The same network with the weights it would begin with. Needs torch and a card with the recipe."""
    import torch

    from tengen.inference.models import model_from_bytes
    from tengen.nets.network import NetworkSpec, build_network
    from tengen.nets.onnx import export_onnx

    network = model.card["recipe"]["network"]
    known = {"kind", "encoding", "heads"}
    options = {key: value for key, value in network.items() if key not in known and value is not None}
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        spec = NetworkSpec(network["kind"], model.encoding, model.variant.width, model.variant.height, options)
        data = export_onnx(build_network(spec).eval())
    return model_from_bytes(data, model.card | {"name": f"{model.name} untrained"})


def write_record(folder: Path, rows: Sequence[ProbeRow]) -> None:
    """The rows as data and as a table."""
    write_json(folder / RECORD, {"rows": [asdict(row) for row in rows]} | origin())
    write_atomic(folder / "README.md", probe_markdown(rows))


def read_record(folder: Path) -> list[ProbeRow]:
    return [ProbeRow(**row) for row in read_json(folder / RECORD)["rows"]]


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

"""A model as a folder ready for a model hub: weights (safetensors), ONNX, the card, and a page about it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from tengen.files import read_object, write_atomic
from tengen.training.methods import find_method
from tengen.training.run.loop import RunFolder

WEIGHTS = ("average.safetensors", "network.safetensors", "online.safetensors")
"""The first that a checkpoint has is published: averaged weights where there are some."""


def write_hub(run: RunFolder, model: Path, folder: Path, iteration: int | None = None) -> Path:
    """Writes FOLDER/NAME: the exported model with its card, model.safetensors and README.md."""
    target = folder / model.stem
    target.mkdir(parents=True, exist_ok=True)
    card = read_object(model.with_suffix(".json"))
    for file in (model, model.with_suffix(".json")):
        write_atomic(target / file.name, file.read_bytes())
    checkpoint = run.checkpoint(iteration)
    weights = [file for name in WEIGHTS if (file := checkpoint / name).is_file()]
    if weights and model.suffix != ".safetensors":
        shutil.copyfile(weights[0], target / "model.safetensors")
    write_atomic(target / "README.md", hub_page(card, model.name, find_method(run.about()["method"]).player))
    return target


def hub_page(card: dict[str, Any], file: str, player: str) -> str:
    """The page: front matter that hubs read, what it plays, how strong it was measured, how it was trained."""
    size = "any size" if card.get("size_free") else f"{card['width']}x{card['height']}"
    what = f"Gomoku, {size}, {card['k']} in a row, {card['rule']}"
    lines = ["---", "library_name: tengen", "tags: [gomoku, reinforcement-learning, onnx]", "---", "",
             f"# {card['name']}", "", f"A network for {what}.", "",
             f"    tengen play --opponent {player}:model={file}", "",
             f"- Method: {card['method']}; parameters: {card.get('parameters', 'see the card')}; seed {card['seed']}",
             f"- Code: {card.get('revision') or 'unknown'}; processor: {card.get('processor') or 'unknown'}",
             f"- Trained: {_pairs(card.get('training', {}))}", ""]  # fmt: skip
    if card.get("strength"):
        lines += ["| opponent | wins | draws | losses | simulations | solver |", "|---|---|---|---|---|---|"]
        lines += [_row(row) for row in card["strength"]]
        lines += ["", "Games of one opening with both colours; the training run's own ladder."]
    return "\n".join(lines) + "\n"


def _row(row: dict[str, Any]) -> str:
    solver = "on" if row.get("solver") else "off"
    counts = " | ".join(str(row[key]) for key in ("wins", "draws", "losses"))
    return f"| `{row['opponent']}` | {counts} | {row.get('sims', '')} | {solver} |"


def _pairs(values: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value:g}" for key, value in values.items()) or "not recorded"

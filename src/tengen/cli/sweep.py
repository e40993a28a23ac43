"""`tengen sweep`: one training with several seeds and settings."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tengen.cli import options as o

if TYPE_CHECKING:
    from tengen.lab.sweep import Case


def command(
    experiment: Annotated[str, typer.Argument(help="a bundled experiment by name, or a TOML file of settings")],
    seeds: Annotated[int, typer.Option(min=1, max=100, help="runs per variant, with seeds starting at 1")] = 5,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="settings to compare, such as learn.rate=1e-3,1e-4")
    ] = None,
    variant: Annotated[
        list[str] | None, typer.Option(help='a variant by name: "fixed: learn.kl_target=0 learn.rate=1e-3"')
    ] = None,
    common: Annotated[list[str] | None, typer.Option(help="a setting for all runs, such as budget.games=200")] = None,
    metric: Annotated[list[str] | None, typer.Option(help="metric to compare (default: the ladder's scores)")] = None,
    out: Annotated[Path | None, typer.Option(file_okay=False, help="folder (default: runs/sweeps/EXPERIMENT)")] = None,
    budget: o.Budget = "",
    workers: Annotated[str, typer.Option(help="number of local processes per run, or ray")] = "1",
    import_: o.Import = None,
) -> None:
    """Train each variant with several seeds and compare them: interquartile means, bands, curves. Can be resumed."""
    from tengen.files import write_atomic
    from tengen.lab.sweep import Sweep, cases, parse_variants
    from tengen.lab.sweep_report import draw_sweep, sweep_curves, sweep_markdown

    name = Path(experiment).stem
    todo = cases(experiment, parse_variants(set_ or [], variant or []), seeds, common or [])
    sweep = Sweep(out or Path("runs/sweeps") / name, name, todo)

    def show(case: Case, number: int) -> None:
        print(f"run {number + 1} of {len(todo)}: {case.name}", file=sys.stderr, flush=True)

    done = sweep.run(workers, time.monotonic() + o.parse_duration(budget), show)
    text = sweep_markdown(sweep, metric or [])
    write_atomic(sweep.folder / "results.md", text)
    if done:
        draw_sweep(sweep, sweep.folder / "curves.png", metric or [])
    print(text)
    print(sweep_curves(sweep, metric or []))
    print(f"written to {sweep.folder / 'results.md'}", file=sys.stderr)

"""`tengen bench`: the speed of the core and the signatures of its searches."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from tengen.cli import options as o
from tengen.lab.bench import CASES, measure
from tengen.lab.signature import signatures


def command(
    as_json: o.AsJson = False,
    seconds: Annotated[float, typer.Option(min=0.01, max=600, help="seconds per case")] = 1.0,
    only_signatures: Annotated[bool, typer.Option("--signatures", help="print the signatures only, as JSON")] = False,
) -> None:
    """Measure the core on one thread, in work per second of processor time.

    `ratio` is the speed in thousandths of a fixed integer loop measured in the same run, and can be compared between
    machines. A search's signature changes whenever its behaviour changes.
    """
    if only_signatures:
        print(json.dumps(signatures(), indent=2))
        return
    rates = measure(seconds)
    reference = rates["reference_per_s"]
    ratios = {key: 1000 * rates[key] / reference for key in CASES}
    if as_json:
        rounded = {key: round(rate) for key, rate in rates.items()}
        shares = {key: float(f"{ratio:.4g}") for key, ratio in ratios.items()}
        print(json.dumps(rounded | {"ratios": shares, "signatures": signatures()}))
        return
    print(f"{'':18} {'per second':>12}  {'ratio':>8}")
    for key, (text, _) in CASES.items():
        print(f"{key:18} {rates[key]:12,.0f}  {ratios[key]:8.3f}  {text}")
    print(f"{'reference_per_s':18} {reference:12,.0f}  {1000:8.0f}  a fixed integer loop")
    print("signatures: " + ", ".join(f"{name} {value}" for name, value in signatures().items()))

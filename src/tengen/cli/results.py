"""`tengen results check`: the printed figures against the records they come from."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tengen.errors import TengenError


class Action(StrEnum):
    CHECK = "check"


def command(
    action: Annotated[Action, typer.Argument(help="check: recompute every table and figure from its records")],
    root: Annotated[Path, typer.Argument(help="source tree that holds results/ and docs/")] = Path(),
) -> None:
    """Check that the published figures follow from the published game records."""
    from tengen.lab.results_check import check_results

    count, wrong = check_results(root.resolve())
    for difference in wrong:
        print(difference)
    if wrong:
        raise TengenError(f"{len(wrong)} of {count} figures and tables do not follow from the records")
    print(f"{count} figures and tables follow from the records")

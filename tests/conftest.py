"""What holds for every test: small thread pools, and no test that silently did not run in continuous integration."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import TypeVar

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

os.environ.setdefault("OMP_NUM_THREADS", "1")  # on small networks waiting threads cost more than they bring


def use_core(folder: Path) -> None:
    """Tests another build of the core than the one beside the Python sources."""
    (path,) = folder.glob("_core*.so")
    loader = importlib.machinery.ExtensionFileLoader("tengen._core", str(path))
    spec = importlib.util.spec_from_file_location("tengen._core", path, loader=loader)
    assert spec
    sys.modules["tengen._core"] = module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)


if "TENGEN_SANITIZED" in os.environ:
    use_core(Path(os.environ["TENGEN_SANITIZED"]))

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


def refuse_skip(report: Report) -> Report:
    """Continuous integration has every tool: there a skipped test is a failed one."""
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"CI is set, so nothing may be skipped, and this was: {reason(report)}"
    return report


def reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    return str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return refuse_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return refuse_skip((yield))


GROUPS = {
    "tests/web/test_page": "browser",
    "tests/web/test_reach": "browser",
    "tests/site": "browser",
    "tests/core/wasm": "engine in the browser",
    "tests/training/run/test_ray": "cluster",
    "tests/training/run/test_resume": "reference run",
}
"""Tests that share something costly: a browser and the page's server, a build, a cluster, a long run."""


class Grouped(LoadScopeScheduling):
    """Tests of a group run in one worker, the largest group first, so that the others are busy beside it to the end.

    xdist has marks for this, which have no effect with pytest 9.2.
    """

    def _split_scope(self, nodeid: str) -> str:
        return next((group for path, group in GROUPS.items() if nodeid.startswith(path)), nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Grouped:
    return Grouped(config, log)

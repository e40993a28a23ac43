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
    "tests/site": "site",
    "tests/core/wasm": "site",
    "tests/training/run/test_ray.py": "ray",
    "tests/lab/test_ab.py": "engines",
    "tests/lab/test_spsa.py": "engines",
    "tests/lab/test_engine_data.py": "engines",
}
"""Tests of several files that share something costly: a build, a cluster."""
LONGEST = ("browser", "site", "ray", "engines")


def group_of(item: pytest.Item) -> str:
    """Tests of a group share a worker: those with a browser or a build in common, else those of a file."""
    file = item.nodeid.partition("::")[0]
    page = "browser" if "chromium" in getattr(item, "fixturenames", ()) else file
    return next((name for path, name in GROUPS.items() if file.startswith(path)), page)


@pytest.hookimpl(tryfirst=True)  # before xdist looks at the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest groups first, so that the others are busy beside them to the end."""
    for item in items:
        item.add_marker(pytest.mark.xdist_group(group_of(item)))
    items.sort(key=lambda item: LONGEST.index(group) if (group := group_of(item)) in LONGEST else len(LONGEST))

"""What holds for every test (tests/conftest.py) holds: skips fail in continuous integration, groups share a worker."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import group_of
from tests.helpers.paths import ROOT

FILES = {
    "a test": "import pytest\ndef test_one() -> None:\n    pytest.skip('no browser')\n",
    "a file": "import pytest\npytest.importorskip('there_is_no_such_module')\n",
}


@pytest.mark.parametrize("skipped", FILES)
def test_a_skip_fails_only_in_continuous_integration(skipped: str, tmp_path: Path) -> None:
    file = tmp_path / "test_skipping.py"
    file.write_text(FILES[skipped])
    options = ["-c", str(ROOT / "pyproject.toml"), "-p", "tests.conftest", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *options, str(file)]
    env = {key: value for key, value in os.environ.items() if key != "CI" and not key.startswith("PYTEST")}
    local = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    strict = subprocess.run(command, cwd=ROOT, env=env | {"CI": "true"}, capture_output=True, text=True)
    assert "SKIPPED [1]" in local.stdout and "failed" not in local.stdout
    assert strict.returncode and "nothing may be skipped" in strict.stdout


def test_workers_see_the_groups(request: pytest.FixtureRequest) -> None:
    """pytest-xdist tells groups by the ends of names; under some versions of pytest it silently fails to."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        assert all(item.nodeid.endswith(f"@{group_of(item)}") for item in request.session.items)

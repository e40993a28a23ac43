"""`make sanitize` tests the core it built, and a sanitizer that finds nothing was really there."""

from __future__ import annotations

import os
from pathlib import Path

from tengen import _core

LIBRARIES = {"address": "libasan", "thread": "libtsan"}


def test_the_core_under_test_is_the_one_that_was_built() -> None:
    """Without TENGEN_SANITIZED the plain core is tested, and no sanitizer may be loaded with it."""
    folder = os.environ.get("TENGEN_SANITIZED", "")
    loaded = Path("/proc/self/maps").read_text()
    there = {name for name, library in LIBRARIES.items() if library in loaded}
    assert there == ({Path(folder).name} if folder else set())
    assert not folder or Path(folder).resolve() in Path(str(_core.__file__)).resolve().parents

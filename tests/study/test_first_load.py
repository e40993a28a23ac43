"""What the study room adds to the first load of the page."""

from __future__ import annotations

import re
from pathlib import Path

import tengen.web

STATIC = Path(tengen.web.__file__).parent / "static"
IMPORT = re.compile(r'^(?:import|export)\b[^;]*?from\s+"(\.[^"]+)"|^import\s+"(\.[^"]+)"', re.MULTILINE)


def loaded_at_once(script: Path, seen: set[Path]) -> set[Path]:
    """A script and what it imports; `import(...)` inside of functions comes later and does not count."""
    if script not in seen:
        seen.add(script)
        for names in IMPORT.findall(script.read_text(encoding="utf-8")):
            loaded_at_once((script.parent / (names[0] or names[1])).resolve(), seen)
    return seen


def test_the_study_room_adds_less_than_60_kb() -> None:
    scripts = loaded_at_once((STATIC / "js" / "main.js").resolve(), set())
    assert len(scripts) > 20  # the imports were understood
    study = [path for path in scripts if path.parent.name == "study"] + [STATIC / "css" / "study.css"]
    assert 0 < sum(path.stat().st_size for path in study) <= 60_000

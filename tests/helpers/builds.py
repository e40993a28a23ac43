"""What a few tests need built first: a fixture that builds may take `PATIENCE`, longer than a test (pyproject.toml)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PATIENCE = 1200
"""Seconds. An empty compiler cache on a slow machine takes minutes."""


def built(script: Path, folder: Path) -> Path:
    subprocess.run([sys.executable, script, folder], check=True, capture_output=True, timeout=PATIENCE)
    return folder

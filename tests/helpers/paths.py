"""Where things stand in the source tree."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"
EXPERIMENTS = SOURCE / "tengen" / "experiments"
DATA = ROOT / "tests" / "data"

"""Where a learner computes: `auto` takes an accelerator if torch finds one."""

from __future__ import annotations

from typing import Literal

import torch

from tengen.errors import TengenError

Device = Literal["auto", "cpu", "cuda", "mps"]


def available() -> list[str]:
    found = ["cuda"] if torch.cuda.is_available() else []
    return [*found, *(["mps"] if torch.backends.mps.is_available() else []), "cpu"]


def chosen(device: str) -> torch.device:
    """The device that a setting names. Raises TengenError with those that exist for one that is not there."""
    found = available()
    if device == "auto":
        return torch.device(found[0])
    if device not in found:
        raise TengenError(f'learn.device = "{device}" is not available here; choose auto or {" or ".join(found)}')
    return torch.device(device)

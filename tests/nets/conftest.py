"""One torch thread: on a shared machine waiting threads cost more than they bring to small networks."""

from __future__ import annotations

import contextlib

with contextlib.suppress(ImportError):
    import torch

    torch.set_num_threads(1)

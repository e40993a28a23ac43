"""One thread per process for numpy and torch: on small networks waiting threads cost more than they bring."""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

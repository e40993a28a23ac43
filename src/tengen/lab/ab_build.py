"""Builds engines as shared libraries: the working tree's, or those of other revisions, each once.

A build lives in a cache folder named by the content of its C++ sources, so a running test keeps the engine it began
with while the sources are edited.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import signal
import subprocess
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from types import FrameType

import numpy as np

from tengen.board import Board
from tengen.errors import TengenError
from tengen.files import write_atomic
from tengen.inference.lines import from_bytes
from tengen.inference.models import engine_network, load_line_model
from tengen.rules import Variant

ROOT = Path(__file__).resolve().parents[3]
"""The checkout. An installed package has no C++ sources beside it."""
SOURCES = ("rules", "solve", "lines", "search", "bench")
MAKER = "cpp/bench/CMakeLists.txt"
NETWORK_SIGN = "line_share"
"""A parameter of engines that can use a network."""
MOST_THREADS = 64


@dataclass(frozen=True, slots=True)
class Parameter:
    """A constant of the engine that can be set in a tuning build."""

    name: str
    value: int
    low: int
    high: int
    meaning: str


@dataclass(frozen=True)
class Engine:
    """A built engine with the parameters that differ from its shipped ones."""

    name: str
    folder: Path
    parameters: dict[str, int] = field(default_factory=dict)
    network: Path | None = None
    """What values positions, as the runner reads it; none: the engine's tables."""
    threads: int = 1

    @property
    def library(self) -> Path:
        return self.folder / "libtengen_engine.so"

    @property
    def key(self) -> str:
        """Equal for engines that play alike: the content of the sources, the parameters, network and threads."""
        network = f" {self.network.stem}" if self.network else ""
        return f"{self.folder.name} {self.settings}{network}" + (f" x{self.threads}" if self.threads > 1 else "")

    @property
    def name_in_files(self) -> str:
        """Sixteen letters for all that makes it play as it does, so that a file of data holds one engine's games."""
        if not (self.network or self.parameters):
            return self.folder.name
        return hashlib.sha256(self.key.encode()).hexdigest()[:16]

    @property
    def settings(self) -> str:
        """As the runner reads it."""
        return ",".join(f"{name}={value}" for name, value in sorted(self.parameters.items())) or "-"


def make_engine(text: str, variant: Variant | None = None) -> Engine:
    """`REVISION`, `name=value,name=value`, `REVISION:name=value` or nothing for the working tree.

    `network=NAME` among the settings is a line network, bundled or a file, or `none`. Without it an engine that is to
    play `variant` gets the bundled network for it, if it is not older than networks. `threads=N` search together.
    """
    revision, _, settings = ("", "", text) if "=" in text.partition(":")[0] else text.partition(":")
    folder = build(revision.strip())
    known = parameters(folder)
    chosen = dict(_pair(item) for item in filter(None, (part.strip() for part in settings.split(","))))
    network = chosen.pop("network", "auto" if NETWORK_SIGN in known else "none")
    if network != "none" and NETWORK_SIGN not in known:
        raise TengenError(f"revision '{revision}' is older than networks; it plays with network=none only")
    threads = _whole("threads", chosen.pop("threads", "1"))
    if not 1 <= threads <= MOST_THREADS:
        raise TengenError(f"threads must be from 1 to {MOST_THREADS}, not {threads}")
    values = {name: check_value(name, _whole(name, value), known) for name, value in chosen.items()}
    return Engine(text or "working tree", folder, values, network_file(network, variant), threads)


def network_file(name: str, variant: Variant | None) -> Path | None:
    """A line network as the engine library reads it (cpp/bench/engine/abi.h); `auto`: the bundled one, if any."""
    if name == "auto":
        model = engine_network(variant) if variant else None
    else:
        model = None if name == "none" else load_line_model(name)
    if model is None:
        return None
    if variant:
        model.check_board(Board(variant))
    shape, tensors = from_bytes(model.path.read_bytes(), model.name)
    data = np.array([shape.channels, shape.hidden], "<i4").tobytes() + shape.flat(tensors).astype("<f4").tobytes()
    path = cache() / "networks" / f"{hashlib.sha256(data).hexdigest()[:16]}.bin"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, data)
    return path


def _pair(item: str) -> tuple[str, str]:
    name, equals, value = item.partition("=")
    if not equals:
        raise TengenError(f"'{item}' is not name=value")
    return name.strip(), value.strip()


def _whole(name: str, value: str) -> int:
    if not value.lstrip("-").isdigit():
        raise TengenError(f"'{name}={value}' is not name=value with a whole number")
    return int(value)


def check_value(name: str, value: int, known: dict[str, Parameter]) -> int:
    if name not in known:
        raise TengenError(f"the engine has no parameter '{name}'; the parameters are {', '.join(known)}")
    if not known[name].low <= value <= known[name].high:
        raise TengenError(f"{name}={value} is out of range; choose {known[name].low} to {known[name].high}")
    return value


def parameters(folder: Path) -> dict[str, Parameter]:
    """What a built engine lets one set, by name."""
    text = _output([str(runner()), "parameters", str(folder / "libtengen_engine.so")])
    rows = [line.split("\t") for line in text.splitlines()]
    return {r[0]: Parameter(r[0], int(r[1]), int(r[2]), int(r[3]), r[4]) for r in rows}


def runner() -> Path:
    """The program that plays, always built from the working tree."""
    return build("") / "tengen_runner"


def build(revision: str) -> Path:
    """The folder with the library of a revision ("" for the working tree), built now if it is not there yet."""
    tree = _revision_files(revision) if revision else _working_files()
    if MAKER not in tree:
        raise TengenError(f"revision '{revision}' cannot be tested: it is older than the test bench ({MAKER})")
    folder = cache() / _digest(tree)
    targets = ["tengen_engine"] if revision else ["tengen_engine", "tengen_runner"]
    made = folder / ("libtengen_engine.so" if revision else "tengen_runner")
    if not made.exists():
        with _alone(folder):
            if not made.exists():
                _build_into(folder, tree, targets)
    return folder


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Who wants the same build at the same time waits for it, instead of making it twice."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "tengen" / "engines"


def _working_files() -> dict[str, bytes]:
    cpp = ROOT / "cpp"
    if not (ROOT / MAKER).exists():
        raise TengenError("engines are built from source: run this in a checkout of the project")
    files = (path for part in SOURCES for path in sorted((cpp / part).rglob("*")) if path.is_file())
    return {str(path.relative_to(ROOT)): path.read_bytes() for path in files}


def _revision_files(revision: str) -> dict[str, bytes]:
    try:
        packed = subprocess.run(
            ["git", "-C", str(ROOT), "archive", "--format=tar", revision, "cpp"], capture_output=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise TengenError(f"'{revision}' is not a revision of this repository with C++ sources") from error
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        files = {item.name: archive.extractfile(item) for item in archive if item.isfile()}
        return {name: file.read() for name, file in files.items() if file and name.split("/")[1] in SOURCES}


def _digest(tree: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name in sorted(tree):
        digest.update(f"{name}\0{len(tree[name])}\0".encode() + tree[name])
    return digest.hexdigest()[:16]


def _build_into(folder: Path, tree: dict[str, bytes], targets: list[str]) -> None:
    """Builds in a scratch folder and moves the finished files: what is in the cache is whole."""
    with _stop_when_terminated(), tempfile.TemporaryDirectory(dir=folder) as scratch:
        for name, data in tree.items():
            path = Path(scratch) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        made = Path(scratch) / "build"
        _output(["cmake", "-S", f"{scratch}/cpp/bench", "-B", str(made)])
        _output(["cmake", "--build", str(made), "--parallel", "2", "--target", *targets])
        for name in ("libtengen_engine.so", "tengen_runner"):
            if (made / name).exists():
                shutil.move(made / name, folder / f".{name}")
                (folder / f".{name}").replace(folder / name)


def _output(command: list[str]) -> str:
    try:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
    except FileNotFoundError:
        raise TengenError(f"{command[0]} is needed to build engines and was not found") from None
    try:
        out, errors = process.communicate()
    except BaseException:  # with cmake its compilers have to end
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    if process.returncode:
        raise TengenError(f"{' '.join(command[:2])} failed: {_fault(out + errors)}")
    return out


@contextmanager
def _stop_when_terminated() -> Iterator[None]:
    """SIGTERM raises, like Ctrl-C, so that what was started is stopped and what was half built removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _fault(text: str) -> str:
    """The line of a build's output that says most."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "no output")

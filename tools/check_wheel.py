"""Installs a wheel into a fresh virtual environment outside of the tree and uses it there.

python tools/check_wheel.py WHEEL
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

INSIDE = """
import importlib.util
from pathlib import Path
import tengen
from tengen.inference.models import bundled_models, load_model
from tengen.study.lessons import load_lessons
from tengen.study.puzzles import bundled_puzzles
folder = Path(tengen.__file__).parent
assert Path.cwd() in folder.parents, folder
assert (folder / "web" / "static" / "index.html").exists() and list((folder / "experiments").glob("*.toml"))
assert bundled_models() and load_lessons() and bundled_puzzles()
assert any(load_model(name).native for name in bundled_models()), "there is no line network"
assert (folder / "web" / "static" / "engine" / "tengen.wasm").exists(), "the engine for browsers is missing"
assert importlib.util.find_spec("torch") is None, "torch must not be needed"
print(len(bundled_models()), "models,", len(bundled_puzzles()), "puzzles,", len(load_lessons()), "lessons")
"""


def main(wheel: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="tengen-") as folder:
        check(wheel.resolve(), Path(folder))


def check(wheel: Path, folder: Path) -> None:
    run(folder, sys.executable, "-m", "venv", "venv")
    run(folder, "venv/bin/python", "-m", "pip", "install", "--quiet", str(wheel))
    print(run(folder, "venv/bin/python", "-c", INSIDE).strip())
    print(match(folder, "greedy", "random", "--size", "9"))
    print(match(folder, "alphazero:sims=20", "alphabeta:nodes=200"))
    print("pbrain-tengen answers", protocol_move(folder))
    print("tengen serve answers", served(folder))


def match(folder: Path, *words: str) -> str:
    """Two games in which nobody crashes, and their result."""
    title, score, *rest = run(folder, "venv/bin/tengen", "match", *words, "--games", "2").strip().splitlines()
    if any(re.search(r" [1-9]\d*(,|$)", line) for line in rest if line.startswith("lost by")):
        sys.exit("\n".join([title, *rest]))
    return f"{title}: {score}"


def protocol_move(folder: Path) -> str:
    """What the engine answers to the first stone, by the Gomocup protocol."""
    with engine(folder, "venv/bin/pbrain-tengen") as pbrain:
        assert pbrain.stdin and pbrain.stdout
        pbrain.stdin.write("START 15\nINFO timeout_turn 300\nTURN 7,7\n")
        pbrain.stdin.flush()
        answer = next(line for line in pbrain.stdout if re.fullmatch(r"\d+,\d+\s*", line))
        pbrain.stdin.write("END\n")
    return answer.strip()


def served(folder: Path) -> int:
    """The length of the page that `tengen serve` shows."""
    with engine(folder, "venv/bin/tengen", "serve", "--port", "0", "--state", str(folder / "state")) as server:
        assert server.stdout
        address = re.search(r"http://\S+", server.stdout.readline())
        assert address
        with urllib.request.urlopen(address[0], timeout=30) as page:
            size = len(page.read())
        server.terminate()
    return size


def engine(folder: Path, *words: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen(words, cwd=folder, env=plain(), stdin=pipe, stdout=pipe, text=True)


def run(folder: Path, *words: str) -> str:
    done = subprocess.run(words, cwd=folder, env=plain(), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout


def plain() -> dict[str, str]:
    """An environment in which only the virtual one can be found."""
    return {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "TENGEN"))}


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""The site reads and writes records as the server does."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from tengen.errors import TengenError
from tengen.web.game import Game
from tengen.web.messages import ImportRecord
from tengen.web.record_io import import_game

TEXTS = [
    "h8i9j7",
    "20x20 renju h8i9",
    "renju h8",
    "9x9 k=4 e5d4",
    "(;GM[4]SZ[15]RU[renju]PB[Alice]PW[B\\]ob];B[hh]C[the centre](;W[ii];B[gg])(;W[hi]C[other];B[ig]))",
    "(;GM[4]SZ[15]AB[hh][ii]AW[hi]PL[W];W[gg]V[0.25]TGS[hg 0.5 0 hgih];B[hg])",
    "(;GM[4];B[h8];W[a1];B[i8];W[a2];B[j8];W[a3];B[k8];W[a4];B[l8];W[a5])",
    "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,120\nAnn\nBen\n-1\n1,Freestyle\n",
    "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,120\nAnn\nBen\n-1\n1,Renju\n",
    "(;GM[1]SZ[19])", "(;GM[4];B[zz])", "(;GM[4];B[hh]", "nonsense", "h8h8",
    "99x99 h8", "2x2 a1", "15x15 k=9 h8", "9x9 renju k=4 e5", "15x15 chess h8", "4x4 k=5 a1",
    "renju 9x9 k=5 e5", "9x9 9x9 e5", "k=4 9x9 e5", "9x9 bogus e5", "9x9 k=x e5", "15x15 h8 renju", "20 h8",
    "(;GM[4];B[hh];B[ii])",
    "Piskvorky 15x15, 11:11, 0\n99,1,0\n", "(;GM[4]SZ[x])", "h8z9",
]  # fmt: skip


def native(text: str) -> dict[str, Any]:
    try:
        game = import_game(ImportRecord(text=text))
    except TengenError as error:
        return {"error": str(error)}
    return facts(game)


def facts(game: Game) -> dict[str, Any]:
    v = game.variant
    moves = sorted([node.move, node.note.comment] for node in game.nodes.values())
    return {
        "variant": {"width": v.width, "height": v.height, "k": v.k, "rule": str(v.rule)}, "main": list(game.moves()),
        "moves": sorted(moves, key=lambda row: f"{row[0]},{row[1]}"), "cut": game.went_on,
        "setup": json.loads(game.setup.model_dump_json()) if game.setup else None,
    }  # fmt: skip


def test_records_are_read_as_on_the_server_and_survive_writing(sources: Path) -> None:
    asked = "".join(
        json.dumps({"text": text, "width": 15, "height": 15, "k": 5, "rule": "freestyle"}) + "\n" for text in TEXTS
    )
    command = ["node", str(Path(__file__).parent / "records.mjs"), str(sources)]
    command.insert(1, "--preserve-symlinks")
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    for text, line in zip(TEXTS, done.stdout.splitlines(), strict=True):
        read = json.loads(line)
        written = read.pop("sgf", None)
        assert read == native(text), text
        if written:
            assert native(written) | {"cut": read["cut"]} == native(text), written

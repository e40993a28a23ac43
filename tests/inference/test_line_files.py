"""Line network files that are damaged or absurd are refused by one line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tengen.errors import TengenError
from tengen.inference.lines import load_network
from tengen.inference.models import load_model

SOUND = load_model("lines-renju").path.read_bytes()
LENGTH = int.from_bytes(SOUND[:8], "little")
HEADER: dict[str, Any] = json.loads(SOUND[8 : 8 + LENGTH])
ARRAY = next(key for key in HEADER if key != "__metadata__")


def file_of(header: object) -> bytes:
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + SOUND[8 + LENGTH :]


def about(**changes: object) -> bytes:
    return file_of(HEADER | {"__metadata__": HEADER["__metadata__"] | changes})


def array(**changes: object) -> bytes:
    return file_of(HEADER | {ARRAY: HEADER[ARRAY] | changes})


BAD = {
    "no metadata": file_of(HEADER | {"__metadata__": []}),
    "too many channels": about(channels=10**9),
    "absurd channels": about(channels=10**30),
    "channels of text": about(channels="many"),
    "absurd hidden": about(hidden=10**12),
    "unknown rule": about(rule="go"),
    "no rule": about(rule=[1]),
    "negative offsets": array(data_offsets=[-5, 10]),
    "huge offsets": array(data_offsets=[0, 10**30]),
    "unknown type": array(dtype="X"),
    "wrong extents": array(shape=[10**9]),
    "no array": file_of(HEADER | {ARRAY: None}),
    "nested header": (100_000).to_bytes(8, "little") + b"[" * 100_000,
    "absurd length": (2**63).to_bytes(8, "little") + b"{}",
    "empty": b"",
    "not a number": SOUND[:-4] + b"\x00\x00\xc0\x7f",
}


@pytest.mark.parametrize("case", BAD)
def test_damaged_files_are_refused_in_one_line(case: str) -> None:
    assert load_network(SOUND, "sound")
    with pytest.raises(TengenError) as refusal:
        load_network(BAD[case], "net")
    assert str(refusal.value).startswith("net") and "\n" not in str(refusal.value)

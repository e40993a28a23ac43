"""What is known of a node of the tree: by analysis, by review, or from the record it came with."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tengen.rules import Color, Value
from tengen.study.proofs import Proof
from tengen.study.verdicts import Look, Mark, Verdict


@dataclass(slots=True)
class Note:
    """`value`, `look` and `proof` are of the position at the node, `verdict` of the move that led there."""

    value: Value | None = None
    comment: str = ""
    look: Look | None = None
    verdict: Verdict | None = None
    proof: Proof | None = None

    def __bool__(self) -> bool:
        return self != Note()

    def saw(self, look: Look) -> None:
        """Keeps what a search found; a proof that is known already stays."""
        self.value, self.look = look.value, look
        self.proof = self.proof or look.proof


Json = Any
NOTE: TypeAdapter[Note] = TypeAdapter(Note)


def note_json(note: Note) -> Json:
    """None for an empty note; fields that are not set are left out."""
    return NOTE.dump_python(note, mode="json", exclude_defaults=True) if note else None


def read_note(data: Json) -> Note:
    """The inverse of `note_json`; also reads what versions before 0.4 stored. What makes no sense is dropped."""
    if not isinstance(data, dict):
        return Note()
    try:
        note = _read_old(data) if data.keys() & {"v", "r", "c", "mark"} else NOTE.validate_python(data)
    except (ValidationError, KeyError, TypeError, ValueError):
        return Note()
    return note if _makes_sense(note) else Note(comment=note.comment)


def _makes_sense(note: Note) -> bool:
    values = [v.number for v in (note.value, note.look.value if note.look else None) if v]
    values += [note.verdict.drop] if note.verdict else []
    return all(math.isfinite(value) and abs(value) <= 2 for value in values)


def _read_old(data: dict[str, Any]) -> Note:
    """`v` and `r` held values for black; wins were flags without a line, so they do not come back as proofs."""
    note = Note(comment=str(data.get("c", "")))
    if (value := data.get("v")) is not None:
        note.value = Value(float(value), Color.BLACK)
    if found := data.get("r"):
        best = found["best"]
        note.look = Look(Value(float(found["value"]), Color.BLACK), best, tuple(int(m) for m in found["pv"]))
    if mark := data.get("mark"):
        note.verdict = Verdict(Mark(mark), float(data.get("drop", 0.0)))
    return note

"""Answers over HTTP: what is sent when something was made, and every refusal with its meaning, as OpenAPI tells it."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel


class Created(BaseModel):
    id: str


class Refusal(BaseModel):
    """One line that says what was wrong, and a code by which a page says it in the reader's language."""

    detail: str
    code: str


MEANING = {
    400: "The body is no JSON.",
    403: "Another site, another Host name, or no token.",
    404: "There is no such thing here.",
    405: "This address does not know the method.",
    408: "The request did not arrive in time.",
    409: "The game cannot do that now.",
    413: "The request is too large.",
    422: "The request makes no sense: a value, a player or a record that cannot be.",
    503: "No room: too many searches, rooms or tasks at once.",
}
ALWAYS = (403, 408, 413)
"""What may be answered to any request, by the gate in front of the routes."""


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {status: {"model": Refusal, "description": MEANING[status]} for status in (*ALWAYS, *statuses)}

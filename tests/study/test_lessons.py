"""Lessons teach what the rules and the solver confirm, in both languages."""

from __future__ import annotations

import pytest

from tengen.errors import TengenError
from tengen.study.lessons import LANGUAGES, Lesson, Step, accepted_moves, load_lessons, parse_lesson

LESSONS = load_lessons()
STEPS = [(lesson, step) for lesson in LESSONS for step in lesson.steps]

STEP = """
id = "x"
minutes = 1
title = {en = "a", zh = "b"}
[[steps]]
black = "h8"
white = ""
goal = "five"
accept = ["h9"]
text = {en = "a", zh = "b"}
done = {en = "a", zh = "b"}
wrong = {en = "a", zh = "b"}
"""


def test_ten_lessons_have_names_of_their_own() -> None:
    assert len({lesson.id for lesson in LESSONS}) == len(LESSONS) == 10


@pytest.mark.parametrize(("lesson", "step"), STEPS, ids=[f"{lesson.id}-{step.goal}" for lesson, step in STEPS])
def test_the_accepted_moves_are_those_that_reach_the_goal(lesson: Lesson, step: Step) -> None:
    names = {step.board.name(m) for m in step.accept}
    assert names == {step.board.name(m) for m in accepted_moves(step.board, step.goal)}


@pytest.mark.parametrize(("lesson", "step"), STEPS, ids=[f"{lesson.id}-{step.goal}" for lesson, step in STEPS])
def test_every_step_speaks_every_language(lesson: Lesson, step: Step) -> None:
    texts = [lesson.title, step.text, *([step.done, step.wrong] if step.accept else [])]
    assert all(text[language] for text in texts for language in LANGUAGES)
    assert not any("\u4e00" <= char <= "\u9fff" for text in texts for char in text["en"])


def test_an_answer_can_be_played() -> None:
    """A continued step starts where the right move and its answer lead."""
    (lesson,) = [lesson for lesson in LESSONS if lesson.id == "vcf"]
    first, second = lesson.steps
    assert second.board.stones == first.board.stones + 2 and second.board.turn == first.board.turn


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('goal = "five"', 'goal = "six"'), "unknown goal 'six'"),
        (('"h9"', '"z99"'), "off the board"),
        (('zh = "b"', 'de = "b"'), "en and zh"),
        (('goal = "five"', 'goal = "five"\ncontinues = true'), "a step before it"),
        (("minutes = 1", "minutes ="), "Invalid value"),
        (('id = "x"', ""), "'id'"),
    ],
)
def test_a_faulty_lesson_is_named(change: tuple[str, str], message: str) -> None:
    with pytest.raises(TengenError, match=f"lesson bad.toml: .*{message}"):
        parse_lesson(STEP.replace(*change), "bad.toml")

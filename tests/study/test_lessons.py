"""Lessons teach what the rules and the solver confirm, in both languages."""

from __future__ import annotations

import pytest

from tengen.errors import TengenError
from tengen.study.lessons import LANGUAGES, Lesson, Step, accepted_moves, load_lessons, parse_lesson

STEPS = [(lesson.id, number) for lesson in load_lessons() for number in range(len(lesson.steps))]


@pytest.fixture(scope="module")
def lessons() -> dict[str, Lesson]:
    return {lesson.id: lesson for lesson in load_lessons()}


@pytest.fixture(params=STEPS, ids=lambda step: f"{step[0]}-{step[1]}")
def step(request: pytest.FixtureRequest, lessons: dict[str, Lesson]) -> Step:
    id, number = request.param
    return lessons[id].steps[number]


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


def test_ten_lessons_have_names_of_their_own(lessons: dict[str, Lesson]) -> None:
    assert len(lessons) == len(load_lessons()) == 10


def test_the_accepted_moves_are_those_that_reach_the_goal(step: Step) -> None:
    names = {step.board.name(m) for m in step.accept}
    assert names == {step.board.name(m) for m in accepted_moves(step.board, step.goal)}


def test_every_step_speaks_every_language(step: Step, lessons: dict[str, Lesson]) -> None:
    titles = [lesson.title for lesson in lessons.values()]
    texts = [*titles, step.text, *([step.done, step.wrong] if step.accept else [])]
    assert all(text[language] for text in texts for language in LANGUAGES)
    assert not any("\u4e00" <= char <= "\u9fff" for text in texts for char in text["en"])


def test_an_answer_can_be_played(lessons: dict[str, Lesson]) -> None:
    """A continued step starts where the right move and its answer lead."""
    first, second = lessons["vcf"].steps
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

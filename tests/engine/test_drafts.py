"""Lines of text as answers: walking them, taking them apart, accepting them."""

from typing import Any

import pytest

from app.engine.errors import BrokenGame, Illegal
from app.engine.log import Event
from app.engine.sequence import (
    MOST_LINE,
    Blocked,
    Decision,
    Draft,
    Option,
    Token,
    shortest,
    tokens_of,
    walk,
)


class Said(Event, frozen=True):
    """What was answered."""

    line: str


def climb(text: str) -> Draft:
    """Steps of 1 to 3 that come to 4 and no more; `12` is a step of its own that is two long."""
    steps = text.replace(" ", "").split("+") if text else []
    done: list[str] = []
    fault = None
    for step in steps:
        fault = why_not(done, step)
        if fault is not None:
            break
        done.append(step)
    return Draft(
        "+".join(done),
        next=tuple(
            Option("+".join([*done, step]), f"step {step}", blocked=why_not(done, step))
            for step in STEPS
        ),
        whole=height(done) == 4,
        fault=fault,
    )


STEPS = {"1": 1, "12": 2, "2": 2, "3": 3}


def height(steps: list[str]) -> int:
    return sum(STEPS[step] for step in steps)


def why_not(done: list[str], step: str) -> Blocked | None:
    if step not in STEPS:
        return Blocked("No such step.", "T-1")
    return Blocked("Too high.", "T-2") if height([*done, step]) > 4 else None


def question(**changed: Any) -> Decision:
    fields: dict[str, Any] = {
        "id": "climb",
        "seat": "red",
        "title": "Climb",
        "options": list,
        "happen": Said,
        "cite": "T-0",
        "draft": climb,
    }
    return Decision(**{**fields, **changed})


def test_an_answer_is_taken_in_its_normal_form() -> None:
    assert question().accept(" 1 + 3") == "1+3"


@pytest.mark.parametrize(
    ("choice", "cite"),
    [
        ("1+1", "T-0"),  # not whole
        ("1+4", "T-1"),
        ("2+3", "T-2"),
        ("x" * (MOST_LINE + 1), "T-0"),
        (4, "T-0"),
        (None, "T-0"),
        (["1", "3"], "T-0"),
    ],
)
def test_what_is_no_whole_line_is_refused(choice: Any, cite: str) -> None:
    with pytest.raises(Illegal) as caught:
        question().accept(choice)
    assert caught.value.cite == cite


def test_a_line_is_never_answered_by_itself() -> None:
    """Also where only one whole line is written down: others can be typed."""
    assert question(options=lambda: [Option("1+3", "One and three")]).forced is None


def test_a_line_is_read_once() -> None:
    read: list[str] = []

    def draft(text: str) -> Draft:
        read.append(text)
        return climb(text)

    decision = question(draft=draft)
    for _ in range(3):
        decision.accept("1+3")
        tokens_of(decision, "1+3")
    assert sorted(read) == ["", "1", "1+3"]


def test_reading_needs_a_draft() -> None:
    with pytest.raises(BrokenGame):
        _ = question(draft=None).reading


def test_tokens_are_the_steps_that_were_offered() -> None:
    """A token that begins as another one does is told from it."""
    assert tokens_of(question(), "12+1+1") == (
        Token("step 12", ""),
        Token("step 1", "12"),
        Token("step 1", "12+1"),
    )
    assert tokens_of(question(), "") == ()


def test_what_was_never_offered_is_one_token() -> None:
    def draft(text: str) -> Draft:
        return Draft(text, whole=True)

    assert tokens_of(question(draft=draft), "anything") == (Token("anything", ""),)


def test_a_walk_ends_where_it_is_whole() -> None:
    assert walk(question(), shortest) == "1+1+1+1"
    assert walk(question(), lambda line: None if line.whole else last(line)) == "3+1"


def last(line: Draft) -> Option:
    return [option for option in line.next if option.blocked is None][-1]


def test_a_walk_that_leads_nowhere_is_the_games_fault() -> None:
    def never(text: str) -> Draft:
        return Draft(text, (Option(f"{text}a", "a"),))

    for draft in (never, lambda text: Draft("")):
        with pytest.raises(BrokenGame):
            walk(question(draft=draft), shortest)

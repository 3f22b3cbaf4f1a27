"""Lines of text that answer a question: read as they are typed, and accepted when they are whole."""

import random
from collections.abc import Iterator
from typing import Any

from app.bots import plain_answer
from app.engine.errors import Illegal
from app.engine.game import Game
from app.engine.sequence import MOST_LINE, Answer, Decision, Draft, tokens_of, walk
from app.testing.player import Moment, Sitting, any_token
from app.testing.test_offers import JUNK, refused, sampled

WALKS = 3


def asked(sittings: tuple[Sitting, ...]) -> Iterator[tuple[Sitting, Moment, Decision]]:
    """Some of each game's questions that are answered by a line."""
    for number, sitting in enumerate(sittings):
        found = [one for one in sampled((sitting,), 10_000) if one[2].draft is not None]
        yield from random.Random(number).sample(found, min(4, len(found)))


def way(rng: random.Random, decision: Decision) -> list[Draft]:
    """What is read on the way to a whole line, from the empty one on."""
    assert decision.draft is not None
    read: list[Draft] = []

    def pick(line: Draft):
        read.append(line)
        return any_token(rng, line)

    walk(decision, pick)
    return read


def ways(decision: Decision) -> Iterator[list[Draft]]:
    """Some of them."""
    for number in range(WALKS):
        yield way(random.Random(number), decision)


def test_what_may_follow_reads_without_fault(sittings: tuple[Sitting, ...]) -> None:
    for _, _, decision in asked(sittings):
        for lines in ways(decision):
            for line in lines:
                values = [option.value for option in line.next]
                assert len(values) == len(set(values)), f"{decision.id} offers a token twice"
                for option in line.next:
                    assert option.value.startswith(line.text)
                    assert len(line.text) < len(option.value) <= MOST_LINE
                    read = decision.reading(option.value)
                    if option.blocked is None:
                        assert (read.fault, read.text) == (None, option.value)
                    else:
                        assert read.fault is not None
                        assert read.fault.cite == option.blocked.cite
                        assert read.text == line.text, "it is legal up to what is blocked"


def test_what_may_not_follow_is_refused_with_its_rule(sittings: tuple[Sitting, ...]) -> None:
    for sitting, moment, decision in asked(sittings):
        for line in way(random.Random(moment.next_index), decision):
            for option in line.next:
                if option.blocked is not None:
                    command = Answer(decision.id, option.value)
                    refusal = refused(sitting, moment, command, {decision.seat})
                    assert isinstance(refusal, Illegal)
                    assert refusal.cite == option.blocked.cite


def test_reading_is_pure_and_settles(sittings: tuple[Sitting, ...]) -> None:
    for _, _, decision in asked(sittings):
        assert decision.draft is not None
        for lines in ways(decision):
            for line in lines:
                again = decision.draft(line.text)
                assert again.fault is None
                assert again.text == line.text
                assert shown(again) == shown(decision.draft(line.text)) == shown(line)
                for typed in (line.text.lower(), f" {line.text} ", f"{line.text}?!"):
                    read = decision.draft(typed)
                    assert decision.draft(read.text).text == read.text
                    assert read.fault is None or read.fault.reason


def shown(line: Draft) -> tuple[object, ...]:
    """All that is seen of a line; odds and chances are made anew each time."""
    follow = [(one.value, one.label, one.detail, one.cost, one.blocked) for one in line.next]
    return (line.text, line.whole, line.path, line.facing, line.figures, line.told, follow)


def test_whole_lines_are_accepted_and_no_others(sittings: tuple[Sitting, ...]) -> None:
    for sitting, moment, decision in asked(sittings):
        for lines in ways(decision):
            assert lines[-1].whole
            for line in lines:
                if line.whole:
                    assert decision.accept(line.text) == line.text
                    continue
                refusal = refused(sitting, moment, Answer(decision.id, line.text), {decision.seat})
                assert isinstance(refusal, Illegal)
                assert refusal.cite == decision.cite


def test_lines_to_choose_at_once_are_whole(sittings: tuple[Sitting, ...]) -> None:
    for _, _, decision in asked(sittings):
        for option in decision.all_options:
            read = decision.reading(option.value)
            if option.blocked is None:
                assert (read.whole, read.fault) == (True, None)
            else:
                assert read.fault is not None
                assert read.fault.cite == option.blocked.cite


def test_what_is_no_line_is_refused(sittings: tuple[Sitting, ...]) -> None:
    for sitting, moment, decision in asked(sittings):
        for choice in (*JUNK, "x" * (MOST_LINE + 1)):
            if isinstance(choice, str) and len(choice) <= MOST_LINE:
                read = decision.reading(choice)
                if read.whole and read.fault is None:
                    continue
            refusal = refused(sitting, moment, Answer(decision.id, choice), {decision.seat})
            assert isinstance(refusal, Illegal)


def test_a_line_falls_into_the_tokens_it_was_made_of(sittings: tuple[Sitting, ...]) -> None:
    for _, _, decision in asked(sittings):
        for lines in ways(decision):
            tokens = tokens_of(decision, lines[-1].text)
            assert [token.before for token in tokens] == [line.text for line in lines[:-1]]
            for token, line, after in zip(tokens, lines, lines[1:], strict=False):
                [option] = [one for one in line.next if one.value == after.text]
                assert token.label == option.label
            assert lines[-1].told == () or len(lines[-1].told) == len(tokens)


def test_a_bot_that_fails_has_a_line(game: Game[Any], sittings: tuple[Sitting, ...]) -> None:
    for _, _, decision in asked(sittings):
        answer = plain_answer(game, decision)
        assert decision.accept(answer.choice) == answer.choice

"""What is offered is what is accepted, and nothing else; a refusal changes nothing."""

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from app.engine.dice import Pool, Rolled
from app.engine.errors import Illegal, NotYourSeat, Refused, Stale
from app.engine.game import Game
from app.engine.sequence import (
    Advance,
    Answer,
    Decision,
    Held,
    Pace,
    Played,
    Roll,
    canonical,
    open_decisions,
    play,
    todo,
)
from app.testing.player import Moment, Sitting, askable, free_options

JUNK: tuple[Any, ...] = (
    None,
    "",
    "no such thing",
    "__init__",
    -1,
    10**12,
    True,
    False,
    0,
    1,
    1.0,
    0.5,
    [],
    ["no such thing"],
    {},
    {"no": "such thing"},
    "9" * 5000,
)


def sampled(sittings: tuple[Sitting, ...], each: int) -> Iterator[tuple[Sitting, Moment, Decision]]:
    """Some open decisions of each game, the same ones every time."""
    for number, sitting in enumerate(sittings):
        rng = random.Random(number)
        asked = [
            (moment, decision)
            for moment in sitting.moments
            for decision in open_decisions(moment.step)
        ]
        for moment, decision in rng.sample(asked, min(each, len(asked))):
            yield sitting, moment, decision


def dice(pool: Pool) -> Rolled:
    return Rolled(pool, (1,) * pool.count, "server", 0)


def no_dice(pool: Pool) -> Rolled:
    raise AssertionError(f"a refused command threw {pool}")


def refused(
    sitting: Sitting, moment: Moment, command: Answer | Advance, seats: set[str]
) -> Refused:
    """The refusal of a command, after making sure that it left no trace."""
    before = msgspec.json.encode(moment.state)
    with pytest.raises(Refused) as caught:
        play(sitting.game, moment.state, command, frozenset(seats), no_dice, held=moment.held)
    assert msgspec.json.encode(moment.state) == before
    assert caught.value.detail
    return caught.value


def test_what_is_offered_is_accepted(sittings: tuple[Sitting, ...]) -> None:
    for sitting, moment, decision in sampled(sittings, 6):
        for value in free_options(decision)[:12]:
            before = msgspec.json.encode(moment.state)
            # Through JSON, as a browser sends it, and the members of an object in another order.
            choice = msgspec.json.decode(msgspec.json.encode(value))
            if isinstance(choice, dict):
                choice = dict(reversed(choice.items()))
            played = play(
                sitting.game,
                moment.state,
                Answer(decision.id, choice),
                frozenset({decision.seat}),
                dice,
                pace="step",
                held=moment.held,
            )
            assert played.happenings or any(one.offer == decision.id for one in played.held)
            assert msgspec.json.encode(moment.state) == before


def test_what_is_blocked_is_refused_with_its_rule(sittings: tuple[Sitting, ...]) -> None:
    for sitting, moment, decision in sampled(sittings, 12):
        for option in decision.all_options:
            if option.blocked is None:
                continue
            refusal = refused(sitting, moment, Answer(decision.id, option.value), {decision.seat})
            assert isinstance(refusal, Illegal)
            assert refusal.cite == option.blocked.cite
            assert option.blocked.reason in refusal.detail


def test_what_is_not_offered_is_refused(sittings: tuple[Sitting, ...]) -> None:
    """`1` is not `true`, whatever Python thinks, and what was made up is not a choice."""
    for sitting, moment, decision in sampled(sittings, 6):
        if decision.draft is not None:
            continue  # what a line may be is in test_drafts
        offered = {option.key for option in decision.all_options}
        made_up = [
            *JUNK,
            *(twisted for o in decision.all_options[:6] for twisted in twist(o.value)),
        ]
        for choice in made_up:
            if canonical(choice) in offered:
                continue
            if decision.read is not None or decision.draft is not None:
                # Too many to list: this may be one of them. But it never breaks anything.
                with suppress(Illegal):
                    decision.accept(choice)
                continue
            refusal = refused(sitting, moment, Answer(decision.id, choice), {decision.seat})
            assert isinstance(refusal, Illegal)
            assert refusal.cite == decision.cite


def twist(value: Any) -> Iterator[Any]:
    """Nearly the same: of another type, with a member more or less."""
    if isinstance(value, bool):
        yield from (int(value), str(value), str(value).lower())
    elif isinstance(value, int):
        yield from (str(value), value + 0.5, [value])
        if value in (0, 1):
            yield bool(value)
    elif isinstance(value, str):
        yield from (value + " ", value.upper() + "x", [value], {"value": value})
    elif isinstance(value, dict):
        yield {**value, "more": 1}
        for key, member in value.items():
            yield {name: one for name, one in value.items() if name != key}
            for twisted in twist(member):
                yield {**value, key: twisted}


def test_a_choice_with_a_schema_refuses_nonsense(sittings: tuple[Sitting, ...]) -> None:
    for sitting, moment, decision in sampled(sittings, 10_000):
        if decision.schema is None:
            continue
        assert decision.read is not None, f"{decision.id} has a schema and nothing that reads it"
        for option in decision.all_options:
            if option.blocked is None:
                decision.accept(option.value)
        refusal = refused(sitting, moment, Answer(decision.id, "no such thing"), {decision.seat})
        assert isinstance(refusal, Illegal)


def test_only_the_seat_that_is_asked_answers(sittings: tuple[Sitting, ...]) -> None:
    for sitting, moment, decision in sampled(sittings, 6):
        command = Answer(decision.id, free_options(decision)[0])
        others = set(sitting.seats) - {decision.seat}
        assert isinstance(refused(sitting, moment, command, others), NotYourSeat)
        assert isinstance(refused(sitting, moment, command, set()), NotYourSeat)
        assert isinstance(refused(sitting, moment, Advance(), set()), NotYourSeat)
        gone = Answer("no-such-question", command.choice)
        assert isinstance(refused(sitting, moment, gone, {decision.seat}), Stale)


def test_nothing_goes_on_past_an_open_choice(sittings: tuple[Sitting, ...]) -> None:
    for sitting, moment, _ in sampled(sittings, 6):
        if all(one.forced is None for one in open_decisions(moment.step)):
            refused(sitting, moment, Advance(), set(sitting.seats))


def test_an_old_answer_is_refused_after_it_was_given(sittings: tuple[Sitting, ...]) -> None:
    """The double click: the question has gone, or is another one by its id."""
    for sitting in sittings:
        for moment in sitting.moments:
            if not isinstance(moment.command, Answer) or not moment.played.happenings:
                continue
            game, after = sitting.game, moment.played
            seats = frozenset({moment.seat})
            if after.state.result is None:
                with pytest.raises((Stale, Illegal)) as caught:
                    play(game, after.state, moment.command, seats, no_dice, held=after.held)
                assert isinstance(caught.value, Stale), f"{moment.command.offer} is asked again"
            else:
                with pytest.raises(Stale):
                    play(game, after.state, moment.command, seats, no_dice)


def test_ids_and_values_are_unique(sittings: tuple[Sitting, ...]) -> None:
    for sitting, moment, decision in sampled(sittings, 10_000):
        ids = [one.id for one in open_decisions(moment.step)]
        assert len(ids) == len(set(ids))
        assert decision.seat in sitting.seats
        keys = [option.key for option in decision.all_options]
        assert len(keys) == len(set(keys)), f"{decision.id} offers the same twice"
        if decision.initial is not None and decision.schema is None:
            assert canonical(decision.initial) in keys
        if decision.toggle is not None:
            key = decision.toggle.key
            on = {canonical(o.value | {key: False}) for o in decision.all_options if o.value[key]}
            off = {o.key for o in decision.all_options if not o.value[key]}
            assert on == off, f"{decision.id}: every option comes with {key} on and off"


def test_sealed_answers_wait_for_each_other(sittings: tuple[Sitting, ...]) -> None:
    """Until all have answered nothing has happened, and no offer tells that anyone has."""
    for sitting in sittings:
        for moment in sitting.moments:
            sealed = [one for one in open_decisions(moment.step) if one.sealed]
            if len(sealed) < 2 or moment.held:
                continue
            for first in sealed:
                held: tuple[Held, ...] = ()
                *early, late = [first, *(one for one in sealed if one is not first)]
                for decision in early:
                    # Who has answered may think again as long as it is held.
                    for value in (free_options(decision)[-1], free_options(decision)[0]):
                        played = answer(sitting, moment, decision, value, held)
                        assert played.happenings == ()
                        assert played.state == moment.state
                        held = played.held
                        assert [h.choice for h in held if h.offer == decision.id] == [value]
                played = answer(sitting, moment, late, free_options(late)[-1], held)
                assert played.held == ()
                # In the order of the tuple, whoever answered first: the log must not tell.
                # What is passing may follow.
                told = played.happenings[: len(sealed)]
                assert [one.seat for one in told] == [one.seat for one in sealed]


def answer(
    sitting: Sitting, moment: Moment, decision: Decision, value: Any, held: tuple[Held, ...]
) -> Played:
    return play(
        sitting.game,
        moment.state,
        Answer(decision.id, value),
        frozenset({decision.seat}),
        dice,
        pace="step",
        held=held,
    )


def test_forced_answers_are_the_only_ones(sittings: tuple[Sitting, ...]) -> None:
    """Nobody is asked where there is no choice, and nobody's choice is made for him."""
    for sitting in sittings:
        for moment in sitting.moments:
            if isinstance(moment.command, Advance):
                for decision in open_decisions(moment.step):
                    if decision.forced is not None:
                        assert free_options(decision) == [decision.forced.value]
            else:
                asked = [d for d in open_decisions(moment.step) if d.id == moment.command.offer]
                listed = asked[0].schema is None and asked[0].draft is None
                assert asked[0].sealed or not listed or len(free_options(asked[0])) > 1


class HandTable:
    """A table at which people throw the dice: it follows one whose dice the server throws."""

    def __init__(self, leader: Sitting) -> None:
        self.leader = leader
        self.game = leader.game
        self.state = leader.states[1]
        self.held: tuple[Held, ...] = ()
        self.entered = 0

    def do(self, command: Answer | Advance, seats: set[str], pace: Pace = "flow") -> Played:
        return play(
            self.game,
            self.state,
            command,
            frozenset(seats),
            lambda pool: None,
            pace=pace,
            held=self.held,
        )

    def go(self, command: Answer | Advance, seats: set[str], pace: Pace = "flow") -> Played:
        played = self.do(command, seats, pace)
        self.state, self.held = played.state, played.held
        return played

    def catch_up(self) -> None:
        """Enter the leader's faces until both tables are at the same point."""
        while self.state != self.leader.state:
            step = todo(self.game, self.state)
            if isinstance(step, Roll):
                self.enter(step)
            else:
                self.go(Advance(), set(self.leader.seats), "step")

    def enter(self, roll: Roll) -> None:
        rolled = [e.dice for e in self.leader.entries if e.dice is not None][self.entered]
        seat = {roll.seat}
        wrong: list[tuple[type[Refused], Answer | Advance, set[str]]] = [
            (NotYourSeat, Answer(roll.id, faces=rolled.faces), set(self.leader.seats) - seat),
            (Stale, Answer("another", faces=rolled.faces), seat),
            (Illegal, Answer(roll.id), seat),
            (Illegal, Answer(roll.id, faces=(*rolled.faces, 1)), seat),
            (Refused, Advance(), seat),
        ]
        if roll.pool.count:
            for face in (0, roll.pool.sides + 1):
                faces = (*rolled.faces[:-1], face)
                wrong.append((Illegal, Answer(roll.id, faces=faces), seat))
        for kind, command, seats in wrong:
            with pytest.raises(kind):
                self.do(command, seats)
        played = self.go(Answer(roll.id, faces=rolled.faces), seat, "step")
        assert played.happenings[0].dice == Rolled(roll.pool, rolled.faces, "hand")
        self.entered += 1


def test_dice_thrown_by_hand_make_the_same_game(game: Game[Any]) -> None:
    for name, scenario in game.scenarios.items():
        rng = random.Random(name)
        server = Sitting.open(game, scenario.setup, {}, 11)
        hand = HandTable(server)
        hand.catch_up()
        for _ in range(40):
            if server.todo() is None:
                break
            decision = rng.choice(askable(server))
            command = Answer(decision.id, rng.choice(free_options(decision)))
            server.do(decision.seat, command)
            hand.go(command, {decision.seat}, "step")
            hand.catch_up()
        assert hand.entered == sum(entry.dice is not None for entry in server.entries)

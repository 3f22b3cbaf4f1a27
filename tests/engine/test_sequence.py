"""The sequence: one command in, facts out. With a game of a few lines, so that each case stands alone."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from app.engine.dice import Pool, Rolled
from app.engine.errors import BrokenGame, Illegal, NotYourSeat, Refused, Stale
from app.engine.game import Game, Meta, Phase, Seat, Told
from app.engine.log import Event, Finished, PhaseBegan, Result
from app.engine.rulebook import Rulebook
from app.engine.sequence import (
    MOST_STEPS,
    Advance,
    Answer,
    Blocked,
    Decision,
    Effect,
    GameState,
    Held,
    Option,
    Played,
    Roll,
    Todo,
    begin,
    canonical,
    evolve,
    play,
    todo,
    withdraw,
)

RED, BLUE = frozenset({"red"}), frozenset({"blue"})
BOTH, NOBODY = RED | BLUE, frozenset[str]()


class Noted(Event, frozen=True):
    """Something was done."""

    what: str
    value: Any = None


class Notes(GameState, frozen=True, kw_only=True):
    """What was done, in order."""

    done: tuple[tuple[str, Any], ...] = ()

    def has(self, what: str) -> bool:
        return any(name == what for name, _ in self.done)


def note(state: Notes, event: Event) -> Notes:
    if isinstance(event, Noted):
        return replace(state, done=(*state.done, (event.what, event.value)))
    return state


def game(*phases: Callable[[Notes], Todo]) -> Game[Notes]:
    """A game of these phases."""
    return Game(
        meta=Meta("notes", "Notes", "", "", "2", "1"),
        rules=1,
        rulebook=Rulebook({}, {}, {}),
        scenarios={},
        setup=dict,
        state=Notes,
        events=(Noted,),
        seats=lambda setup: (Seat("red", "Red"), Seat("blue", "Blue", "second")),
        start=lambda setup, rulings: Notes(),
        phases=tuple(Phase(f"p{n}", f"P{n}", phase, f"n-{n}") for n, phase in enumerate(phases)),
        evolve=note,
        tell=lambda event, names: Told("x"),
        units=lambda state, viewer: (),
        names=lambda setup: {},
        board=lambda setup: None,
        endings={"over": "It is over."},
    )


def ask(
    what: str, options: Sequence[Any], seat: str = "red", blocked: Sequence[Any] = (), **more: Any
) -> Decision:
    """A decision between these values."""
    return Decision(
        id=what,
        seat=seat,
        title=what,
        options=lambda: [
            Option(one, str(one), blocked=Blocked("Not now.", "n-no") if one in blocked else None)
            for one in options
        ],
        happen=lambda value: Noted(what, value),
        cite="n-ask",
        **more,
    )


def throw_for(what: str, count: int = 2, seat: str = "red") -> Roll:
    return Roll(what, seat, what, Pool(count), lambda faces: Noted(what, faces), "n-roll")


def first(*steps: tuple[str, Callable[[], Todo]]) -> Callable[[Notes], Todo]:
    """A phase that does these once each, in order."""

    def phase(state: Notes) -> Todo:
        for what, step in steps:
            if not state.has(what):
                return step()
        return None

    return phase


def over(state: Notes) -> Todo:
    return Effect(Finished(Result("over", "Over.", ("red",))), "n-end")


class Server:
    """Dice that count up, and know how many were asked for."""

    def __init__(self) -> None:
        self.thrown = 0

    def __call__(self, pool: Pool) -> Rolled:
        rolled = Rolled(
            pool, tuple(n % 6 + 1 for n in range(self.thrown, self.thrown + pool.count))
        )
        self.thrown += pool.count
        return rolled


def by_hand(pool: Pool) -> None:
    """Real dice: somebody has to enter them."""


def what(played: Played) -> list[str]:
    """The names of what happened, phases aside."""
    return [one.event.what for one in played.happenings if isinstance(one.event, Noted)]


def begun(g: Game[Notes], throw: Any = None) -> Notes:
    return begin(g, Notes(), throw or Server()).state


def test_flow_goes_on_to_the_next_choice() -> None:
    g = game(
        first(
            ("effect", lambda: Effect(Noted("effect"), "n-1")),
            ("roll", lambda: throw_for("roll")),
            ("forced", lambda: ask("forced", [1])),
            ("choice", lambda: ask("choice", [1, 2])),
            ("after", lambda: throw_for("after")),
        ),
        over,
    )
    opening = begin(g, Notes(), Server())
    assert what(opening) == ["effect", "roll", "forced"]
    assert [one.kind for one in opening.happenings] == ["effect", "effect", "roll", "effect"]
    played = play(g, opening.state, Answer("choice", 2), RED, Server())
    assert what(played) == ["choice", "after"]
    assert [one.kind for one in played.happenings] == ["decision", "roll", "effect", "effect"]
    assert played.state.result == Result("over", "Over.", ("red",))


def test_facts_say_where_they_come_from() -> None:
    g = game(
        first(("roll", lambda: throw_for("roll", seat="blue")), ("x", lambda: ask("x", [1, 2])))
    )
    phase, roll = begin(g, Notes(), Server()).happenings
    assert (phase.event, phase.cite, phase.turn, phase.phase) == (
        PhaseBegan(1, "p0"),
        "n-0",
        1,
        "p0",
    )
    assert (roll.seat, roll.cite, roll.turn, roll.phase) == ("blue", "n-roll", 1, "p0")
    assert roll.dice == Rolled(Pool(2), (1, 2))
    assert roll.event == Noted("roll", (1, 2))


def test_step_does_one_thing_at_a_time() -> None:
    g = game(
        first(
            ("effect", lambda: Effect(Noted("effect"), "n-1")),
            ("roll", lambda: throw_for("roll")),
            ("forced", lambda: ask("forced", [1], seat="blue")),
            ("choice", lambda: ask("choice", [1, 2])),
            ("end", lambda: Effect(Noted("end"), "n-1")),
        )
    )
    opening = begin(g, Notes(), Server(), pace="step")
    assert opening.happenings == ()
    state = opening.state
    seen: list[str] = []
    for _ in range(4):
        played = play(g, state, Advance(), RED, Server(), pace="step")
        (one,) = played.happenings
        seen += [type(one.event).__name__, *what(played)]
        state = played.state
    assert seen == ["PhaseBegan", "Noted", "effect", "Noted", "roll", "Noted", "forced"]
    with pytest.raises(Refused, match="decision"):
        play(g, state, Advance(), BOTH, Server(), pace="step")
    played = play(g, state, Answer("choice", 1), RED, Server(), pace="step")
    assert what(played) == ["choice"]


def test_what_is_passing_waits_for_nobody() -> None:
    g = game(
        first(
            ("begins", lambda: Effect(Noted("begins"), "n-1", passing=True)),
            ("effect", lambda: Effect(Noted("effect"), "n-1")),
            ("over", lambda: Effect(Noted("over"), "n-1", passing=True)),
            ("choice", lambda: ask("choice", [1, 2])),
        )
    )
    state = begin(g, Notes(), Server(), pace="step").state
    told: list[tuple[str, ...]] = []
    for _ in range(2):
        played = play(g, state, Advance(), RED, Server(), pace="step")
        told.append(tuple(what(played)))
        state = played.state
    assert told == [("begins",), ("effect", "over")]


def test_advance_at_a_flowing_table_carries_on() -> None:
    """After a take-back into the middle of a command there is something left to happen."""
    g = game(
        first(
            ("a", lambda: Effect(Noted("a"), "n-1")),
            ("b", lambda: throw_for("b")),
            ("c", lambda: ask("c", [1, 2])),
        )
    )
    assert what(play(g, Notes(), Advance(), BLUE, Server())) == ["a", "b"]


def test_phases_follow_each_other_and_turns_count() -> None:
    def once_a_turn(state: Notes) -> Todo:
        if state.turn == 3:
            return over(state)
        return (
            None if ("turn", state.turn) in state.done else Effect(Noted("turn", state.turn), "n")
        )

    g = game(once_a_turn, lambda state: None, lambda state: ())
    begun_ = [h.event for h in begin(g, Notes(), Server()).happenings]
    phases = [(e.turn, e.phase) for e in begun_ if isinstance(e, PhaseBegan)]
    assert phases == [(1, "p0"), (1, "p1"), (1, "p2"), (2, "p0"), (2, "p1"), (2, "p2"), (3, "p0")]


@pytest.fixture
def at_choice() -> tuple[Game[Notes], Notes]:
    g = game(
        first(("x", lambda: ask("x", [1, 2, True, "1", {"a": 1, "b": True}], blocked=[2]))), over
    )
    return g, begun(g)


@pytest.mark.parametrize(
    ("kind", "command", "seats"),
    [
        (NotYourSeat, Answer("x", 1), BLUE),
        (NotYourSeat, Answer("x", 1), NOBODY),
        (NotYourSeat, Advance(), NOBODY),
        (Refused, Advance(), BOTH),
        (Stale, Answer("y", 1), RED),
        (Stale, Answer("", 1), RED),
        (Illegal, Answer("x", 3), RED),
        (Illegal, Answer("x", 1.5), RED),
        (Illegal, Answer("x", False), RED),
        (Illegal, Answer("x", None), RED),
        (Illegal, Answer("x", [1]), RED),
        (Illegal, Answer("x", {"a": 1, "b": 1}), RED),
        (Illegal, Answer("x", {"a": 1}), RED),
        (Illegal, Answer("x", {"a": 1, "b": True, "c": 0}), RED),
        (Illegal, Answer("x", 2), RED),
    ],
)
def test_a_refusal_leaves_no_trace(
    at_choice: tuple[Game[Notes], Notes],
    kind: type[Refused],
    command: Answer | Advance,
    seats: frozenset[str],
) -> None:
    g, state = at_choice
    before, dice = msgspec.json.encode(state), Server()
    with pytest.raises(kind) as caught:
        play(g, state, command, seats, dice)
    assert caught.value.status in (403, 409, 422)
    assert msgspec.json.encode(state) == before
    assert dice.thrown == 0


def test_refusals_cite(at_choice: tuple[Game[Notes], Notes]) -> None:
    g, state = at_choice
    for choice, cite in ((2, "n-no"), (3, "n-ask")):
        with pytest.raises(Illegal) as caught:
            play(g, state, Answer("x", choice), RED, Server())
        assert caught.value.cite == cite
    with pytest.raises(Illegal, match="Not now"):
        play(g, state, Answer("x", 2), RED, Server())


@pytest.mark.parametrize("choice", [1, True, "1", {"b": True, "a": 1}])
def test_values_that_look_alike_are_told_apart(
    at_choice: tuple[Game[Notes], Notes], choice: Any
) -> None:
    g, state = at_choice
    ((_, value),) = play(g, state, Answer("x", choice), RED, Server()).state.done
    assert type(value) is type(choice)
    assert value == choice


def test_canonical_tells_what_is_the_same() -> None:
    assert canonical({"a": 1, "b": [True, None]}) == canonical({"b": [True, None], "a": 1})
    assert len({canonical(one) for one in (1, True, "1", 1.5, None, [1], {"1": 1})}) == 7
    assert canonical({"a": [1.0]}) == canonical({"a": [1]})


def test_a_game_that_is_over_takes_no_command() -> None:
    g = game(over)
    state = begun(g)
    assert todo(g, state) is None
    for command in (Advance(), Answer("x", 1)):
        with pytest.raises(Stale, match="over"):
            play(g, state, command, RED, Server())


def test_a_loop_without_end_is_stopped() -> None:
    g = game(lambda state: Effect(Noted("again"), "n-1"))
    with pytest.raises(BrokenGame, match="end"):
        begin(g, Notes(), Server())
    circle = game(lambda state: None, lambda state: None)
    with pytest.raises(BrokenGame):
        begin(circle, Notes(), Server())
    assert MOST_STEPS > 1000


def test_a_fault_in_a_game_comes_out_as_it_is() -> None:
    """Not as a refusal, which would blame the player."""

    def broken(value: Any) -> Event:
        raise KeyError("the game's own fault")

    decision = Decision("x", "red", "x", lambda: [Option(1, "1"), Option(2, "2")], broken, "n")
    g = game(first(("x", lambda: decision)))
    with pytest.raises(KeyError):
        play(g, begun(g), Answer("x", 1), RED, Server())


def test_an_unknown_phase_is_the_games_fault() -> None:
    with pytest.raises(BrokenGame, match="p7"):
        todo(game(over), Notes(phase="p7"))


def test_dice_by_hand_wait_to_be_entered() -> None:
    g = game(first(("roll", lambda: throw_for("roll")), ("x", lambda: ask("x", [1, 2]))))
    opening = begin(g, Notes(), by_hand)
    assert what(opening) == []
    for seats in (RED, BLUE):
        with pytest.raises(Refused, match="dice"):
            play(g, opening.state, Advance(), seats, by_hand)
    wrong: list[tuple[type[Refused], Answer, frozenset[str]]] = [
        (NotYourSeat, Answer("roll", faces=(1, 2)), BLUE),
        (Stale, Answer("x", faces=(1, 2)), RED),
        (Illegal, Answer("roll"), RED),
        (Illegal, Answer("roll", faces=(1,)), RED),
        (Illegal, Answer("roll", faces=(1, 2, 3)), RED),
        (Illegal, Answer("roll", faces=(0, 2)), RED),
        (Illegal, Answer("roll", faces=(1, 7)), RED),
    ]
    for kind, command, seats in wrong:
        with pytest.raises(kind):
            play(g, opening.state, command, seats, by_hand)
    played = play(g, opening.state, Answer("roll", faces=(6, 1)), RED, by_hand)
    assert played.happenings[0].dice == Rolled(Pool(2), (6, 1), "hand")
    assert played.happenings[0].event == Noted("roll", (6, 1))


def test_nobody_names_faces_where_the_server_rolls() -> None:
    g = game(first(("roll", lambda: throw_for("roll")), ("x", lambda: ask("x", [1, 2]))))
    state = begin(g, Notes(), Server(), pace="step").state
    state = play(g, state, Advance(), RED, Server(), pace="step").state
    with pytest.raises(Illegal, match="server"):
        play(g, state, Answer("roll", faces=(6, 6)), RED, Server(), pace="step")
    played = play(g, state, Answer("roll"), RED, Server(), pace="step")
    assert played.state.done == (("roll", (1, 2)),)


def open_choices(state: Notes) -> Todo:
    """Both seats at once, openly; then an effect."""
    asked = tuple(ask(s, [1, 2], s) for s in ("red", "blue") if not state.has(s))
    return asked or (None if state.has("end") else Effect(Noted("end"), "n"))


def test_open_decisions_are_answered_in_any_order() -> None:
    g = game(open_choices, lambda state: ask("next", [1, 2]))
    for seats, order in ((RED, ["red", "blue"]), (BLUE, ["blue", "red"])):
        one = play(g, begun(g), Answer(order[0], 1), seats, Server())
        assert what(one) == order[:1]
        two = play(g, one.state, Answer(order[1], 2), BOTH - seats, Server())
        assert what(two) == [order[1], "end"]


def test_a_forced_one_among_several_answers_itself() -> None:
    def phase(state: Notes) -> Todo:
        many = {"red": [1, 2], "blue": [1]}
        return tuple(ask(s, many[s], s) for s in many if not state.has(s))

    g = game(phase, lambda state: ask("next", [1, 2]))
    assert begun(g).done == (("blue", 1),)


def sealed_choices(state: Notes) -> Todo:
    """Both seats at once, in secret; then an effect that shows them."""
    asked = tuple(ask(s, [1, 2], s, sealed=True) for s in ("red", "blue") if not state.has(s))
    return asked or (None if state.has("show") else Effect(Noted("show"), "n"))


@pytest.mark.parametrize("pace", ["flow", "step"])
def test_sealed_answers_fall_together(pace: Any) -> None:
    g = game(sealed_choices, lambda state: ask("next", [1, 2]))
    state = begun(g)
    for order in (["red", "blue"], ["blue", "red"]):
        seat, last = order
        early = play(g, state, Answer(seat, 1), frozenset({seat}), Server(), pace=pace)
        assert early.happenings == ()
        assert early.state == state
        assert early.held == (Held(seat, seat, 1),)
        again = play(
            g, state, Answer(seat, 2), frozenset({seat}), Server(), pace=pace, held=early.held
        )
        assert again.held == (Held(seat, seat, 2),)
        done = play(
            g, state, Answer(last, 1), frozenset({last}), Server(), pace=pace, held=again.held
        )
        assert done.held == ()
        assert what(done) == ["red", "blue"] + (["show"] if pace == "flow" else [])
        assert dict(done.state.done[:2]) == {seat: 2, last: 1}


def test_a_sealed_answer_is_withdrawn() -> None:
    g = game(sealed_choices)
    step = todo(g, begun(g))
    held = (Held("red", "red", 1),)
    assert withdraw(step, "red", RED, held) == ()
    for kind, offer, seats in (
        (NotYourSeat, "red", BLUE),
        (NotYourSeat, "red", NOBODY),
        (Stale, "blue", BLUE),
        (Stale, "elsewhere", RED),
    ):
        with pytest.raises(kind):
            withdraw(step, offer, seats, held)


def test_a_refused_sealed_answer_keeps_the_others() -> None:
    g = game(sealed_choices)
    held = (Held("red", "red", 1),)
    for kind, command, seats in (
        (Illegal, Answer("blue", 3), BLUE),
        (NotYourSeat, Answer("blue", 1), RED),
        (NotYourSeat, Answer("red", 2), BLUE),
    ):
        with pytest.raises(kind):
            play(g, begun(g), command, seats, Server(), held=held)


def test_nobody_advances_past_sealed_decisions() -> None:
    """Not even where only one answer is possible: that it answers itself would tell."""

    def phase(state: Notes) -> Todo:
        return tuple(ask(s, [1], s, sealed=True) for s in ("red", "blue") if not state.has(s))

    g = game(phase, lambda state: ask("next", [1, 2]))
    state = begun(g)
    assert state.done == ()
    with pytest.raises(Refused):
        play(g, state, Advance(), BOTH, Server(), held=(Held("red", "red", 1),))


def test_answers_held_for_another_question_are_dropped() -> None:
    """After a take-back the table may still hold an answer to what is not asked any more."""
    g = game(sealed_choices, lambda state: ask("next", [1, 2]))
    stray = (Held("elsewhere", "red", 1),)
    played = play(g, begun(g), Answer("blue", 1), BLUE, Server(), held=stray)
    assert played.happenings == ()
    assert played.held == (Held("blue", "blue", 1),)


def test_a_choice_that_is_read() -> None:
    """Where there are too many options to list, `read` decides, and its word is what happens."""

    def read(choice: Any) -> Any:
        if not isinstance(choice, dict) or not isinstance(choice.get("n"), int):
            raise Illegal("A number, please.", "n-read")
        return choice["n"] * 10

    decision = Decision(
        "x",
        "red",
        "x",
        lambda: [Option({"n": 1}, "1")],
        lambda n: Noted("x", n),
        "n",
        schema={},
        read=read,
    )
    assert decision.forced is None, "one example is not the only answer"
    g = game(first(("x", lambda: decision)), over)
    assert play(g, begun(g), Answer("x", {"n": 77}), RED, Server()).state.done == (("x", 770),)
    with pytest.raises(Illegal) as caught:
        play(g, begun(g), Answer("x", {"n": "77"}), RED, Server())
    assert caught.value.cite == "n-read"


def test_a_decision_is_only_worked_out_when_somebody_looks() -> None:
    """Options may be costly, and a waiting table is asked often what is open."""
    looked: list[int] = []

    def options() -> list[Option]:
        looked.append(1)
        return [Option(1, "1"), Option(2, "2")]

    decision = Decision("x", "red", "x", options, lambda n: Noted("x", n), "n")
    assert looked == []
    assert decision.all_options is decision.all_options
    decision.accept(1)
    assert decision.forced is None
    assert looked == [1]


def test_all_blocked_is_not_forced() -> None:
    assert ask("x", [1, 2], blocked=[1, 2]).forced is None
    forced = ask("x", [1, 2, 3], blocked=[1, 3]).forced
    assert forced is not None
    assert forced.value == 2


def test_a_phase_that_begins_is_the_engines_fact_and_the_games() -> None:
    """The engine sets turn and phase before the game hears of it."""
    heard: list[Notes] = []

    def listen(state: Notes, event: Event) -> Notes:
        heard.append(state)
        return state

    g = dataclasses.replace(game(over), evolve=listen)
    after = evolve(g, Notes(), PhaseBegan(4, "p0"))
    assert (after.turn, after.phase) == (4, "p0")
    assert (heard[0].turn, heard[0].phase) == (4, "p0")


def test_finished_ends_it() -> None:
    g = game(over)
    result = Result("over", "x", (), {"red": 3})
    assert evolve(g, Notes(), Finished(result)).result == result

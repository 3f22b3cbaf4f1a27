"""The Stalled Aircraft Phase (GS-STL): its steps in the rulebook's order.

Belongs here: what each step has still to do. Does not belong here: bookkeeping (`facts`), numbers.

All of it is open. Who is asked about a vertical reverse tells nothing of a pilot: those who may not try are
asked too, and can only say no.
"""

from collections.abc import Sequence
from functools import partial

from app.engine.sequence import Decision, Effect, Option, Roll, Todo
from app.games.gunslingers import crews
from app.games.gunslingers.checks import ONE_DIE, Number, thrown
from app.games.gunslingers.flight.cards import min_speed
from app.games.gunslingers.model import Aircraft, State
from app.games.gunslingers.stalls import numbers
from app.games.gunslingers.stalls.facts import (
    DepartureRolled,
    Jettisoned,
    RecoveryRolled,
    ReverseChosen,
    ReverseRolled,
    StallEnded,
)
from app.games.gunslingers.steps import Step, phase

HIDDEN = "pilot and aircraft"


def _recover(state: State) -> Todo:
    """GS-STL-1: each departed aircraft rolls; once recovered it is back at a speed that it can fly."""
    for one in state.flying():
        if one.condition == "departed" and one.id not in state.done:
            number = numbers.recovery(state, one)
            return Roll(
                id=f"recover:{one.id}",
                seat=one.side,
                title=f"{one.name}: recover from departed flight",
                pool=ONE_DIE,
                happen=partial(_recovery_rolled, state, one, number),
                cite="GS-STL-1",
                unit=one.id,
                odds=number.odds("Recovers"),
                terms=number.open_terms(HIDDEN),
            )
    return None


def _recovery_rolled(
    state: State, one: Aircraft, number: Number, faces: tuple[int, ...]
) -> RecoveryRolled:
    roll = thrown(number, faces[0], one.side)
    speed = max(min_speed(state, one), one.o.depart_speed) if roll.made else None
    return RecoveryRolled(one.id, roll, speed, crews.in_hand(one) if roll.made else None)


def _depart(state: State) -> Todo:
    """GS-STL-2: whoever is too slow may drop its load first, then rolls not to depart."""
    for one in state.flying():
        if one.condition == "departed" or one.id in state.done:
            continue
        if not numbers.stalled(state, one):
            if one.condition == "stalled":
                title = f"{one.name} is no longer stalled"
                return Effect(
                    StallEnded(one.id, crews.in_hand(one)), "GS-STL-2", title, one.side, one.id
                )
            continue
        if _loaded(one) and f"jettison:{one.id}" not in state.done:
            return _ask_jettison(one)
        number = numbers.departure(state, one)
        return Roll(
            id=f"depart:{one.id}",
            seat=one.side,
            title=f"{one.name}: avoid departing",
            pool=ONE_DIE,
            happen=partial(_departure_rolled, one, number),
            cite="GS-STL-2",
            unit=one.id,
            why="slower than its minimum speed",
            odds=number.odds("Departs", good=False),
            terms=number.open_terms(HIDDEN),
        )
    return None


def _loaded(one: Aircraft) -> bool:
    """Whether it carries a load that somebody awake can drop."""
    return one.s.config != "CL" and bool(crews.able(one))


def _ask_jettison(one: Aircraft) -> Decision:
    options = (
        Option("keep", "Keep the stores", "and roll as it is"),
        Option("drop", "Drop all stores", "clean, it may be fast enough", cost="all stores"),
    )
    return Decision(
        id=f"jettison:{one.id}",
        seat=one.side,
        title=f"{one.name} is too slow: drop its stores?",
        options=lambda: options,
        happen=lambda choice: Jettisoned(one.id, choice == "drop"),
        cite="GS-STL-2a",
        unit=one.id,
        initial="keep",
    )


def _departure_rolled(one: Aircraft, number: Number, faces: tuple[int, ...]) -> DepartureRolled:
    roll = thrown(number, faces[0], one.side)
    return DepartureRolled(one.id, roll, roll.made)


def _reverse(state: State) -> Todo:
    """GS-STL-3: out of a vertical climb an aircraft may try to swing straight into a vertical dive."""
    for one in state.flying():
        if not numbers.may_reverse(state, one) or f"over:{one.id}" in state.done:
            continue
        number = numbers.reverse(state, one)
        if one.id in state.done:
            return Roll(
                id=f"reverse:{one.id}",
                seat=one.side,
                title=f"{one.name}: vertical reverse",
                pool=ONE_DIE,
                happen=partial(_reverse_rolled, state, one, number),
                cite="GS-STL-3",
                unit=one.id,
                odds=number.odds("Reverses"),
                terms=number.open_terms(HIDDEN),
            )
        return Decision(
            id=f"try-reverse:{one.id}",
            seat=one.side,
            title=f"{one.name}: try a vertical reverse?",
            options=partial(_reverse_options, state, one, number),
            happen=lambda choice, one=one: ReverseChosen(one.id, choice == "try"),
            cite="GS-STL-3",
            unit=one.id,
            initial="no",
        )
    return None


def _reverse_options(state: State, one: Aircraft, number: Number) -> Sequence[Option]:
    slow = numbers.stalled(state, one)
    return (
        Option("no", "No", "it flies on stalled" if slow else "it flies on"),
        Option(
            "try",
            "Try",
            "then it must dive vertically at minimum speed; failing, it stalls",
            odds=number.odds("Reverses"),
            blocked=numbers.reverse_blocked(state, one),
            terms=number.terms(),
        ),
    )


def _reverse_rolled(
    state: State, one: Aircraft, number: Number, faces: tuple[int, ...]
) -> ReverseRolled:
    roll = thrown(number, faces[0], one.side)
    if not roll.made:
        return ReverseRolled(one.id, roll, None)
    return ReverseRolled(one.id, roll, min_speed(state, one), crews.in_hand(one))


PHASE = phase(
    "stalled",
    "Stalled Aircraft",
    (
        Step("GS-STL-1", "Recover from departed flight", _recover),
        Step("GS-STL-2", "Avoid departing", _depart),
        Step("GS-STL-3", "Vertical reverse", _reverse),
    ),
    "GS-STL-1",
)

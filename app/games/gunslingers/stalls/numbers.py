"""Numbers of the Stalled Aircraft Phase: recovering, departing, reversing (GS-T-7, GS-T-8).

Belongs here: what each die needs, and who may throw it. Does not belong here: what it leads to (`facts`).
"""

from app.engine.sequence import Blocked
from app.games.gunslingers import crews
from app.games.gunslingers.checks import Number, Part
from app.games.gunslingers.flight.cards import min_speed
from app.games.gunslingers.model import Aircraft, Crew, State

RECOVERED_ON = 6
DEPARTS_ON = 5
REVERSES_ON = 6
MOST_BELOW = 1.0
"""By how much its speed may lie below the minimum for a vertical reverse (GS-STL-3a)."""


def stalled(state: State, aircraft: Aircraft) -> bool:
    """GS-STL-2: slower than its card allows, at this altitude and with this load."""
    return aircraft.speed < min_speed(state, aircraft)


def recovery(state: State, aircraft: Aircraft) -> Number:
    """GS-STL-1 with GS-T-7: 6 or less recovers."""
    return Number(RECOVERED_ON, _steadiness(state, aircraft))


def reverse(state: State, aircraft: Aircraft) -> Number:
    """GS-STL-3 with GS-T-7: 6 or less reverses."""
    return Number(REVERSES_ON, _steadiness(state, aircraft))


def disorientation(aircraft: Aircraft) -> Number:
    """GS-STL-4: a disoriented pilot recovers as from departed flight, with no help from the controls."""
    return Number(RECOVERED_ON, _pilot_rows(crews.pilot(aircraft)))


def departure(state: State, aircraft: Aircraft) -> Number:
    """GS-STL-2 with GS-T-8: 5 or less departs, so here a high die is good."""
    one = crews.pilot(aircraft)
    rows = (
        Part("fly-by-wire", 2, state.card(aircraft).has("fly-by-wire"), own=True),
        Part("Veteran", 1, one.quality == "veteran", own=True),
        Part("Sierra Hotel", 1, one.sierra_hotel, own=True),
        Part("excellent confidence", 1, one.confidence == "excellent", own=True),
        Part("poor confidence", -1, one.confidence == "poor", own=True),
        Part("Novice", -1, one.quality == "novice", own=True),
        Part("Green", -2, one.quality == "green", own=True),
    )
    return Number(DEPARTS_ON, rows)


def _steadiness(state: State, aircraft: Aircraft) -> tuple[Part, ...]:
    wire = Part("fly-by-wire", -2, state.card(aircraft).has("fly-by-wire"), own=True)
    return (wire, *_pilot_rows(crews.pilot(aircraft)))


def _pilot_rows(one: Crew) -> tuple[Part, ...]:
    return (
        Part("Veteran", -1, one.quality == "veteran", own=True),
        Part("Sierra Hotel", -1, one.sierra_hotel, own=True),
        Part("Green", 2, one.quality == "green", own=True),
    )


def may_reverse(state: State, aircraft: Aircraft) -> bool:
    """GS-STL-3: stalled or at exactly the minimum, after a vertical climb, and in control."""
    slow = aircraft.speed <= min_speed(state, aircraft)
    in_hand = aircraft.condition in ("normal", "stalled")
    return slow and in_hand and aircraft.s.flight_type == "VC"


def reverse_blocked(state: State, aircraft: Aircraft) -> Blocked | None:
    """GS-STL-3a: why it can't try a vertical reverse."""
    if not crews.awake(aircraft):
        return Blocked("its pilot is blacked out", "GS-STL-3")
    if crews.pilot(aircraft).quality in ("novice", "green"):
        return Blocked("Novice and Green pilots may not try", "GS-STL-3a")
    if aircraft.speed < min_speed(state, aircraft) - MOST_BELOW:
        return Blocked("more than 1.0 below the minimum speed", "GS-STL-3a")
    if reverse(state, aircraft).reach < 1:
        return Blocked("no die would do it", "GS-STL-3")
    return None

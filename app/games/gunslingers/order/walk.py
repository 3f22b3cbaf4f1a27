"""The order as it is walked: who flies right after whom (GS-FLT-11 to GS-FLT-15), and how people see it.

Belongs here: what the list of GS-OOF-3 comes to with those who follow their target. Does not belong here: how the
list is made (`phase`), and pre-emption, which is chosen while it is flown.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from app.engine.game import Place, Queue
from app.engine.secret import Viewer
from app.games.gunslingers.model import Aircraft, OrderPlace, State
from app.games.gunslingers.order.ranks import GROUPS


class Entry(Struct, frozen=True):
    """A place as it is flown: in which `step` (the rank's number), and right `after` whom, if anybody."""

    place: OrderPlace
    step: int
    after: str | None = None


def walk(state: State) -> tuple[Entry, ...]:
    """The aircraft in the game in the order in which they fly, those that have flown included.

    Who tails or illuminates another comes right after it (GS-FLT-12, GS-FLT-13), and flies in its step.
    """
    places = {
        one.aircraft: one
        for one in state.order
        if (aircraft := state.aircraft.get(one.aircraft)) is not None and aircraft.flying
    }
    numbers = {aircraft: number for number, aircraft in enumerate(places)}
    leads = _leads(state, places)
    at = dict(numbers)
    for first in shoot_outs(leads, places, numbers):
        members = cycle(leads, first)
        at[first] = min(numbers[one] for one in members)
        del leads[first]
    roots = sorted((one for one in places if one not in leads), key=lambda one: at[one])
    followers: dict[str, list[str]] = {}
    for one, leader in leads.items():
        followers.setdefault(leader, []).append(one)
    earliest = tuple(places)

    def entries(one: str, step: int, after: str | None) -> Iterator[Entry]:
        yield Entry(places[one], step, after)
        for follower in followers.get(one, ()):
            yield from entries(follower, step, one)

    return tuple(
        entry for root in roots for entry in entries(root, places[earliest[at[root]]].rank, None)
    )


def _leads(state: State, places: Mapping[str, OrderPlace]) -> dict[str, str]:
    """Whom each aircraft follows, of those who follow anybody."""
    found: dict[str, str] = {}
    for one in places:
        leader = followed(state.aircraft[one])
        if leader is not None and leader in places:
            found[one] = leader
    return found


def followed(aircraft: Aircraft) -> str | None:
    """GS-FLT-12, GS-FLT-13: whom an aircraft flies right after; only a free one follows anybody."""
    return aircraft.tailing or aircraft.illuminating if aircraft.free else None


def cycle(leads: Mapping[str, str], first: str) -> tuple[str, ...]:
    """Those who follow each other in a ring, from `first` on; empty when it stands in none."""
    members = [first]
    while (leader := leads.get(members[-1])) is not None:
        if leader == first:
            return tuple(members)
        if leader in members:
            return ()
        members.append(leader)
    return ()


def shoot_outs(
    leads: Mapping[str, str], places: Mapping[str, OrderPlace], numbers: Mapping[str, int]
) -> tuple[str, ...]:
    """GS-FLT-15: of each ring, who flies first: lower initiative, then the earlier place."""
    firsts: list[str] = []
    seen: set[str] = set()
    for one in leads:
        members = () if one in seen else cycle(leads, one)
        if members:
            seen.update(members)
            firsts.append(min(members, key=lambda each: (places[each].initiative, numbers[each])))
    return tuple(firsts)


def shoot_out_with(state: State, aircraft: Aircraft) -> Aircraft | None:
    """GS-FLT-15: the enemy with whom an aircraft guides missiles at each other."""
    if aircraft.illuminating is None:
        return None
    other = state.aircraft[aircraft.illuminating]
    return other if other.illuminating == aircraft.id and other.flying else None


BEFORE_ORDER = ("aaa", "sam", "stalled", "sighting", "decisions")
"""Phases in which the order is still last turn's, which means nothing any more."""


def queue(state: State, viewer: Viewer) -> Queue | None:
    """The order of flight for people, None while there is none. What a viewer may not see is not in `state`."""
    del viewer
    if not state.order or state.phase in BEFORE_ORDER:
        return None
    shown = tuple(_shown(state, entry) for entry in walk(state))
    return Queue("Order of flight", "GS-T-12", shown)


def _shown(state: State, entry: Entry) -> Place:
    place, aircraft = entry.place, state.aircraft[entry.place.aircraft]
    why = f"initiative {place.initiative}"
    if place.tie:
        why += ", tie " + ", ".join(str(die) for die in place.tie)
    why = f"{place.why}; {why}"
    if entry.after is not None:
        why = f"right after {state.aircraft[entry.after].name}; {why}"
    return Place(
        unit=aircraft.id,
        why=why,
        group=GROUPS[place.rank, place.within],
        done=aircraft.moved,
        now=state.activation is not None and state.activation.aircraft == aircraft.id,
    )

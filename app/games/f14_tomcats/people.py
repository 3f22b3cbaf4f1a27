"""Pilots who outlive a mission: what the campaign book keeps of them (F14-RK-1, F14-DM-3 to F14-DM-5).

Belongs here: putting a pilot into a set-up, and reading off a final position what became of him. Does not
belong here: what a mission adds to a career; see `careers`.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from msgspec.structs import replace

from app.engine.errors import BrokenGame, Illegal
from app.engine.people import Deed, People, Person
from app.games.f14_tomcats import tables
from app.games.f14_tomcats.careers import LABELS, PURPLE_HEART
from app.games.f14_tomcats.model import Cards, Career, Jet, State
from app.games.f14_tomcats.setup import SEATS, PilotSetup, Setup

SUGGESTIONS = (
    ("Alex Reyes", "Anvil"),
    ("Sam Okafor", "Bishop"),
    ("Robin Calder", "Comet"),
    ("Kim Vance", "Dusty"),
    ("Jo Lindqvist", "Ember"),
    ("Casey Duarte", "Flint"),
    ("Morgan Pryce", "Gizmo"),
    ("Dana Kowalski", "Halo"),
    ("Lee Marchetti", "Indigo"),
    ("Toni Abara", "Jester"),
    ("Chris Novak", "Kestrel"),
    ("Pat Sorensen", "Latch"),
    ("Riley Haddad", "Magpie"),
    ("Quinn Tanaka", "Nomad"),
    ("Jamie Osei", "Otter"),
    ("Drew Fontaine", "Pepper"),
    ("Andy Mbeki", "Quill"),
    ("Nicky Bauer", "Rook"),
    ("Sasha Petrov", "Sable"),
    ("Terry Quiroga", "Tonic"),
    ("Val Hutchins", "Umber"),
    ("Max Ferreira", "Vandal"),
    ("Billie Strand", "Willow"),
    ("Ray Castellan", "Zephyr"),
)


def seated(setup: Setup, people: Mapping[str, Person]) -> Setup:
    """The set-up with these pilots. Call signs of a flight differ, or nobody could tell who is meant."""
    known: dict[str, str] = {}
    for seat, person in people.items():
        if known.setdefault(person.call_sign.casefold(), seat) != seat:
            raise Illegal(
                f"There is a {person.call_sign} in this flight already. "
                "Call signs must differ: bring another pilot, or give this one another call sign."
            )
    pilots = [
        _with(pilot, people[seat]) if seat in people else _giving_way(pilot, known)
        for seat, pilot in zip(SEATS, setup.pilots, strict=False)
    ]
    return replace(setup, pilots=tuple(pilots))


def _with(pilot: PilotSetup, person: Person) -> PilotSetup:
    """The set-up's aircraft with another pilot."""
    career = PILOTS.read(person.record)
    if len(set(career.awards)) < len(career.awards):
        raise Illegal("Each award is given once; this record has one of them twice.", "F14-RK-4")
    return replace(pilot, name=person.name, call_sign=person.call_sign, career=career)


def _giving_way(pilot: PilotSetup, taken: Mapping[str, str]) -> PilotSetup:
    """The set-up's own pilot, with a number behind the call sign of somebody who was brought."""
    signs = (f"{pilot.call_sign[:13]} {number}".strip() for number in count(2))
    sign = pilot.call_sign
    while sign.casefold() in taken:
        sign = next(signs)
    return replace(pilot, call_sign=sign)


def deeds(state: State) -> list[Deed]:
    """F14-RS-1: what each pilot of a mission that is over takes home."""
    return [_deed(state, jet) for jet in state.jets.values()]


def _deed(state: State, jet: Jet) -> Deed:
    if jet.record is None:
        raise BrokenGame(f"{jet.id} was not debriefed")
    label = LABELS[sum(target.destroyed for target in state.targets)]
    return Deed(
        seat=jet.seat,
        title=f"Mission {label}, {jet.status}",
        record=jet.record,
        lost=jet.status == "lost",
        lines=tuple(_given(state.cards, jet.career, jet.record)),
        tallies={"Points": jet.points, "Kills": jet.kills},
    )


def _given(cards: Cards, before: Career, after: Career) -> Iterator[str]:
    """Awards and promotion, each with the row of its table."""
    if after.purple_hearts > before.purple_hearts:
        yield f"Awarded the {PURPLE_HEART}: a bail-out with rescue"
    for row in cards.awards:
        if row.name in after.awards and row.name not in before.awards:
            yield f"Awarded {'' if row.title else 'the '}{row.name}: {row.kills} kills"
    if after.rank != before.rank:
        row = next(rank for rank in cards.ranks if rank.name == after.rank)
        yield f"Promoted to {row.name}: {row.missions} missions and {row.points} points"


def told(career: Career) -> Sequence[tuple[str, str]]:
    """A record for people."""
    medals = list(career.awards)
    if career.purple_hearts:
        times = f" × {career.purple_hearts}" if career.purple_hearts > 1 else ""
        medals.append(f"{PURPLE_HEART}{times}")
    return (
        ("Rank", career.rank),
        ("Missions", str(career.missions)),
        ("Points", str(career.points)),
        ("Kills", str(career.kills)),
        ("Awards", ", ".join(medals) or "none yet"),
    )


def order(career: Career) -> tuple[int, int, int, int]:
    """By rank, then points, kills and missions."""
    rank = [row.name for row in tables.ranks()].index(career.rank)
    return rank, career.points, career.kills, career.missions


def rank_of(career: Career) -> str:
    """What stands before a pilot's name."""
    return career.rank


PILOTS = People(
    noun="pilot",
    plural="pilots",
    awaited="wingman",
    record=Career,
    seated=seated,
    deeds=deeds,
    told=told,
    title=rank_of,
    order=order,
    suggestions=SUGGESTIONS,
)

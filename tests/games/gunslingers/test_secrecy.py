"""What one side must not learn of the other, in each of the three fogs (GS-4-F1 to GS-4-F3).

Whole games are played at random, and at every moment it is looked at what Red gets: the position, units, facts,
marks, the order of flight, the log. Only Blue's crews have traits, so any word of one that reaches Red is a leak.
"""

import random
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from app.engine.log import Entry
from app.engine.secret import Secret, Viewer, redact
from app.engine.sequence import Advance, Answer, Option, open_decisions
from app.games.gunslingers import fog
from app.games.gunslingers.flight import windows
from app.games.gunslingers.model import Crew, Decoys, Ident, State, Store, with_aircraft
from app.games.gunslingers.noting import complete
from app.games.gunslingers.sighting.facts import LostFromSight
from app.testing.player import Sitting, askable, at_random
from tests.games.gunslingers.combat import gunnery, moving, shooter, target
from tests.games.gunslingers.table import BOTH, GAME, Craft, Table, craft, position, setup

RED: Viewer = frozenset({"red"})
NOBODY: Viewer = frozenset()
FOGS = ("table", "soft", "hard")
COMMANDS = 160

TRAITS = {
    "quality": "veteran",
    "sierra_hotel": True,
    "tactics_master": True,
    "combat_hero": True,
    "confidence": "excellent",
    "fitness": 1,
}
WORDS = ("veteran", "sierra", "tactics", "hero", "confidence", "fitness")

BLUE = craft(
    id="blue-1",
    name="Viper One",
    place="1210",
    facing=3,
    crew=[TRAITS, {}],
    stores=[{"missile": "ir-rear", "count": 4}, {"missile": "rh-medium", "count": 4}],
    contacts=["red-1"],
)
WINGMAN = craft(id="blue-2", name="Viper Two", place="1214", facing=3, crew=[TRAITS, TRAITS])
REDS = [
    craft(
        id=f"red-{n}",
        name=f"Bandit {n}",
        side="red",
        card="mig-21mf",
        place=f"28{10 + 2 * n}",
        facing=9,
        stores=[{"missile": "ir-rear", "count": 2}],
    )
    for n in (1, 2)
]


@cache
def played(how: str, seed: int) -> Sitting:
    """A game of some turns by random choices, step by step."""
    rng = random.Random(seed)
    data = setup(BLUE, WINGMAN, *REDS, turns=4)
    sitting = Sitting.open(GAME, data, {"fog": how}, seed, pace="step")
    choices = 0
    while choices < COMMANDS and sitting.todo() is not None:
        asked = askable(sitting)
        if not asked or any(one.forced is not None for one in asked):
            sitting.do(sitting.seats[0], Advance())
            continue
        choices += 1
        decision = rng.choice(asked)
        sitting.do(decision.seat, Answer(decision.id, at_random(rng, decision)))
    return sitting


def seen(state: State, viewer: Viewer) -> State:
    """The position as a page gets it."""
    return GAME.view(redact(state, viewer), viewer)


def shown(state: State, viewer: Viewer) -> str:
    """All that a page shows of a position, as text."""
    sent = seen(state, viewer)
    out = [
        GAME.units(sent, viewer),
        GAME.facts(sent),
        GAME.marks(sent, viewer),
        GAME.queue(sent, viewer),
    ]
    return msgspec.json.encode(out).decode()


def told(sitting: Sitting, entry: Entry, viewer: Viewer) -> str:
    """An entry's fact and its line, as text; "" for one that is kept from the viewer."""
    if type(entry.event) not in GAME.events:
        return ""
    before, after = sitting.states[entry.seq - 1], sitting.states[entry.seq]
    event = GAME.tells(before, after, redact(entry.event, viewer), viewer)
    if event is None:
        return ""
    line = GAME.tell(event, GAME.names(sitting.setup))
    return msgspec.json.encode([event, line]).decode()


def offered(options: Iterable[Option]) -> str:
    """All that options say, as text."""
    return repr([(o.value, o.label, o.detail, o.blocked, o.group, o.terms) for o in options])


def states(sitting: Sitting) -> Iterator[State]:
    """The position after each entry."""
    for seq in sorted(sitting.states):
        yield sitting.states[seq]


def everybody(state: State) -> dict[str, str]:
    """Names by id."""
    return {one.id: one.name for one in state.aircraft.values()}


def otherwise(state: State) -> State:
    """The same position with everything changed that only Blue may know."""
    aircraft: dict[str, Any] = {}
    for id, one in state.aircraft.items():
        if one.side == "blue":
            own = replace(
                one.o,
                crew=(Crew(quality="green", confidence="poor", fitness=-1),),
                stores=(Store("ir-all", 7),),
                decoys=Decoys(chaff=77),
                fuel=777.5,
                ammo=7.5,
                ap_carry=1.75,
                damage="L",
                hits=("L", "radar"),
                radar_mode="off",
            )
            one = replace(one, own=Secret(own, one.own.seats))
            if "red" not in one.identified_by:
                one = replace(one, ident=Secret(Ident("eb-66c"), one.ident.seats))
            if "red" not in one.sighted_by:
                hidden = replace(one.s, speed=9.5, power="AB")
                one = replace(one, seen=Secret(hidden, one.seen.seats))
        aircraft[id] = one
    return replace(state, aircraft=aircraft)


@pytest.mark.parametrize("how", FOGS)
def test_what_only_blue_knows_changes_nothing_for_others(how: str) -> None:
    looked = 0
    for state in states(played(how, 1)):
        other = otherwise(state)
        for viewer in (RED, NOBODY):
            assert seen(other, viewer) == seen(state, viewer)
            assert shown(other, viewer) == shown(state, viewer)
        looked += shown(other, frozenset({"blue"})) != shown(state, frozenset({"blue"}))
    assert looked > 50, "Blue itself must see the difference"


@pytest.mark.parametrize("how", FOGS)
@pytest.mark.parametrize("seed", [1, 2])
def test_no_line_tells_of_the_traits_of_the_enemys_crew(how: str, seed: int) -> None:
    sitting = played(how, seed)
    lines = 0
    for entry in sitting.entries:
        text = told(sitting, entry, RED).lower()
        lines += bool(text)
        assert not [word for word in WORDS if word in text], text
    assert lines > 100


@pytest.mark.parametrize("seed", [1, 2])
def test_in_hard_fog_the_unknown_are_nowhere(seed: int) -> None:
    sitting = played("hard", seed)
    names, hidden_at_all = everybody(sitting.state), 0
    for state in states(sitting):
        for viewer in (RED, frozenset({"blue"}), NOBODY):
            gone = fog.unknown(state, viewer)
            sent = msgspec.json.encode(replace(seen(state, viewer), cards={}, missile_cards={}))
            text = sent.decode() + shown(state, viewer)
            words = {word for id in gone for word in (id, names.get(id, id))}
            assert not [word for word in words if word in text]
            hidden_at_all += len(words)
    assert hidden_at_all > 100


@pytest.mark.parametrize("how", ["soft", "hard"])
@pytest.mark.parametrize("seed", [1, 2])
def test_in_fog_no_line_names_the_unknown(seed: int, how: str) -> None:
    sitting = played(how, seed)
    names, kept = everybody(sitting.state), 0
    for entry in sitting.entries[1:]:
        before, after = sitting.states[entry.seq - 1], sitting.states[entry.seq]
        for viewer in (RED, frozenset({"blue"}), NOBODY):
            gone = fog.unknown(before, viewer) & fog.unknown(after, viewer)
            text = told(sitting, entry, viewer)
            assert not [id for id in gone if id in text or names.get(id, id) in text], text
            kept += type(entry.event) in GAME.events and not text
    assert kept > 20


@pytest.mark.parametrize("how", ["soft", "hard"])
@pytest.mark.parametrize("seed", [1, 2])
def test_in_fog_no_offer_names_the_unknown(seed: int, how: str) -> None:
    """Not even a blocked option says that somebody is there."""
    sitting = played(how, seed)
    names, looked = everybody(sitting.state), 0
    for moment in sitting.moments:
        for one in open_decisions(moment.step):
            gone = fog.unknown(moment.state, frozenset({one.seat}))
            words = {word for id in gone for word in (id, names.get(id, id))}
            texts = [one.title, one.why, offered(one.all_options)]
            if one.draft is not None:
                line = one.reading("")
                texts += [repr(line.figures), offered(line.next)]
            assert not [word for word in words for text in texts if word in text], one.id
            looked += bool(gone)
    assert looked > 5


@pytest.mark.parametrize("how", FOGS)
def test_what_can_not_be_attacked_is_named_only_where_it_is_known(how: str) -> None:
    """A launch, a burst, tailing: an enemy out of sight and off the radar is no blocked option either."""
    seen: Craft = {"sighted": True}
    lurking: Craft = {"sighted": False, "facing": 6, "name": "Lurking"}
    missiles = {"stores": [{"missile": "ir-rear", "count": 2}]}
    far = shooter(**missiles), target(place="2011", **seen), target(place="2010", **lurking)
    launcher = Table.of(*far, movers=("b", "a"), rulings={"fog": how}).begin("launch")
    gunner = gunnery(
        moving(shooter(), target(**seen), target(place="2014", **lurking), rulings={"fog": how})
    )
    chased = position(
        craft(side="red", **seen), craft(), craft(side="red", **lurking), rulings={"fog": how}
    )
    state = with_aircraft(chased, replace(chased.aircraft["a"], moved=True))
    tails = [other.name for other, _ in windows.tailees(state, state.aircraft["b"])]
    asked = launcher.decision, gunner.decision
    texts = [*(offered(one.all_options) for one in asked), repr(tails)]
    assert [("Lurking" in text) for text in texts] == [how == "table"] * 3
    assert "A" in tails


def test_everybody_at_once_sees_all() -> None:
    sitting = played("hard", 1)
    for entry in sitting.entries:
        if type(entry.event) in GAME.events:
            assert told(sitting, entry, BOTH)
    assert len(GAME.units(seen(sitting.state, BOTH), BOTH)) >= 4


def test_soft_fog_shows_where_an_enemy_was_last_known() -> None:
    """GS-4-F2: sighted at 2010, it flies on unseen: the counter stays where it was."""
    crafts = [craft(), craft(side="red", card="mig-21mf", place="2010", sighted=True)]
    state = position(*crafts, rulings={"fog": "soft"})
    lost = GAME.evolve(state, complete(state, LostFromSight(("b",), ())))
    enemy = lost.aircraft["b"]
    moved = replace(lost, aircraft={**lost.aircraft, "b": replace(enemy, altitude=30, moved=True)})
    units = {unit.id: unit for unit in GAME.units(seen(moved, frozenset({"blue"})), BOTH - RED)}
    assert (units["b"].hex, units["b"].altitude, units["b"].glyph) == ("2010", 18, "blur")
    assert units["b"].speed is None
    assert units["b"].states == ("last known in turn 0",)
    own = {unit.id: unit for unit in GAME.units(seen(moved, RED), RED)}
    assert own["b"].altitude == 30


def test_in_soft_fog_an_enemy_that_was_never_known_is_not_there() -> None:
    crafts = [craft(), craft(side="red", card="mig-21mf", place="2010")]
    state = position(*crafts, rulings={"fog": "soft"})
    blue = frozenset({"blue"})
    assert [unit.id for unit in GAME.units(seen(state, blue), blue)] == ["a"]


def test_at_a_table_all_counters_lie_open_and_cards_do_not() -> None:
    """GS-4-F1: an enemy that nobody has identified shows its class and a plain shape."""
    state = position(craft(), craft(side="red", card="mig-21mf", place="2010", facing=6))
    blue = frozenset({"blue"})
    units = {unit.id: unit for unit in GAME.units(seen(state, blue), blue)}
    assert (units["b"].kind, units["b"].glyph, units["b"].facing) == ("Fighter", "kind-fighter", 6)
    assert units["a"].kind == "F-4E"
    known = position(craft(), craft(side="red", card="mig-21mf", place="2010", identified=True))
    assert GAME.units(seen(known, blue), blue)[1].kind == "MiG-21MF"

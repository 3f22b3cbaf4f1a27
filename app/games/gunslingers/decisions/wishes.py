"""What each aircraft may decide, and what comes of it (GS-DEC-1, GS-DEC-2, GS-DEC-3, GS-DEC-6).

Belongs here: the orders that a side can give, and why not. Does not belong here: when it is asked (`phase`).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from app.engine.sequence import Blocked
from app.games.gunslingers import crews
from app.games.gunslingers.decisions.facts import Hidden, RadarMode, Shown
from app.games.gunslingers.lines import Order, Orders
from app.games.gunslingers.model import Aircraft, Card, Decoys, Missile, State
from app.games.gunslingers.radar.receivers import hears
from app.games.gunslingers.sighting.numbers import sights

MOST_PPL = 6
"""The highest program protection level of a decoy type."""
KINDS: tuple[Literal["chaff", "flare", "mini"], ...] = ("chaff", "flare", "mini")
MODES: tuple[RadarMode, ...] = ("search", "off", "auto-track", "boresight")
GUIDED_BY_RADAR = ("RH", "AH", "CG", "CW")
ILLUMINATED = ("RH", "AH")


class Wish(Struct, frozen=True, kw_only=True):
    """What an aircraft is to do. `locks` are those that it keeps."""

    program: Decoys
    program_on: bool
    iff: bool
    engaged: bool
    illuminating: str | None
    radar_mode: RadarMode
    uncaged: bool
    locks: tuple[str, ...]
    leaves: bool = False


Wishes = Mapping[str, Wish]


def deciding(state: State, side: str) -> tuple[Aircraft, ...]:
    """The aircraft of a side that somebody awake sits in."""
    return tuple(one for one in state.flying(side) if crews.able(one))


def orders(state: State, side: str) -> Orders[Wishes]:
    """What a side may order. It begins with no change; missiles in flight go on being illuminated."""
    return Orders(
        lambda: {one.id: _unchanged(state, one) for one in deciding(state, side)},
        partial(_offered, state, side),
        partial(_figures, state),
        "GS-DEC-1",
    )


def _unchanged(state: State, one: Aircraft) -> Wish:
    return Wish(
        program=one.program,
        program_on=one.program_on and any(_left(one.o.decoys, one.program)),
        iff=one.o.iff,
        engaged=False,
        illuminating=next(iter(_to_illuminate(state, one, one.o.locks)), None),
        radar_mode=one.o.radar_mode,
        uncaged=one.o.uncaged,
        locks=one.o.locks,
    )


def _asleep(state: State, one: Aircraft) -> Wish:
    return replace(_unchanged(state, one), illuminating=None)


def outcome(state: State, side: str, wishes: Wishes) -> tuple[dict[str, Shown], dict[str, Hidden]]:
    """What comes of a side's decisions: what everybody learns, and what only it knows.

    Where nobody is awake all goes on as it was, but nobody illuminates.
    """
    shown: dict[str, Shown] = {}
    hidden: dict[str, Hidden] = {}
    for one in state.flying(side):
        wish, stock = wishes.get(one.id) or _asleep(state, one), one.o.decoys
        force = dispensed(stock, wish.program) if wish.program_on else wish.program
        on = wish.program_on and force != Decoys()
        looks = wish.radar_mode != "off"
        shown[one.id] = Shown(
            program=force,
            program_on=on,
            engaged=wish.engaged,
            illuminating=None if wish.engaged else wish.illuminating,
        )
        hidden[one.id] = Hidden(
            decoys=_without(stock, force) if on else stock,
            iff=wish.iff,
            radar_mode=wish.radar_mode,
            uncaged=wish.uncaged,
            leaves=wish.leaves,
            contacts=one.o.contacts if looks else (),
            locks=wish.locks if looks and not wish.engaged else (),
        )
    return shown, hidden


def _left(stock: Decoys, program: Decoys) -> tuple[int, ...]:
    return tuple(min(getattr(stock, kind), getattr(program, kind)) for kind in KINDS)


def dispensed(stock: Decoys, program: Decoys) -> Decoys:
    """GS-DEC-1: of each type its protection level, or what is left of it."""
    return Decoys(*_left(stock, program))


def _without(stock: Decoys, used: Decoys) -> Decoys:
    return Decoys(stock.chaff - used.chaff, stock.flare - used.flare, stock.mini - used.mini)


def _figures(state: State, wishes: Wishes) -> tuple[tuple[str, str], ...]:
    """What is dispensed by each program that is on."""
    return tuple(
        (
            f"{state.aircraft[id].name}: decoys used",
            written(dispensed(state.aircraft[id].o.decoys, wish.program)),
        )
        for id, wish in wishes.items()
        if wish.program_on
    )


def written(program: Decoys) -> str:
    """Numbers of chaff, flares and mini-jammers."""
    return f"{program.chaff}/{program.flare}/{program.mini}"


def _offered(state: State, side: str, wishes: Wishes) -> Sequence[Order[Wishes]]:
    return [
        _among(wishes, one, order)
        for one in deciding(state, side)
        for order in _orders(state, one, wishes[one.id])
    ]


def _orders(state: State, one: Aircraft, wish: Wish) -> Iterator[Order[Wish]]:
    card = state.card(one)
    yield from _engaging(state, one, wish)
    yield from _illuminating(state, one, wish)
    yield from _program(one, card, wish)
    yield from _iff(wish)
    yield from _radar(one, card, wish)
    yield from _seekers(card, wish)
    yield from _leaving(state, one, wish)


def _among(wishes: Wishes, one: Aircraft, order: Order[Wish]) -> Order[Wishes]:
    """One aircraft's order as an order of its side."""
    return Order(
        f"{one.id} {order.text}",
        order.label,
        {**wishes, one.id: order.after},
        one.name,
        order.detail,
        order.cite,
        blocked=order.blocked,
    )


# Programs and IFF (GS-DEC-1).


def _program(one: Aircraft, card: Card, wish: Wish) -> Iterator[Order[Wish]]:
    if not card.dds:
        return
    stock, blocked = one.o.decoys, None
    if "ecm" in one.o.out:
        blocked = Blocked("its dispenser is hit", "GS-DEC-1")
    elif not any(getattr(stock, kind) for kind in KINDS):
        blocked = Blocked("no decoys are left", "GS-DEC-1")
    if wish.program_on:
        yield Order("program off", "Program off", replace(wish, program_on=False), cite="GS-DEC-1")
    else:
        empty = Blocked("it would drop nothing", "GS-DEC-1")
        on = replace(wish, program_on=True)
        uses = dispensed(stock, wish.program)
        why = blocked or (empty if uses == Decoys() else None)
        yield Order("program on", f"Program on: {written(uses)}", on, cite="GS-DEC-1", blocked=why)
    for kind in KINDS:
        now = getattr(wish.program, kind)
        for level in range(min(MOST_PPL, getattr(stock, kind)) + 1):
            if level != now and getattr(stock, kind):
                program = replace(wish.program, **{kind: level})
                after = replace(wish, program=program)
                yield Order(
                    f"{kind} {level}",
                    f"{kind.capitalize()} {level}",
                    after,
                    detail=f"{level} of {getattr(stock, kind)} a turn",
                    cite="GS-DEC-1",
                    blocked=blocked,
                )


def _iff(wish: Wish) -> Iterator[Order[Wish]]:
    word = "off" if wish.iff else "on"
    after = replace(wish, iff=not wish.iff)
    yield Order(f"iff {word}", f"IFF {word}", after, "", "−2 for any radar while on", "GS-DEC-1a")


# Engaging missiles, shoot-outs (GS-DEC-2).


def incoming(state: State, one: Aircraft) -> tuple[Missile, ...]:
    """The missiles that fly at an aircraft."""
    return tuple(each for each in state.missiles.values() if each.target == one.id)


def warned_of(state: State, one: Aircraft, missile: Missile) -> bool:
    """GS-DEC-2: whether a missile is in sight, or the radar warning receiver shows it."""
    by_radar = _seeker(state, missile) in GUIDED_BY_RADAR
    return sights(one, missile) or (by_radar and hears(state, one))


def _seeker(state: State, missile: Missile) -> str:
    if missile.card.value is None:
        raise LookupError(f"the type of {missile.id} is hidden here")
    return state.missile_cards[missile.card.value].seeker


def shoot_outs(state: State, one: Aircraft) -> tuple[Aircraft, ...]:
    """GS-DEC-2b: those with whom it exchanges missiles that both guide by radar."""
    fired = {each.target for each in _guided(state, one)}
    return tuple(
        state.aircraft[id]
        for id in sorted(fired)
        if any(each.target == one.id for each in _guided(state, state.aircraft[id]))
    )


def _guided(state: State, one: Aircraft) -> tuple[Missile, ...]:
    """The missiles of an aircraft that need it to illuminate their target."""
    return tuple(
        each
        for each in state.missiles.values()
        if each.shooter == one.id and _seeker(state, each) in ILLUMINATED
    )


def _engaging(state: State, one: Aircraft, wish: Wish) -> Iterator[Order[Wish]]:
    at_it = incoming(state, one)
    if not at_it:
        return
    if wish.engaged:
        yield Order("does not engage", "Does not engage", replace(wish, engaged=False))
        return
    others = shoot_outs(state, one)
    detail = "moves early; no attacks, no radar, no locks"
    if others:
        detail = (
            f"shoot-out with {', '.join(each.name for each in others)}: its own missiles are lost"
        )
    yield Order(
        "engages",
        "Engages missiles",
        replace(wish, engaged=True),
        detail=detail,
        cite="GS-DEC-2",
        blocked=_not_engaging(state, one, at_it),
    )


def _not_engaging(state: State, one: Aircraft, at_it: Sequence[Missile]) -> Blocked | None:
    if one.condition != "normal":
        return Blocked("it is out of control", "GS-DEC-2")
    if crews.pilot(one).quality == "green":
        return Blocked("Green pilots may not engage", "GS-DEC-2a")
    if not any(warned_of(state, one, each) for each in at_it):
        return Blocked("the missile is not in sight, and no receiver shows it", "GS-DEC-2")
    return None


# Illuminating (GS-DEC-3).


def _to_illuminate(state: State, one: Aircraft, locks: Sequence[str]) -> tuple[str, ...]:
    """The targets of its homing missiles that its radar is locked on."""
    targets = dict.fromkeys(each.target for each in _guided(state, one))
    return tuple(target for target in targets if target in locks)


def _illuminating(state: State, one: Aircraft, wish: Wish) -> Iterator[Order[Wish]]:
    for target in dict.fromkeys(each.target for each in _guided(state, one)):
        if target == wish.illuminating:
            continue
        blocked = None
        if wish.engaged:
            blocked = Blocked("it engages missiles", "GS-DEC-2a")
        elif target not in wish.locks or wish.radar_mode == "off":
            blocked = Blocked("its radar is not locked on it", "GS-DEC-3")
        yield Order(
            f"illuminates {target}",
            f"Illuminates {state.aircraft[target].name}",
            replace(wish, illuminating=target),
            cite="GS-DEC-3",
            blocked=blocked,
        )
    if wish.illuminating is not None:
        yield Order(
            "does not illuminate",
            f"Stops illuminating {state.aircraft[wish.illuminating].name}",
            replace(wish, illuminating=None),
            detail="its missile is lost",
            cite="GS-DEC-3",
        )


# Modes (GS-DEC-6), and locks that are dropped (GS-RAD-4b).


def _radar(one: Aircraft, card: Card, wish: Wish) -> Iterator[Order[Wish]]:
    if card.radar is None:
        return
    hit = Blocked("its radar is hit", "GS-DEC-6") if "radar" in one.o.out else None
    for mode in MODES:
        if mode != wish.radar_mode and (mode in ("off", "search") or card.has(mode)):
            after = replace(wish, radar_mode=mode)
            if mode == "off":
                after = replace(after, illuminating=None)
            yield Order(f"radar {mode}", f"Radar: {mode}", after, cite="GS-DEC-6", blocked=hit)
    for target in wish.locks:
        kept = tuple(each for each in wish.locks if each != target)
        lit = None if wish.illuminating == target else wish.illuminating
        after = replace(wish, locks=kept, illuminating=lit)
        yield Order(f"drops {target}", "Drops its lock", after, "", target, "GS-RAD-4b")


def _seekers(card: Card, wish: Wish) -> Iterator[Order[Wish]]:
    if card.has("ir-uncage"):
        word = "cages" if wish.uncaged else "uncages"
        after = replace(wish, uncaged=not wish.uncaged)
        yield Order(word, f"{word.capitalize()} its seekers", after, cite="GS-DEC-6")


# Leaving (GS-ADM-5), which a side is not asked about at the end of each turn.


def _leaving(state: State, one: Aircraft, wish: Wish) -> Iterator[Order[Wish]]:
    """Where its side stays until shots fall: it would leave all the same."""
    if not state.leaving or one.side not in state.staying:
        return
    after = replace(wish, leaves=not wish.leaves)
    if wish.leaves:
        yield Order("stays", "Stays in the fight", after, cite="GS-ADM-5")
    else:
        asked = "asked about at the end of the turn"
        yield Order("would leave", "Would leave the fight", after, "", asked, "GS-ADM-5")

"""One aircraft's move, from its settings to its end (GS-FLT, GS-F), whoever or nobody flies it.

Belongs here: what the move that is under way has still to do, in its order: settings, pre-emption, flight points
one by one, what each of them leads to, the account, tailing. Does not belong here: whose move it is (`phase`), what a
flight point does (`flying`), the numbers (`abnormal`).

All that a move has come to stands in `state.activation` and the aircraft, so it goes on from a position alone.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import msgspec

from app.engine.dice import Pool
from app.engine.errors import Illegal
from app.engine.secret import Secret
from app.engine.sequence import Decision, Effect, Option, Roll, Todo
from app.games.gunslingers import crews, geometry
from app.games.gunslingers.checks import Number, Thrown, check
from app.games.gunslingers.crews import helpless
from app.games.gunslingers.flight import (
    abnormal,
    by_hand,
    energy,
    flying,
    manner,
    notation,
    starts,
    windows,
)
from app.games.gunslingers.flight.facts import (
    CeilingRolled,
    Crashed,
    DisorientationRolled,
    DriftRolled,
    FlameOutRolled,
    GlocRolled,
    LeftMap,
    LetFly,
    MoveBegan,
    MoveEnded,
    PreemptorPaused,
    Sank,
    TailingChosen,
    Tumbled,
)
from app.games.gunslingers.flight.move_facts import Flew
from app.games.gunslingers.flight.tokens import STOP, read_token
from app.games.gunslingers.guns import attack as guns
from app.games.gunslingers.guns.aspect import views
from app.games.gunslingers.model import Activation, Aircraft, FlightType, Settings, State, nobodys

TWO_DICE = Pool(2, 10)
HOLD = "hold"
BARRED_SINCE = "its damage forbids what was planned"


def todo(state: State, activation: Activation) -> Todo:
    """What the move under way has still to do, first thing first; its last is the fact that it has ended."""
    one = state.aircraft[activation.aircraft]
    due = _consequence(state, activation, one) or guns.window(state, activation)
    if due is not None:
        return due
    if not one.flying:
        return _end(state, one)
    if "flown" in activation.asked:
        return _after(state, activation, one)
    if state.switches.flight == "adjudicated":
        return _preemption(state, activation, one) or by_hand.todo(state, activation, one)
    if one.condition == "departed":
        if activation.flown:
            return _end(state, one)
        return _preemption(state, activation, one) or _fall(one)
    if one.condition == "stalled":
        return _sink(state, activation, one)
    return _fly(state, activation, one)


def began(
    state: State, one: Aircraft, after: str | None = None, before: str | None = None
) -> MoveBegan:
    """The fact that a move begins. What its crew sees now it may shoot at later (GS-VIS-11)."""
    return MoveBegan(one.id, Secret(views(state, one), (one.side,)), after, before)


def _end(state: State, one: Aircraft) -> Effect:
    return Effect(MoveEnded(one.id), state.step, f"{one.name} has moved", one.side, one.id)


# A move that is flown.


def _fly(state: State, activation: Activation, one: Aircraft) -> Todo:
    if one.condition in ("gloc", "disoriented") and activation.drift is None:
        return _drift_roll(one)
    if activation.settings is None:
        if activation.drift is not None:
            wanted = abnormal.drift(activation.drift).flight_type
            return _by_itself(state, one, (wanted, *abnormal.INSTEAD))
        return _settings(state, one)
    if _may_flame_out(activation, one):
        return _flame_out(one)
    left = flying.points_left(one)
    if activation.preempting and not activation.paused and _half(state, activation, left):
        return Effect(PreemptorPaused(one.id), "GS-FLT-14", f"{one.name} waits", one.side, one.id)
    if left:
        window = _preemption(state, activation, one)
        if window is not None:
            return window
    flown = _next_planned(state, activation, one)
    if flown is not None:
        return Effect(flown, "GS-F-1", f"{one.name} flies", one.side, one.id)
    if left:
        if activation.drift is not None:
            return _drift_on(state, activation, one, activation.drift)
        return _ask(state, activation, one)
    settled = energy.settle(state, one, activation)
    return Effect(settled, "GS-F-20", f"{one.name}: energy", one.side, one.id)


def _next_planned(state: State, activation: Activation, one: Aircraft) -> Flew | None:
    """The next of what was planned; None at its end, and where damage taken since then forbids it (GS-C-12)."""
    if not activation.left:
        return None
    try:
        return flying.flew(state, one, activation, activation.left[0])
    except Illegal:
        return None


def _settings(state: State, one: Aircraft) -> Decision:
    """GS-F-3, GS-F-4, GS-FLT-17: what is chosen before the first flight point."""
    orders = manner.orders(state, one)
    return Decision(
        id=f"settings:{one.id}",
        seat=one.side,
        title=f"{one.name}: how does it fly?",
        options=partial(orders.options, lambda plan: ("As before", manner.words(plan))),
        happen=lambda line: starts.chosen(state, one, orders.plan(line)),
        cite="GS-F-4",
        unit=one.id,
        why=_why(state, one),
        initial="",
        action="Set",
        draft=orders.draft,
    )


def _may_flame_out(activation: Activation, one: Aircraft) -> bool:
    """GS-F-3: from idle straight to afterburner."""
    jumped = (one.s.previous_power, one.s.power) == ("I", "AB")
    return jumped and not activation.flown and "flame-out" not in activation.asked


def _flame_out(one: Aircraft) -> Roll:
    return check(
        Number(starts.FLAME_OUT),
        lambda roll: FlameOutRolled(one.id, roll.face, roll.made),
        id=f"flame-out:{one.id}",
        seat=one.side,
        title=f"{one.name}: from idle to afterburner",
        cite="GS-F-3",
        unit=one.id,
        odds="The engines go out",
        good=False,
        why="the engines may go out, and idle this turn",
    )


def _why(state: State, one: Aircraft) -> str:
    """Why this aircraft flies now."""
    place = next((each for each in state.order if each.aircraft == one.id), None)
    return f"{place.why}, initiative {place.initiative}" if place is not None else ""


def _ask(state: State, activation: Activation, one: Aircraft) -> Decision:
    """The line of flight points to come, whole or in part. How many are left tells the speed: the draft says it."""
    read = partial(notation.draft, state, one, activation)
    return Decision(
        id=f"fly:{one.id}:{len(activation.flown)}",
        seat=one.side,
        title=f"{one.name}: fly",
        options=partial(notation.lines, state, one, activation),
        happen=partial(starts.planned, one, flying.points_left(one)),
        cite="GS-F-1",
        unit=one.id,
        why=BARRED_SINCE if activation.left else _why(state, one),
        action="Fly",
        draft=read,
    )


# Pre-emption (GS-FLT-14).


def _half(state: State, activation: Activation, left: int) -> bool:
    """Whether a pre-emptor has flown half its flight points, rounded down, before the mover goes on."""
    if state.switches.preempt != "half-move":
        return False
    flown = sum(read_token(token).spends for token in activation.flown)
    return flown >= (flown + left) // 2


def _preemption(state: State, activation: Activation, one: Aircraft) -> Decision | None:
    if not windows.preemption_open(state, activation):
        return None
    enemies = windows.preemptors(state, one)
    if not enemies:
        return None
    half = (state.switches.preempt, state.switches.flight) == ("half-move", "house")
    nobody = nobodys(state, HOLD)
    options = (
        Option(nobody, f"Let {one.name} fly"),
        *(
            Option(
                each.id,
                f"{each.name} moves first",
                "half its move now, the rest after" if half else "its whole move, now",
                cost="no attack, launch or search this turn",
            )
            for each in enemies
        ),
    )

    def happen(choice: Any) -> LetFly | MoveBegan:
        if choice == nobody:
            return LetFly(one.id, windows.preempt_key(activation))
        return began(state, state.aircraft[choice], before=one.id)

    return Decision(
        id=f"preempt:{one.id}:{len(activation.flown)}:{len(state.movers)}",
        seat=enemies[0].side,
        title=f"Move before {one.name}?",
        options=lambda: options,
        happen=happen,
        cite="GS-FLT-14",
        unit=enemies[0].id,
        why=f"in {one.name}'s 150+ arc within {windows.PREEMPT_RANGE} hexes",
        initial=nobody,
    )


# What a flight point leads to.


def _consequence(state: State, activation: Activation, one: Aircraft) -> Todo:
    """What the last token leads to before any shot: the ground, the map's edge, departure, a black-out."""
    if not one.flying or not activation.flown:
        return None
    if one.altitude <= 0:
        return _crash(one)
    if not geometry.on_board(state.board, one.pos):
        return _leaves(one)
    hazards = flying.hazards(state, one, activation.flown[-1])
    return _ceiling(state, activation, one, hazards) or _gloc(state, activation, one, hazards)


def _crash(one: Aircraft) -> Effect:
    return Effect(
        Crashed(one.id, one.pos.label), "GS-F-25", f"{one.name} crashes", one.side, one.id
    )


def _leaves(one: Aircraft) -> Effect:
    event = LeftMap(one.id, one.pos.label)
    return Effect(event, "GS-ADM-5a", f"{one.name} leaves the map", one.side, one.id)


def _ceiling(
    state: State, activation: Activation, one: Aircraft, hazards: flying.Hazards
) -> Roll | None:
    """GS-F-25: above the ceiling each turn but an easy one, and each roll, departs on 4 or less."""
    key = f"ceiling:{len(activation.flown)}"
    if not hazards.ceiling or key in activation.asked:
        return None

    def happen(roll: Thrown) -> CeilingRolled:
        if not roll.made or activation.settings is None:
            return CeilingRolled(one.id, key, roll)
        broken = energy.broken_off(state, one, activation.settings)
        return CeilingRolled(one.id, key, roll, Secret(broken, (one.side,)))

    return check(
        abnormal.CEILING,
        happen,
        id=f"{key}:{one.id}",
        seat=one.side,
        title=f"{one.name}: above its ceiling",
        cite="GS-F-25",
        unit=one.id,
        odds="Departs",
        good=False,
    )


def _gloc(
    state: State, activation: Activation, one: Aircraft, hazards: flying.Hazards
) -> Roll | None:
    """GS-F-15: after each 30 degrees of an emergency turn, each of the crew who is awake."""
    if state.switches.gloc == "off":
        return None
    for turn in range(hazards.et_facings):
        stem = f"gloc:{len(activation.flown)}:{turn}"
        waiting = [
            man
            for man, each in enumerate(one.o.crew)
            if each.status == "ok" and f"{stem}:{man}" not in activation.asked
        ]
        if waiting:
            return _gloc_roll(one, waiting[0], f"{stem}:{waiting[0]}", last=len(waiting) == 1)
    return None


def _gloc_roll(one: Aircraft, man: int, key: str, *, last: bool) -> Roll:
    def happen(roll: Thrown) -> GlocRolled:
        return GlocRolled(
            aircraft=one.id,
            man=man,
            key=key,
            roll=roll,
            last=last,
            asleep=roll.made and man == crews.at_controls(one),
            turns=abnormal.TURNS_OUT,
            drift=abnormal.STRAIGHT,
        )

    who = "the pilot" if man == 0 else f"crewman {man}"
    return check(
        abnormal.gloc(one, one.o.crew[man]),
        happen,
        id=f"{key}:{one.id}",
        seat=one.side,
        title=f"{one.name}: does {who} black out?",
        cite="GS-F-15",
        unit=one.id,
        odds="Blacks out",
        good=False,
        secret="crew",
        why="an emergency turn",
    )


# The end of a move: departure, bearings, tailing.


def _after(state: State, activation: Activation, one: Aircraft) -> Todo:
    """What comes when all is flown: the ground, the map's edge, lost bearings, tailing."""
    if one.altitude <= 0:
        return _crash(one)
    if not geometry.on_board(state.board, one.pos):
        return _leaves(one)
    if _may_disorient(state, activation, one):
        return _disorientation(one)
    return _tailing(state, activation, one, windows.tailees(state, one)) or _end(state, one)


def _may_disorient(state: State, activation: Activation, one: Aircraft) -> bool:
    """GS-F-34: one roll a move, for those who are still in their senses."""
    return (
        state.switches.disorientation == "on"
        and one.condition == "normal"
        and "disorientation" not in activation.asked
        and abnormal.disorienting(one, activation.flown)
    )


def _disorientation(one: Aircraft) -> Roll:
    return check(
        abnormal.disorientation(one),
        lambda roll: DisorientationRolled(one.id, roll),
        id=f"disorientation:{one.id}",
        seat=one.side,
        title=f"{one.name}: keep its bearings",
        cite="GS-F-34",
        unit=one.id,
        odds="Disoriented",
        good=False,
        secret="pilot",
    )


def _tailing(
    state: State,
    activation: Activation,
    one: Aircraft,
    found: Sequence[tuple[Aircraft, Any]],
) -> Decision | None:
    """GS-FLT-13: whoever ends in an enemy's place may tail him."""
    if "tailing" in activation.asked or all(blocked for _, blocked in found):
        return None
    nobody = nobodys(state, HOLD)
    options = (
        Option(nobody, "Tail nobody"),
        *(
            Option(
                other.id,
                f"Tail {other.name}",
                "it flies right after him; no collision with him",
                blocked=blocked,
            )
            for other, blocked in found
        ),
    )
    return Decision(
        id=f"tail:{one.id}",
        seat=one.side,
        title=f"{one.name}: tail an enemy?",
        options=lambda: options,
        happen=lambda choice: TailingChosen(one.id, None if choice == nobody else choice),
        cite="GS-FLT-13",
        unit=one.id,
        why="it has ended in an enemy's place",
        initial=nobody,
    )


# Flight out of hand (GS-F-30 to GS-F-33).


def _fall(one: Aircraft) -> Roll:
    """GS-F-31."""

    def happen(faces: tuple[int, ...]) -> Tumbled:
        fallen = abnormal.fall(one, faces)
        return Tumbled(
            aircraft=one.id,
            dice=(faces[0], faces[1]),
            side=fallen.side,
            pos=fallen.pos,
            facing=fallen.facing,
            levels=fallen.levels,
            altitude=max(0, one.altitude - fallen.levels),
        )

    return Roll(
        id=f"tumble:{one.id}",
        seat=one.side,
        title=f"{one.name} tumbles",
        pool=TWO_DICE,
        happen=happen,
        cite="GS-F-31",
        unit=one.id,
        why="departed: the first die is the side, the second how far",
    )


def _sink(state: State, activation: Activation, one: Aircraft) -> Decision | Roll | Effect:
    """GS-F-30: power is chosen, where somebody flies it, then it sinks."""
    if activation.settings is None:
        return _by_itself(state, one, ("ST",)) if helpless(one) else _settings(state, one)
    if _may_flame_out(activation, one):
        return _flame_out(one)
    window = _preemption(state, activation, one)
    if window is not None:
        return window
    levels, account = energy.fall(state, one, activation.settings)
    event = Sank(
        aircraft=one.id,
        levels=levels,
        altitude=max(0, one.altitude - levels),
        account=Secret(account, (one.side,)),
    )
    return Effect(event, "GS-F-30", f"{one.name} sinks", one.side, one.id)


def _drift_roll(one: Aircraft) -> Roll:
    """GS-F-33."""

    def happen(faces: tuple[int, ...]) -> DriftRolled:
        dice = faces[0], faces[1]
        return DriftRolled(one.id, dice, abnormal.drift(dice).words)

    return Roll(
        id=f"drift:{one.id}",
        seat=one.side,
        title=f"{one.name} flies at random",
        pool=TWO_DICE,
        happen=happen,
        cite="GS-F-33",
        unit=one.id,
        why="the second die is the side of a turn: odd left, even right",
    )


def _by_itself(state: State, one: Aircraft, types: Sequence[FlightType]) -> Effect:
    """GS-F-33: power unchanged, and the first type of flight of these that it can fly."""
    free = [
        msgspec.convert(option.value, Settings)
        for option in starts.starts(state, one)
        if option.blocked is None
    ]
    power, thrust = one.s.power, one.o.thrust

    def liking(settings: Settings) -> tuple[int, bool, float, float, bool]:
        return (
            types.index(settings.flight_type),
            settings.power != power,
            -settings.ap if thrust is None else abs(settings.ap - thrust),
            settings.brakes,
            settings.damage_control,
        )

    event = starts.chosen(state, one, min(free, key=liking))
    return Effect(event, "GS-F-33", f"{one.name} flies by itself", one.side, one.id)


def _drift_on(state: State, activation: Activation, one: Aircraft, dice: tuple[int, int]) -> Effect:
    """The next token of an aircraft that nobody flies: what it would rather do, or the first that it can."""
    wanted = abnormal.drift(dice)
    turn = one.o.move.turn if one.o.move else None
    if turn is not None and (turn.rate, turn.side) != wanted.turn:
        token = STOP.text
    else:
        token = next(_drift_tokens(state, activation, one, wanted))
    event = starts.planned(one, flying.points_left(one), token)
    return Effect(event, "GS-F-33", f"{one.name} flies by itself", one.side, one.id)


def _drift_tokens(
    state: State, activation: Activation, one: Aircraft, wanted: abnormal.Drift
) -> Iterator[str]:
    """Flight points that may be flown, the best first."""
    for wish in wanted.wishes:
        done = wish == wanted.once and wish in activation.flown
        if not done and notation.may_fly(state, one, activation, wish):
            yield wish
    for option in notation.draft(state, one, activation, "").next:
        if option.blocked is None and read_token(option.value).spends:
            yield option.value

"""Log lines of the Flight Phase (GS-FLT).

Belongs here: one sentence a fact, and how its dice led to it. Does not belong here: anything computed anew.
"""

from collections.abc import Mapping
from functools import singledispatch

from app.engine.game import DieShown, Told
from app.engine.log import Event
from app.games.gunslingers.checks import Thrown, shown, steps
from app.games.gunslingers.flight import facts as f
from app.games.gunslingers.flight.by_hand import in_words
from app.games.gunslingers.flight.move_tell import account_steps
from app.games.gunslingers.geometry import COMPASS

Names = Mapping[str, str]

CREW = "the pilot"


def tell(event: Event, names: Names) -> Told | None:
    """The log line of a fact of this area; None for any other."""
    return _tell(event, names)


@singledispatch
def _tell(event: Event, names: Names) -> Told | None:
    del event, names


def _rolled(text: str, roll: Thrown) -> Told:
    return Told(text, shown((roll.face,)), steps(roll))


@_tell.register
def _(event: f.MoveBegan, names: Names) -> Told:
    name = names[event.aircraft]
    if event.before is not None:
        return Told(f"{name} moves before {names[event.before]}, and gives up its attacks.")
    after = f" right after {names[event.after]}" if event.after is not None else ""
    return Told(f"{name} flies{after}.", quiet=True, aside=event.after is None)


@_tell.register
def _(event: f.LetFly, names: Names) -> Told:
    return Told(f"Nobody moves before {names[event.mover]}.", quiet=True)


@_tell.register
def _(event: f.PreemptorPaused, names: Names) -> Told:
    return Told(f"{names[event.aircraft]} has flown half its move, and waits.")


@_tell.register
def _(event: f.MoveResumed, names: Names) -> Told:
    return Told(f"{names[event.aircraft]} flies on.", quiet=True)


@_tell.register
def _(event: f.MoveEnded, names: Names) -> Told:
    return Told(f"{names[event.aircraft]} has moved.", aside=True)


@_tell.register
def _(event: f.Tumbled, names: Names) -> Told:
    way = "left" if event.side == "L" else "right"
    return Told(
        f"{names[event.aircraft]} tumbles to {event.pos.label} facing {COMPASS[event.facing]}, "
        f"down {_levels(event.levels)} to {event.altitude}.",
        shown(event.dice),
        (
            f"{event.dice[0]} rolled: {way}",
            f"{event.dice[1]} rolled: {event.dice[1]} × 30 degrees",
            f"speed rounded up, and 2 for each departed turn: {_levels(event.levels)}",
        ),
        (event.pos.label,),
    )


@_tell.register
def _(event: f.Sank, names: Names) -> Told:
    account = event.account.value
    lines = () if account is None else tuple(account_steps(account))
    return Told(
        f"{names[event.aircraft]}, stalled, sinks {_levels(event.levels)} to {event.altitude}.",
        steps=lines,
    )


@_tell.register
def _(event: f.FlameOutRolled, names: Names) -> Told:
    end = "go out, and idle this turn" if event.out else "light up"
    return Told(
        f"{names[event.aircraft]}: from idle to afterburner, the engines {end}.",
        shown((event.die,)),
        ("out on 4 or less",),
    )


@_tell.register
def _(event: f.DriftRolled, names: Names) -> Told:
    return Told(
        f"{names[event.aircraft]}, with nobody flying it, goes into {event.words}.",
        shown(event.dice),
        ("the first die is how it flies, the second the side of a turn: odd left, even right",),
    )


@_tell.register
def _(event: f.GlocRolled, names: Names) -> Told:
    who = CREW if event.man == 0 else f"crewman {event.man}"
    name = names[event.aircraft]
    if not event.roll.made:
        return _rolled(f"{name}: {who} stays awake.", event.roll)
    rest = ", and nobody flies it" if event.asleep else ""
    return _rolled(f"{name}: {who} blacks out{rest}.", event.roll)


@_tell.register
def _(event: f.CeilingRolled, names: Names) -> Told:
    name = names[event.aircraft]
    if event.roll.made:
        return _rolled(f"{name} loses its hold on the thin air: it is out of control.", event.roll)
    return _rolled(f"{name} keeps control above its ceiling.", event.roll)


@_tell.register
def _(event: f.Crashed, names: Names) -> Told:
    return Told(f"{names[event.aircraft]} crashes at {event.place}.", places=(event.place,))


@_tell.register
def _(event: f.LeftMap, names: Names) -> Told:
    return Told(f"{names[event.aircraft]} flies off the map, and out of the fight.")


@_tell.register
def _(event: f.DisorientationRolled, names: Names) -> Told:
    name = names[event.aircraft]
    if event.roll.made:
        return _rolled(f"{name}: the pilot has lost his bearings.", event.roll)
    return _rolled(f"{name}: the pilot keeps his bearings.", event.roll)


@_tell.register
def _(event: f.TailingChosen, names: Names) -> Told:
    name = names[event.aircraft]
    if event.target is None:
        return Told(f"{name} tails nobody.", quiet=True)
    return Told(f"{name} tails {names[event.target]}.")


@_tell.register
def _(event: f.StackRolled, names: Names) -> Told:
    pair = f"{names[event.aircraft]} and {names[event.other]}"
    end = "collide" if event.wounds else "do not collide"
    return Told(
        f"{pair}, at {event.place} level {event.altitude}, {end}.",
        (DieShown(event.face),),
        (f"{event.face} rolled, a collision on 1",),
        (event.place,),
    )


@_tell.register
def _(event: f.MoveEntered, names: Names) -> Told:
    end = event.ended
    text = f"{names[event.by]} enters that {names[event.aircraft]} ends at {in_words(end)}."
    return Told(text, places=(end.pos.label,))


@_tell.register
def _(event: f.MoveConfirmed, names: Names) -> Told:
    who, move = names[event.by], f"the move of {names[event.aircraft]}"
    if event.agreed:
        return Told(f"{who} agrees to {move}.")
    return Told(f"{who} does not agree to {move}: it is entered again.")


def _levels(levels: int) -> str:
    return f"{levels} level{'s' if levels != 1 else ''}"

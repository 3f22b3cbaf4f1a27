"""Lines of the notation (6.7) read on trial: what they lead to, and what may follow.

Belongs here: showing a line that nobody has flown yet. Does not belong here: whether a token may be flown
(`flying`), how tokens are written (`tokens`).
"""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from app.engine.hexes import Board
from app.engine.sequence import Blocked, Draft, Option
from app.games.gunslingers.checks import signed
from app.games.gunslingers.flight import energy
from app.games.gunslingers.flight.flight_types import CLIMBS
from app.games.gunslingers.flight.flying import (
    Frame,
    Point,
    blocked,
    declaring_blocked,
    fly,
    frame,
    over,
    point_of,
    reversal_owed,
)
from app.games.gunslingers.flight.manoeuvres import ROLL_NAMES
from app.games.gunslingers.flight.tokens import AHEAD, GUN, STOP, Kind, Token, line, read_line
from app.games.gunslingers.flight.turning import RATE_NAMES
from app.games.gunslingers.geometry import COMPASS, on_board
from app.games.gunslingers.guns.eligible import gun_blocked, target_blocked
from app.games.gunslingers.model import (
    RATES,
    Activation,
    Aircraft,
    Settings,
    Side,
    State,
    with_own,
)

SIDES: tuple[Side, Side] = ("L", "R")


class Reading(Struct, frozen=True):
    """A line read from where a move has come to.

    `tokens` are those that may be flown, `points` where it stands before them and after each. `declared` is a turn
    whose flight point is still to be written. `fault` is why what follows can't be.
    """

    tokens: tuple[Token, ...]
    points: tuple[Point, ...]
    declared: Token | None = None
    fault: Blocked | None = None

    @property
    def end(self) -> Point:
        """Where it leads."""
        return self.points[-1]


def draft(state: State, aircraft: Aircraft, activation: Activation, text: str) -> Draft:
    """A line of tokens, read on from where the move has come to. A line is whole with its first flight point.

    Args:
        state: the position.
        aircraft: whose move it is.
        activation: the move under way, its settings chosen.
        text: the line, in upper or lower case, between commas or blanks.
    """
    begun = frame(state, aircraft, _settings(activation))
    read = _read(state, begun, text)
    return Draft(
        text=_text(read),
        next=tuple(_next(state, begun, read)),
        whole=read.declared is None and any(token.spends for token in read.tokens),
        fault=read.fault,
        path=_path(read),
        facing=read.end.facing,
        figures=_figures(state, begun, read.end),
        told=tuple(_told(state.board, read)),
    )


def _told(board: Board, read: Reading) -> Iterator[str]:
    """What happens, button by button: a turn is declared by one, and flown with the next."""
    for token, before, after in zip(read.tokens, read.points, read.points[1:], strict=False):
        if token.rate and token.turn:
            yield _declared(token)
        yield _led_to(board, before, after)
    if read.declared is not None:
        yield _declared(read.declared)


def _declared(token: Token) -> str:
    return f"{RATE_NAMES[token.rate or 'EZ']} turn {_side(token.turn or 'R')} declared"


def may_fly(state: State, aircraft: Aircraft, activation: Activation, text: str) -> bool:
    """Whether a line may be flown from here, whole or not."""
    begun = frame(state, aircraft, _settings(activation))
    read = _read(state, begun, text)
    return read.fault is None and read.declared is None


def _settings(activation: Activation) -> Settings:
    if activation.settings is None:
        raise LookupError(f"{activation.aircraft} has not chosen how it flies")
    return activation.settings


def _read(state: State, begun: Frame, text: str) -> Reading:
    tokens, wrong = read_line(text)
    fault = Blocked(wrong.detail, wrong.cite or "GS-F-1") if wrong else None
    points = [point_of(begun.aircraft)]
    for number, token in enumerate(tokens):
        reason = _why_not(state, begun, points[-1], token)
        if reason is not None:
            begun_with = _declaration(begun, points[-1], token)
            return Reading(tokens[:number], tuple(points), begun_with, _named(token, reason))
        if token.kind == "":
            return Reading(tokens[:number], tuple(points), token, fault)
        points.append(fly(begun, points[-1], token))
    return Reading(tokens, tuple(points), fault=fault)


def _declaration(begun: Frame, point: Point, token: Token) -> Token | None:
    """The turn that a flight point is declared with, where that alone would be allowed."""
    if not token.rate or not token.turn or token.kind == "":
        return None
    if declaring_blocked(begun, point, token.rate, token.turn) is not None:
        return None
    return Token(kind="", rate=token.rate, turn=token.turn)


def _named(token: Token, reason: Blocked) -> Blocked:
    return Blocked(f"{token.text}: {reason.reason}", reason.cite)


def _why_not(state: State, begun: Frame, point: Point, token: Token) -> Blocked | None:
    """What keeps it from a token, a turn declared by itself and a gun attack among them."""
    if token.kind == "" and token.rate and token.turn:
        return declaring_blocked(begun, point, token.rate, token.turn)
    reason = blocked(begun, point, token)
    if reason is None and token.kind == "G":
        return _no_shot(state, begun, point)
    return reason


def _no_shot(state: State, begun: Frame, point: Point) -> Blocked | None:
    """What keeps it from firing its gun there (GS-C-1): at the enemy that is least out of the question."""
    counts = point.counts
    shooter = replace(
        with_own(begun.aircraft, recovery=counts.recovery, sight_rate=counts.sight_rate),
        pos=point.pos,
        facing=point.facing,
        altitude=point.altitude,
    )
    reason = gun_blocked(state, shooter)
    if reason is not None:
        return reason
    reasons = [target_blocked(state, shooter, enemy) for enemy in state.enemies(shooter.side)]
    if not reasons:
        return Blocked("there is no enemy", "GS-C-1")
    if None in reasons:
        return None
    near = [one for one in reasons if one and one.cite not in ("GS-G-17", "GS-VIS-11")]
    return near[0] if near else reasons[0]


def _text(read: Reading) -> str:
    return line((*read.tokens, *((read.declared,) if read.declared else ())))


def _path(read: Reading) -> tuple[str, ...]:
    """Where it leads through, from where it stands."""
    places = [read.points[0].pos]
    places += [
        after.pos
        for before, after in zip(read.points, read.points[1:], strict=False)
        if after.pos != before.pos
    ]
    return tuple(place.label for place in places)


# What it leads to, in words.


def _figures(state: State, begun: Frame, point: Point) -> tuple[tuple[str, str], ...]:
    """What the line leads to, as if the move ended with it."""
    move = point.counts.move
    made = energy.account(state, begun, point)
    return (
        ("Flight points left", f"{move.fps - move.spent} of {move.fps}"),
        ("Altitude", f"{point.altitude}"),
        ("Facing", COMPASS[point.facing]),
        ("Speed next turn", f"{made.next_speed:.1f}"),
        ("Energy", f"{_signed(made.net)}, {_signed(made.ap_carry)} carried"),
        ("Turn", _turn(point) or "none"),
        ("Drag so far", f"{_points(-made.dp)}"),
    )


def _signed(amount: float) -> str:
    return signed(amount) if amount else "0"


def _points(amount: float) -> str:
    """Points that flying brings or costs."""
    if not amount:
        return "no points"
    return f"{abs(amount):.2f}".rstrip("0").rstrip(".") + (" AP" if amount > 0 else " DP")


def _cost(amount: float) -> str:
    """The same beside a choice, where nothing is said of nothing."""
    return _points(amount) if amount else ""


def _turn(point: Point) -> str:
    """The turn under way and its count: "HT right 1 of 2"."""
    move = point.counts.move
    if move.turn is None:
        return ""
    return f"{move.turn.rate} {_side(move.turn.side)} {move.turn.count} of {move.need}"


def _side(side: Side) -> str:
    return "left" if side == "L" else "right"


def _led_to(board: Board, before: Point, after: Point) -> str:
    """Where a token led, in a few words."""
    words: list[str] = []
    if after.pos != before.pos:
        words.append(f"to {after.pos.label}")
    if after.facing != before.facing:
        words.append(f"facing {COMPASS[after.facing]}")
    if after.altitude != before.altitude:
        words.append(f"level {after.altitude}")
    turn = _turn(after)
    if turn != _turn(before):
        words.append(turn or "the turn is over")
    if after.crashed:
        words.append("into the ground")
    elif not on_board(board, after.pos):
        words.append("off the map")
    return ", ".join(words) or "no change of place"


# What may follow.


def _next(state: State, begun: Frame, read: Reading) -> Iterator[Option]:
    """Each token that may follow, and those that a player would ask about with the reason why not."""
    point = read.end
    if point.crashed:
        return
    stem = line(read.tokens)
    for group, label, token in _candidates(begun, point, read.declared):
        reason = _why_not(state, begun, point, token)
        value = f"{stem},{token.text}" if stem else token.text
        if reason is not None:
            words = label + _face(token)
            yield Option(value, words, cite=reason.cite, blocked=reason, group=group)
        elif token.kind == "":
            yield _offer_turn(begun, point, value, label, token)
        else:
            after = fly(begun, point, token)
            changed = energy.flown_points(begun, after) - energy.flown_points(begun, point)
            yield Option(
                value,
                label + _face(token),
                detail=_led_to(state.board, point, after),
                cost=_cost(changed),
                place=after.pos.label,
                facing=after.facing,
                group=group,
            )


Candidate = tuple[str, str, Token]
"""Group, label and token of what might follow."""


def _candidates(begun: Frame, point: Point, declared: Token | None) -> Iterator[Candidate]:
    if declared is not None:
        yield from _ahead(begun, point, declared)
        return
    if not over(point):
        yield from _ahead(begun, point, None)
        yield from _declarations(begun, point)
    if point.counts.move.turn is not None:
        yield "Turn", "Stop the turn", STOP
    yield from _manoeuvres(begun, point)
    if begun.card.gun is not None and point.counts.move.spent:
        yield "Attack", "Fire the gun", GUN


def _ahead(begun: Frame, point: Point, declared: Token | None) -> Iterator[Candidate]:
    """Plain flight points, each as it is and with the facing changes of the turn that it is in."""
    for group, label, token in _plain(begun, declared):
        if declared is not None:
            token = replace(token, rate=declared.rate, turn=declared.turn)
        yield group, label, token
        if token.kind == "U":
            continue
        turn = point.counts.move.turn
        side = declared.turn if declared else turn.side if turn else None
        for steps in (1, 2) if side else ():
            facing = replace(token, face=side, steps=steps)
            # Of what can't be done yet, one row is enough: straight ahead and one step.
            if blocked(begun, point, facing) is None or (token.kind == "H" and steps == 1):
                yield "Turn" if token.kind == "H" else group, label, facing


def _plain(begun: Frame, declared: Token | None) -> Iterator[Candidate]:
    yield "Fly", "Ahead", AHEAD
    if begun.kind == "LVL":
        yield "Dive", "Ahead, and the free level down", Token(kind="HD")
    if begun.shape.unloads and declared is None:
        yield "Dive", "Ahead, unloaded", Token(kind="U")
    way: tuple[str, Kind] = ("Climb", "C") if begun.kind in CLIMBS else ("Dive", "D")
    for levels in begun.shape.levels:
        words = f"{way[0]} {levels} level{'s' * (levels > 1)}"
        yield way[0], words, Token(kind=way[1], number=levels)


def _declarations(begun: Frame, point: Point) -> Iterator[Candidate]:
    """Each rate to each side; one row for a rate that can't be flown, one for all where there are no turns."""
    turn = point.counts.move.turn
    if begun.kind in ("VC", "VD"):
        yield "Turn", "Turn", Token(kind="", rate="EZ", turn="R")
        return
    for rate in RATES:
        barred = begun.rate_blocked(rate, point.altitude) is not None
        for side in ("R",) if barred else SIDES:
            if turn is not None and (turn.rate, turn.side) == (rate, side):
                continue
            way = "" if barred else f" {_side(side)}"
            label = f"{RATE_NAMES[rate].capitalize()} turn{way}"
            yield "Turn", label, Token(kind="", rate=rate, turn=side)


def _manoeuvres(begun: Frame, point: Point) -> Iterator[Candidate]:
    """Slides and rolls; one row for each kind that can't be flown now."""
    if begun.kind in ("VC", "VD"):
        if begun.card.roll_dp:
            yield from _vertical_rolls(begun, point)
        return
    if over(point):
        return
    kinds: tuple[Kind, ...] = ("SL", "DR", "LR")
    for kind in kinds:
        if kind != "SL" and (begun.kind == "SC" or kind not in begun.card.roll_dp):
            continue
        name = ROLL_NAMES.get(kind, "slide").capitalize()
        barred = blocked(begun, point, Token(kind=kind, side="L")) is not None
        for side in ("L",) if barred else SIDES:
            label = name if barred else f"{name} {_side(side)}"
            group = "Fly" if kind == "SL" else "Roll"
            yield group, label, Token(kind=kind, side=side)


def _vertical_rolls(begun: Frame, point: Point) -> Iterator[Candidate]:
    """Each multiple of 30 degrees; half a circle is the same to either side."""
    if blocked(begun, point, Token(kind="VR", side="R", number=30)) is not None:
        yield "Roll", "Vertical roll", Token(kind="VR", side="R", number=30)
        return
    for degrees in range(30, 181, 30):
        for side in SIDES if degrees < 180 or not point.pos.centre else ("R",):
            label = f"Vertical roll {degrees}° {_side(side)}"
            yield "Roll", label, Token(kind="VR", side=side, number=degrees)


def _face(token: Token) -> str:
    """The facing change of a token, in words."""
    return f", face {_side(token.face)} {30 * token.steps}°" if token.face else ""


def _offer_turn(begun: Frame, point: Point, value: str, label: str, token: Token) -> Option:
    """A turn to declare: what it needs, and what the rate alone costs."""
    rate = token.rate or "EZ"
    need, most = begun.requirement(rate, point.altitude)
    each = f"30°{' or 60°' * (most > 1)} a flight point"
    if need > 1:
        each = f"30° in {need} flight points"
    words = [each]
    owed = reversal_owed(begun, point, token.turn or "R")
    if owed:
        words.append(f"{owed} more to reverse the bank")
    turn = point.counts.move.turn
    if turn and turn.count:
        words.append(f"{turn.count} counted so far are lost")
    drag = begun.card.drag.get(rate, 0.0)
    cost = f"{_points(-drag)} for the rate" if drag else ""
    return Option(value, label, detail="; ".join(words), cost=cost, group="Turn")


# Whole lines to choose at once.

Wish = Callable[[Point], Sequence[Token]]


def lines(state: State, aircraft: Aircraft, activation: Activation) -> tuple[Option, ...]:
    """Lines that end the move: straight ahead, the turn held, and each turn that can be declared."""
    begun = frame(state, aircraft, _settings(activation))
    point = point_of(aircraft)
    found: dict[str, Option] = {}
    for label, first in _ways(begun, point):
        whole = _completed(begun, point, first)
        text = line(whole.tokens)
        if text and text not in found:
            found[text] = Option(
                text,
                label,
                place=whole.end.pos.label,
                path=_path(whole),
                facing=whole.end.facing,
                cost=_cost(energy.flown_points(begun, whole.end)),
            )
    return tuple(found.values())


def _ways(begun: Frame, point: Point) -> Iterator[tuple[str, Token | None]]:
    """What a whole line begins with: nothing in particular, the turn under way, or one declared."""
    turn = point.counts.move.turn
    yield ("Hold the turn" if turn else "Straight on"), None
    if turn is not None:
        yield "Straight on", STOP
    for rate in RATES:
        for side in SIDES:
            if declaring_blocked(begun, point, rate, side) is None:
                label = f"{RATE_NAMES[rate].capitalize()} {_side(side)}"
                yield label, Token(kind="H", rate=rate, turn=side)


def _completed(begun: Frame, point: Point, first: Token | None) -> Reading:
    """A line to the end of the move: the turn held and faced as it goes, VFPs as late as may be."""
    tokens: list[Token] = []
    points = [point]
    if first is not None and first.kind == "-":
        tokens.append(first)
        points.append(fly(begun, point, first))
        first = None
    while not over(points[-1]):
        token = _likeliest(begun, points[-1], first)
        tokens.append(token)
        points.append(fly(begun, points[-1], token))
        first = None
    return Reading(tuple(tokens), tuple(points))


def _likeliest(begun: Frame, point: Point, first: Token | None) -> Token:
    turn = point.counts.move.turn
    side = first.turn if first else turn.side if turn else None
    for _, _, plain in _plain(begun, first):
        token = replace(plain, rate=first.rate, turn=first.turn) if first else plain
        if token.kind == "HD":
            continue
        faced = replace(token, face=side, steps=1)
        if side and blocked(begun, point, faced) is None:
            return faced
        if blocked(begun, point, token) is None:
            return token
    if first is None:
        raise AssertionError("a move can always be completed")
    return _likeliest(begun, point, None)

"""The start of a move (GS-F-1, GS-F-3, GS-F-4, GS-FLT-17): flight type, power, brakes, damage control.

Belongs here: what can be chosen before the first flight point, and the fact of choosing it. Does not belong here: the
flight points.

Of the ways to combine thrust and brakes each result is offered once: brakes only with the least points of a power.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from app.engine.chance import Chance, Faces, Odds
from app.engine.dice import Pool
from app.engine.secret import Secret
from app.engine.sequence import Blocked, Option
from app.games.gunslingers.checks import signed
from app.games.gunslingers.flight import energy
from app.games.gunslingers.flight.cards import band, flown_card
from app.games.gunslingers.flight.energy import POWERS
from app.games.gunslingers.flight.flight_types import CHOICES, NAMES, Shape, needs_half_roll, shape
from app.games.gunslingers.flight.flying import Frame, first_turn, flight_points, frame, start_of
from app.games.gunslingers.flight.move_facts import LinePlanned, Manner, SettingsChosen
from app.games.gunslingers.flight.tokens import line, read_line
from app.games.gunslingers.model import Aircraft, Card, FlightType, Move, Power, Settings, State

FLAME_OUT = 4
"""From idle to afterburner the engines go out on this or less (GS-F-3)."""

CONTROLLING = "no attack, launch or radar; easy turns, gentle climbs and dives, no afterburner"
"""What damage control costs (GS-FLT-17)."""


def starts(state: State, aircraft: Aircraft) -> Sequence[Option]:
    """All that can be chosen at the start of a move: values are `Settings` as a dict."""
    return tuple(_options(state, aircraft))


def _options(state: State, aircraft: Aircraft) -> Iterator[Option]:
    kinds: tuple[FlightType, ...] = ("ST",) if aircraft.condition == "stalled" else CHOICES
    controls = (False, True) if aircraft.o.damage else (False,)
    gains: dict[Thrust, str] = {}
    for kind in kinds:
        for controlling in controls:
            yield from _of_kind(state, aircraft, kind, gains, controlling=controlling)


def _of_kind(
    state: State,
    aircraft: Aircraft,
    kind: FlightType,
    gains: dict["Thrust", str],
    *,
    controlling: bool,
) -> Iterator[Option]:
    """A type of flight with each power; one row where it can't be flown.

    `gains`: what each thrust gives, worked out once for all types of flight.
    """
    card = flown_card(state, aircraft)
    usual = Settings(flight_type=kind, power="N")
    bars = isinstance(_shape(state, aircraft, usual), Blocked)
    powers: Iterable[Thrust] = (("N", 0.0, 0.0),) if bars else _powers(card)
    half_roll = needs_half_roll(kind, start_of(state, aircraft, usual, moving=False))
    shapes: dict[Power, Shape | Blocked] = {}
    for power, ap, brakes in powers:
        settings = Settings(
            flight_type=kind,
            power=power,
            ap=ap,
            brakes=brakes,
            damage_control=controlling,
            half_roll=half_roll,
        )
        if power not in shapes:
            shapes[power] = _shape(state, aircraft, settings)
        made = shapes[power]
        if isinstance(made, Blocked):
            yield _option(card, settings, blocked=made)
        else:
            begun = Frame(aircraft, card, settings, made, 0)
            gain = gains.get((power, ap, brakes))
            if gain is None:
                gain = gains[power, ap, brakes] = _gain(state, begun)
            yield _option(
                card,
                settings,
                detail=_detail(begun, gain),
                odds=FLAME_OUT_ODDS if power == "AB" and aircraft.s.power == "I" else None,
                blocked=_power_blocked(aircraft, settings),
            )


def _shape(state: State, aircraft: Aircraft, settings: Settings) -> Shape | Blocked:
    if settings.flight_type == "ST":
        return Shape()
    return shape(settings.flight_type, start_of(state, aircraft, settings, moving=False))


Thrust = tuple[Power, float, float]
"""Power, its points and brakes."""


def _powers(card: Card) -> Iterator[Thrust]:
    """What can be set with a card's engines, the most thrust first (GS-F-3)."""
    if card.ap_ab is not None:
        least = card.ap_m + 0.5
        yield from _points("AB", least, card.ap_ab)
        yield from _braked("AB", least, card)
    yield from _points("M", 0.0, card.ap_m)
    yield from _braked("M", 0.0, card)
    for power in POWERS[1::-1]:
        yield power, 0.0, 0.0
        yield from _braked(power, 0.0, card)


def _points(power: Power, least: float, most: float) -> Iterator[Thrust]:
    for halves in range(int(most * 2), int(least * 2) - 1, -1):
        yield power, halves / 2, 0.0


def _braked(power: Power, ap: float, card: Card) -> Iterator[Thrust]:
    for halves in range(1, int(card.brake_dp * 2) + 1):
        yield power, ap, halves / 2


def _option(
    card: Card,
    settings: Settings,
    *,
    detail: str = "",
    odds: Odds | None = None,
    blocked: Blocked | None,
) -> Option:
    return Option(
        value={field: getattr(settings, field) for field in Settings.__struct_fields__},
        label=_label(settings),
        detail=detail,
        cost=f"{card.fuel_use.get(settings.power, 0):g} fuel",
        cite="GS-F-4",
        odds=odds,
        blocked=blocked,
        group=NAMES[settings.flight_type] + (" by a half-roll" if settings.half_roll else ""),
    )


def _flames_out(faces: Faces) -> bool:
    return faces[0] <= FLAME_OUT


FLAME_OUT_ODDS = Odds(
    "The engines go out",
    Chance(Pool(1, 10), _flames_out, ("gunslingers-flame-out",)),
    yes=True,
    good="low",
)


def _label(settings: Settings) -> str:
    words = energy.POWER_NAMES[settings.power].capitalize()
    if settings.power in ("M", "AB"):
        words += f" {settings.ap:.1f}"
    return f"{words}, brakes {settings.brakes:.1f}" if settings.brakes else words


def _gain(state: State, begun: Frame) -> str:
    """What its thrust gives."""
    where = band(begun.aircraft.altitude)
    points = sum(item.amount for item in energy.thrust_items(state, begun, where))
    return f"{signed(points)} points" if points else "no points"


def _detail(begun: Frame, gain: str) -> str:
    """What it gives, and how its flight points are spent."""
    return (
        gain
        if begun.kind == "ST"
        else f"{gain}, {_spent(begun.shape, flight_points(begun.aircraft))}"
    )


@lru_cache(1024)
def _spent(made: Shape, points: int) -> str:
    """How so many flight points are spent."""
    words = [f"{points} flight points"]
    if made.most:
        many = f"{made.least} to {made.most}" if made.least != made.most else f"{made.most}"
        levels = " or ".join(str(each) for each in made.levels)
        words.append(f"{many} VFPs of {levels} level{'s' * (made.levels != (1,))}")
    if made.level_first:
        words.append("after all the horizontal ones")
    if made.first:
        many = f"{made.first} flight points" if made.first > 1 else "flight point"
        words.append(f"the first {many} horizontal")
    return ", ".join(words)


def _power_blocked(aircraft: Aircraft, settings: Settings) -> Blocked | None:
    """GS-F-3, GS-F-26, GS-C-12, GS-FLT-17."""
    if settings.power != "I" and aircraft.o.fuel <= 0:
        return Blocked("there is no fuel left", "GS-F-26")
    if settings.power != "AB":
        return None
    if aircraft.o.damage == "C":
        return Blocked("no afterburner when crippled", "GS-C-12")
    if settings.damage_control:
        return Blocked("no afterburner while the crew controls damage", "GS-FLT-17")
    return None


# As facts.


def chosen(state: State, aircraft: Aircraft, settings: Settings) -> SettingsChosen:
    """The fact of choosing how it flies. Raises Illegal when that type of flight can't be flown."""
    side = (aircraft.side,)
    begun = frame(state, aircraft, settings, moving=False)
    turn, need, most = first_turn(begun, aircraft.o.turn_carry)
    move = Move(
        fps=flight_points(aircraft),
        band=band(aircraft.altitude),
        turn=turn,
        need=need,
        most=most,
        half_roll=settings.half_roll,
    )
    return SettingsChosen(
        aircraft.id,
        Secret(settings, side),
        Secret(Manner(settings.flight_type, settings.power), aircraft.seen.seats),
        Secret(move, side),
        settings.damage_control,
    )


def planned(aircraft: Aircraft, left: int, text: str) -> LinePlanned:
    """The fact of planning a line with so many flight points left. Raises Illegal when it can't be read."""
    tokens, wrong = read_line(text)
    if wrong is not None:
        raise wrong
    written = tuple(line((token,)) for token in tokens)
    ends = sum(token.spends for token in tokens) >= left
    return LinePlanned(aircraft.id, Secret(written, (aircraft.side,)), ends)

"""Energy Management (EN), part 3 of the text. Read it beside the rulebook: same order.

A jet completes its plan, roll, drag, altitude, brakes and settling before the next one starts. Belongs
here: those steps, and the sums that they share with the odds.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, cast

import msgspec

from app.engine.chance import Chain, Chance, Odds
from app.engine.dice import Pool
from app.engine.errors import Illegal
from app.engine.game import PhaseStep
from app.engine.sequence import Blocked, Decision, Effect, Option, Roll, Step, Todo, Toggle
from app.games.osaaf.events import (
    AltitudeChosen,
    Band,
    BrakesChosen,
    Dragged,
    EnergyRolled,
    EnergySettled,
    EngineOut,
    PlanChosen,
    Recovered,
    Stalled,
)
from app.games.osaaf.model import LOWEST, Aircraft, Energy, Jet, Plan, Rulings, State
from app.games.osaaf.words import plain, signed

NO_DICE = Pool(0)
NORMAL_DICE = 5
MOST_MANOEUVRES = 3
MOST_LEVELS = 3

STEPS = (
    PhaseStep("plan", "Plan"),
    PhaseStep("roll", "Energy roll"),
    PhaseStep("altitude", "Altitude"),
    PhaseStep("brakes", "Speed brakes"),
)

TRADE: Sequence[int] = (0, 1, 3, 6)
"""Speed for 0 to 3 levels of altitude (OSAAF-EN-16)."""

AFTERBURNER = Toggle(
    "afterburner", "Afterburner", "+1 on each die that counts, and +1 Speed whatever the dice"
)

DRY_FUEL, LIT_FUEL = 1, 3
"""What a turn costs without and with afterburner (OSAAF-FU-1)."""


def todo(state: State) -> Todo:
    """OSAAF-EN-1: what the first jet, from low initiative, has still to do; None after the last."""
    for place, name in enumerate(state.order or ()):
        jet = state.jets[name]
        if not jet.energy.settled or jet.stalled != (jet.speed == 0):
            return _next(state, jet, place)
    return None


def _next(state: State, jet: Jet, place: int) -> Step:
    """The steps of one jet, first thing first."""
    known = jet.energy
    if known.plan is None:
        return _plan(state, jet, place)
    if known.gain is None and engine_out(state.rulings, jet):
        return Effect(EngineOut(jet.id), "OSAAF-FU-2", f"{jet.name}: engine out", jet.seat, jet.id)
    if known.gain is None:
        return _roll(state, jet, known.plan)
    if known.dragged is None:
        event = drag(state.rulings, jet, known.gain)
        return Effect(event, "OSAAF-EN-15", f"{jet.name}: drag", jet.seat, jet.id, "roll")
    if known.change is None:
        return _altitude(state, jet, known.dragged)
    if known.refused is None:
        return _brakes(state, jet, known)
    if not known.settled:
        event = settle(jet)
        cite = "OSAAF-EN-22" if event.raw < 0 else "OSAAF-EN-17"
        return Effect(event, cite, f"{jet.name}: Speed for the turn", jet.seat, jet.id)
    if jet.speed == 0:
        return Effect(Stalled(jet.id), "OSAAF-EN-18", f"{jet.name} stalls", jet.seat, jet.id)
    return Effect(Recovered(jet.id), "OSAAF-ST-4", f"{jet.name} recovers", jet.seat, jet.id)


# The plan: hard manoeuvres and afterburner (EN-2 to EN-5).


def _plan(state: State, jet: Jet, place: int) -> Decision:
    return Decision(
        id=f"plan:{jet.id}",
        seat=jet.seat,
        title="Choose hard manoeuvres",
        options=partial(_plan_options, state.rulings, jet),
        happen=partial(_plan_chosen, state.rulings, jet),
        cite="OSAAF-EN-2",
        unit=jet.id,
        step="plan",
        why=_why_now(state, jet, place),
        initial=msgspec.structs.asdict(NO_MANOEUVRE),
        toggle=AFTERBURNER,
        then="Speed by altitude",
        action="Fly on" if engine_out(state.rulings, jet) else "Roll for energy",
        read=partial(read_plan, state.rulings, jet),
    )


NO_MANOEUVRE = Plan(hard_turns=0, jink=False, aim=False, afterburner=False)


def _why_now(state: State, jet: Jet, place: int) -> str:
    if state.rulings.initiative == "off":
        return "next in the list of units"
    total = jet.initiative[0]
    return f"lowest initiative ({total})" if place == 0 else f"next lowest initiative ({total})"


def plans() -> Iterator[Plan]:
    """OSAAF-EN-3: each mix of hard turns, jink and aim, without and with afterburner.

    The ones that are too many come last: they are shown, and refused.
    """
    mixes = sorted(
        product(range(MOST_MANOEUVRES + 1), (False, True), (False, True)),
        key=lambda mix: sum(mix) > MOST_MANOEUVRES,
    )
    for (turns, jink, aim), lit in product(mixes, (False, True)):
        yield Plan(turns, jink, aim, lit)


def plan_blocked(rulings: Rulings, jet: Jet, plan: Plan) -> Blocked | None:
    """Why a plan can't be chosen: OSAAF-ST-3, OSAAF-EN-2, or no afterburner on the card."""
    if jet.stalled and rulings.stall == "on" and plan.manoeuvres:
        return Blocked("a stalled jet makes no hard manoeuvres", "OSAAF-ST-3")
    if plan.manoeuvres > MOST_MANOEUVRES:
        reason = f"three hard manoeuvres at most; this makes {plan.manoeuvres}"
        return Blocked(reason, "OSAAF-EN-2")
    if plan.afterburner and not jet.aircraft.afterburner:
        return Blocked(f"the {jet.aircraft.name} has no afterburner", "OSAAF-EN-5")
    if plan.afterburner and rulings.fuel == "on" and jet.fuel < LIT_FUEL:
        cite = "OSAAF-FU-1" if jet.fuel else "OSAAF-FU-2"
        return Blocked(f"afterburner needs {LIT_FUEL} fuel, and {jet.fuel} is left", cite)
    return None


def read_plan(rulings: Rulings, jet: Jet, choice: Any) -> dict[str, Any]:
    """The choice, once it is a plan that this jet can make. Raises Illegal with the rule it breaks."""
    if isinstance(choice, Mapping):
        _check_counts(cast("Mapping[Any, Any]", choice))
    try:
        plan = msgspec.convert(choice, Plan)
    except msgspec.ValidationError as wrong:
        needed = "hard_turns (0 to 3), jink, aim and afterburner (true or false)"
        raise Illegal(f"A plan gives {needed}. {wrong}.", "OSAAF-EN-3") from None
    if not 0 <= plan.hard_turns <= MOST_MANOEUVRES:
        raise Illegal(f"Hard turn 0 to 3 times, not {plan.hard_turns}.", "OSAAF-EN-3")
    blocked = plan_blocked(rulings, jet, plan)
    if blocked is not None:
        raise Illegal(f"{plan_label(plan)}: {blocked.reason}.", blocked.cite)
    return msgspec.structs.asdict(plan)


def _check_counts(choice: Mapping[Any, Any]) -> None:
    """OSAAF-EN-3: a jink or an aim can't be had twice."""
    for key, word in (("jink", "Jink"), ("aim", "Aim")):
        times = choice.get(key)
        if not isinstance(times, bool) and isinstance(times, int) and times > 1:
            raise Illegal(f"{word} once at most, not {times} times.", "OSAAF-EN-3")


def _plan_options(rulings: Rulings, jet: Jet) -> list[Option]:
    level = -1 if _must_dive(rulings, jet) else 0
    label = "Speed if it then dives 1" if level else "Speed if it then flies level"
    options: list[Option] = []
    for plan in plans():
        blocked = plan_blocked(rulings, jet, plan)
        too_many = plan.manoeuvres > MOST_MANOEUVRES
        odds = Odds(label, speed_after(rulings, jet, plan, level)) if blocked is None else None
        options.append(
            Option(
                value=msgspec.structs.asdict(plan),
                label=plan_label(plan),
                detail="" if too_many else _plan_detail(rulings, jet, plan),
                cost="" if too_many else _plan_cost(rulings, jet, plan),
                odds=odds,
                blocked=blocked,
                then=None if blocked else partial(by_altitude, rulings, jet, plan),
            )
        )
    return options


def plan_label(plan: Plan) -> str:
    """A plan in a few words."""
    parts = [f"Hard turn ×{plan.hard_turns}"] if plan.hard_turns else []
    parts += ["jink"] * plan.jink + ["aim"] * plan.aim
    text = ", ".join(parts) or "no hard manoeuvre"
    return (text[0].upper() + text[1:]) + (", afterburner" if plan.afterburner else "")


def _plan_detail(rulings: Rulings, jet: Jet, plan: Plan) -> str:
    if engine_out(rulings, jet):
        text = "no fuel, no energy roll"
    else:
        dice = energy_pool(rulings, plan).count
        text = f"{dice} dice, {('none counts', '1 counts', '2 count', '3 count')[dice - 2]}"
    return f"{text} · +{plan.hard_turns} on each turn roll" if plan.hard_turns else text


def _plan_cost(rulings: Rulings, jet: Jet, plan: Plan) -> str:
    if engine_out(rulings, jet):
        return ""
    fewer = NORMAL_DICE - energy_pool(rulings, plan).count
    costs = [f"−{fewer} {'die' if fewer == 1 else 'dice'}"] if fewer else []
    if plan.afterburner and rulings.fuel == "on":
        costs.append(f"−{LIT_FUEL} fuel")
    return ", ".join(costs)


def _plan_chosen(rulings: Rulings, jet: Jet, choice: Mapping[str, Any]) -> PlanChosen:
    plan = Plan(**choice)
    pool = NO_DICE if engine_out(rulings, jet) else energy_pool(rulings, plan)
    return PlanChosen(jet.id, plan, pool.count)


# The energy roll (EN-6 to EN-14).


def _roll(state: State, jet: Jet, plan: Plan) -> Roll:
    pool = energy_pool(state.rulings, plan)
    happen = partial(energy_roll, state.rulings, jet, plan)
    return Roll(
        id=f"energy:{jet.id}",
        seat=jet.seat,
        title=f"{jet.name}: energy roll",
        pool=pool,
        happen=happen,
        cite="OSAAF-EN-7" if plan.manoeuvres == MOST_MANOEUVRES else "OSAAF-EN-6",
        unit=jet.id,
        step="roll",
        why=f"{pool.count} dice: {plan_label(plan).lower()}",
        odds=Odds("Speed gained by the roll", gain_of(state.rulings, jet, plan)),
    )


def engine_out(rulings: Rulings, jet: Jet) -> bool:
    """OSAAF-FU-2: without fuel there is nothing to roll for."""
    return rulings.fuel == "on" and jet.fuel == 0


def energy_pool(rulings: Rulings, plan: Plan) -> Pool:
    """OSAAF-EN-6: five dice and one less for each hard manoeuvre; OSAAF-EN-7 says how few at least."""
    return Pool(max(int(rulings.min_energy_dice), NORMAL_DICE - plan.manoeuvres))


def energy_roll(rulings: Rulings, jet: Jet, plan: Plan, faces: tuple[int, ...]) -> EnergyRolled:
    """OSAAF-EN-8 to OSAAF-EN-13 for the faces thrown."""
    band = altitude_band(rulings, jet.altitude)
    return EnergyRolled(
        jet=jet.id,
        dice=faces,
        kept=kept(band, faces),
        altitude=jet.altitude,
        band=band,
        factor=jet.energy_factor,
        afterburner=plan.afterburner,
        gain=energy_gain(band, jet.energy_factor, plan.afterburner, faces),
    )


def altitude_band(rulings: Rulings, altitude: int) -> Band:
    """OSAAF-EN-8: the band of an altitude; OSAAF-EN-9 settles 6, which is printed in two."""
    if altitude <= 3:
        return "low"
    if altitude <= 5 or (altitude == 6 and rulings.alt6_band == "mid"):
        return "middle"
    return "high"


def kept(band: Band, faces: tuple[int, ...]) -> tuple[bool, ...]:
    """OSAAF-EN-8: for each die whether it counts. Two never do, however few there are (OSAAF-EN-10)."""
    rising = sorted(range(len(faces)), key=lambda n: faces[n])
    if band == "low":
        dropped = rising[:2]
    elif band == "high":
        dropped = rising[-2:]
    else:
        dropped = [rising[0], rising[-1]]
    return tuple(n not in dropped for n in range(len(faces)))


def energy_gain(band: Band, factor: int, afterburner: bool, faces: tuple[int, ...]) -> int:
    """The Speed gained.

    OSAAF-EN-11: 1 for each die that counts and is above the factor. OSAAF-EN-12: afterburner adds 1 to
    each of them; OSAAF-EN-13: and 1 Speed besides. OSAAF-EN-14: the maximum does not matter yet.
    """
    boost = 1 if afterburner else 0
    scores = (face for face, counts in zip(faces, kept(band, faces), strict=True) if counts)
    return boost + sum(face + boost > factor for face in scores)


def gain_of(rulings: Rulings, jet: Jet, plan: Plan) -> Chance:
    """The chances of each gain; without fuel there is none (OSAAF-FU-2)."""
    if engine_out(rulings, jet):
        return Chance(NO_DICE, lambda faces: 0, ("osaaf-gain",))
    band, factor = altitude_band(rulings, jet.altitude), jet.energy_factor
    pool = energy_pool(rulings, plan)
    outcome = partial(energy_gain, band, factor, plan.afterburner)
    return Chance(pool, outcome, ("osaaf-gain", pool.count, band, factor, plan.afterburner))


# Drag, altitude, brakes, and the Speed that comes of it (EN-15 to EN-22).


def after_drag(rulings: Rulings, speed: int, gain: int) -> int:
    """OSAAF-EN-15: 1 less, always. It may be -1 for a while, unless OSAAF-EN-22 is ruled otherwise."""
    left = speed + gain - 1
    return max(0, left) if rulings.speed_floor == "each_step" else left


def drag(rulings: Rulings, jet: Jet, gain: int) -> Dragged:
    """OSAAF-EN-15."""
    return Dragged(jet.id, jet.speed + gain, after_drag(rulings, jet.speed, gain))


def trade(change: int) -> int:
    """OSAAF-EN-16: the Speed that a climb costs (below 0) or a dive brings, by levels climbed."""
    return -TRADE[change] if change > 0 else TRADE[-change]


def within_limits(aircraft: Aircraft, raw: int) -> int:
    """OSAAF-EN-17: down to the aircraft's maximum; OSAAF-EN-22: up to 0, both only at the end."""
    return max(0, min(aircraft.max_speed, raw))


def _must_dive(rulings: Rulings, jet: Jet) -> bool:
    """OSAAF-ST-3."""
    return jet.stalled and rulings.stall == "on" and jet.altitude > LOWEST


def change_blocked(rulings: Rulings, jet: Jet, change: int, dragged: int) -> Blocked | None:
    """Why a climb or dive can't be chosen, with this Speed after drag."""
    ceiling = jet.aircraft.ceiling
    if jet.altitude + change < LOWEST:
        return Blocked("altitude 1 is the lowest", "OSAAF-EN-20")
    if change > 0 and jet.altitude + change > ceiling:
        reason = f"the ceiling of the {jet.aircraft.name} is altitude {ceiling}"
        return Blocked(reason, "OSAAF-EN-20")
    if _must_dive(rulings, jet) and change >= 0:
        return Blocked("a stalled jet must dive at least 1 level", "OSAAF-ST-3")
    if change > 0 and dragged + trade(change) < 0 and rulings.unpaid_climb == "no":
        reason = f"costs {-trade(change)} Speed; after drag there is {plain(dragged)}"
        return Blocked(reason, "OSAAF-EN-21")
    return None


def _altitude(state: State, jet: Jet, dragged: int) -> Decision:
    return Decision(
        id=f"altitude:{jet.id}",
        seat=jet.seat,
        title="Climb, dive or fly level",
        options=partial(_altitude_options, state.rulings, jet, dragged),
        happen=partial(_altitude_chosen, jet),
        cite="OSAAF-EN-16",
        unit=jet.id,
        step="altitude",
        why=f"Speed {plain(dragged)} after the roll and drag",
        initial=-1 if _must_dive(state.rulings, jet) else 0,
    )


def _altitude_options(rulings: Rulings, jet: Jet, dragged: int) -> list[Option]:
    return [
        Option(
            value=change,
            label=_altitude_label(jet, change),
            detail=_speed_detail(jet.aircraft, dragged + trade(change)),
            cost=f"{signed(trade(change))} Speed" if change else "",
            blocked=change_blocked(rulings, jet, change, dragged),
        )
        for change in range(MOST_LEVELS, -MOST_LEVELS - 1, -1)
    ]


def _altitude_label(jet: Jet, change: int) -> str:
    to = jet.altitude + change
    if change == 0:
        return f"Level at altitude {to}"
    word = f"Climb {change}" if change > 0 else f"Dive {-change}"
    return f"{word} to altitude {to}" if to >= LOWEST else word


def _speed_detail(aircraft: Aircraft, raw: int) -> str:
    speed = within_limits(aircraft, raw)
    if raw > aircraft.max_speed:
        return f"Speed {speed}, its maximum"
    return f"Speed {speed}: stalls" if speed == 0 else f"Speed {speed}"


def _altitude_chosen(jet: Jet, change: int) -> AltitudeChosen:
    return AltitudeChosen(jet.id, jet.altitude + change, change, trade(change))


def most_refused(rulings: Rulings, known: Energy) -> int:
    """OSAAF-EN-19: how much brakes may refuse: what the roll and a dive brought, never more."""
    gain = known.gain or 0
    if known.plan is not None and known.plan.afterburner and rulings.refuse_afterburner == "no":
        gain -= 1
    return gain + max(0, trade(known.change or 0))


def _brakes(state: State, jet: Jet, known: Energy) -> Decision:
    most = most_refused(state.rulings, known)
    return Decision(
        id=f"brakes:{jet.id}",
        seat=jet.seat,
        title="Speed brakes",
        options=partial(_brake_options, jet, most),
        happen=partial(_brakes_chosen, jet.id, most),
        cite="OSAAF-EN-19",
        unit=jet.id,
        step="brakes",
        why=f"gained {most} that it may refuse",
        initial=0,
    )


def _brake_options(jet: Jet, most: int) -> list[Option]:
    raw = _sum(jet)
    return [
        Option(
            value=refused,
            label=f"Refuse {refused}" if refused else "No brakes",
            detail=_speed_detail(jet.aircraft, raw - refused),
        )
        for refused in range(most + 1)
    ]


def _brakes_chosen(jet: str, most: int, refused: int) -> BrakesChosen:
    return BrakesChosen(jet, refused, most)


def _sum(jet: Jet) -> int:
    """Speed after drag and the trade with altitude, before brakes and limits."""
    return (jet.energy.dragged or 0) + trade(jet.energy.change or 0)


def settle(jet: Jet) -> EnergySettled:
    """OSAAF-EN-17 and OSAAF-EN-22: the Speed for the rest of the turn."""
    known = jet.energy
    gain, refused = known.gain or 0, known.refused or 0
    raw = _sum(jet) - refused
    return EnergySettled(
        jet=jet.id,
        start=jet.speed,
        gain=gain,
        drag=jet.speed + gain - (known.dragged or 0),
        traded=trade(known.change or 0),
        refused=refused,
        raw=raw,
        speed=within_limits(jet.aircraft, raw),
    )


# What a plan leads to, before the roll.

UNPAID = -1
"""Stands in a distribution of Speeds for "the climb can't be paid, so it can't be chosen"."""


def speed_after(rulings: Rulings, jet: Jet, plan: Plan, change: int) -> Chain:
    """The chances of each Speed if the jet follows a plan, then climbs or dives, without brakes.

    `change` is in levels, at most 3 either way, and within the scale and the ceiling. A result of
    UNPAID means that this roll does not allow the climb (OSAAF-EN-21).
    """
    card = jet.aircraft
    paid = change > 0 and rulings.unpaid_climb == "no"
    gain = gain_of(rulings, jet, plan)

    def speed(gained: int) -> int:
        raw = after_drag(rulings, jet.speed, gained) + trade(change)
        return UNPAID if paid and raw < 0 else within_limits(card, raw)

    key = ("osaaf-speed", gain.key, jet.speed, change, card.max_speed, paid, rulings.speed_floor)
    # The gain is what is rolled for, and is the same for many Speeds and altitudes.
    return Chain(ROLL, lambda at: gain if at == ROLL else None, key, speed)


ROLL = "roll"
"""Where the chain of `speed_after` begins; it ends in the gain."""


def by_altitude(rulings: Rulings, jet: Jet, plan: Plan) -> list[tuple[str, Odds]]:
    """The Speeds that may result from a plan at each altitude within reach, highest first.

    Which of the climbs can be paid for depends on the roll, which may pass the maximum (OSAAF-EN-14).
    """
    return [
        (
            _altitude_label(jet, change),
            Odds("Speed", speed_after(rulings, jet, plan, change), words=((UNPAID, "unpaid"),)),
        )
        for change in range(MOST_LEVELS, -MOST_LEVELS - 1, -1)
        if change_blocked(rulings, jet, change, TRADE[MOST_LEVELS]) is None
    ]

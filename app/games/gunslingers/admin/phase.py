"""The two administrative phases (GS-ADM, GS-EOT) and the end of the game: its steps in the rulebook's order.

Belongs here: what each step has still to do. Does not belong here: bookkeeping (`facts`), points, conditions.
Ground units, SAM and AAA come later, and with them what GS-EOT-1 to GS-EOT-10 clear.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from app.engine.log import Finished
from app.engine.secret import Secret
from app.engine.sequence import Decision, Effect, Option, Roll, Todo
from app.games.gunslingers import crews
from app.games.gunslingers.admin.ending import result
from app.games.gunslingers.admin.facts import (
    BearingsRolled,
    CrewRolled,
    KillsCredited,
    LeaveChosen,
    LeaveRefused,
    LeaveRolled,
    LogsKept,
    MissilesAged,
    MissileSpent,
    TurnEnded,
    WorseRolled,
)
from app.games.gunslingers.admin.leaving import (
    alone,
    in_sight,
    lapsed,
    leaving_blocked,
    leaving_number,
    may_ask,
    refusal,
    stays,
)
from app.games.gunslingers.admin.victory import points
from app.games.gunslingers.checks import ONE_DIE, Number, thrown
from app.games.gunslingers.guns import hits as guns
from app.games.gunslingers.guns.hits import hurt_to, worsened
from app.games.gunslingers.model import Aircraft, Damage, Row, State, nobodys
from app.games.gunslingers.stalls.numbers import disorientation
from app.games.gunslingers.steps import Step, nobody, phase

WORSE_ON: Mapping[Damage, int] = {"L": 1, "2L": 1, "H": 2, "C": 3}
"""On what damage gets worse by itself (GS-ADM-2)."""

AWAKE_ON = 4
"""On what a crew member who blacked out comes to early (GS-ADM-3)."""

STAY, STAY_ON = "stay", "stay on"


def _missiles(state: State) -> Todo:
    """GS-ADM-1: each missile has a move less, but those launched this turn; at none left it is removed."""
    aged = tuple(one.id for one in state.missiles.values() if one.launched < state.turn)
    if aged and "missiles" not in state.done:
        return Effect(MissilesAged(aged), "GS-ADM-1", "Missiles: time of flight")
    for one in state.missiles.values():
        if one.left.value == 0:
            event = MissileSpent(one.id, one.target)
            name = state.aircraft[one.target].name
            return Effect(event, "GS-ADM-1", f"Missile at {name}", one.side, one.shooter)
    return None


# Damage and kills (GS-ADM-2).


def _damage(state: State) -> Todo:
    """GS-ADM-2: damage of earlier turns may get worse, but under damage control; then kills are credited."""
    due = guns.damage(state)
    if due is not None:
        return due
    if state.switches.progressive_damage == "on":
        for one in state.flying():
            worsens = one.o.damage and not one.damage_control and one.o.hit_turn < state.turn
            if worsens and one.id not in state.done:
                return _worse(state, one)
    return _credit(state) if state.claims else None


def _worse(state: State, one: Aircraft) -> Roll:
    number = Number(WORSE_ON[one.o.damage])
    return Roll(
        id=f"worse:{one.id}",
        seat=one.side,
        title=f"{one.name}: does its damage get worse?",
        pool=ONE_DIE,
        happen=partial(_worse_rolled, state, one, number),
        cite="GS-ADM-2",
        unit=one.id,
        why="damaged in an earlier turn, and no damage control",
        odds=number.odds("Gets worse", good=False),
        terms=number.terms(),
    )


def _worse_rolled(
    state: State, one: Aircraft, number: Number, faces: tuple[int, ...]
) -> WorseRolled:
    roll = thrown(number, faces[0], one.side)
    done = hurt_to(state, one, worsened(one.o.hits), None) if roll.made else None
    return WorseRolled(one.id, roll, done)


def _credit(state: State) -> Effect:
    """GS-ADM-2a: for next turn's initiative."""
    kills = dict(state.kills)
    for claim in state.claims:
        kills[claim.side] = kills.get(claim.side, 0) + 1
    first = state.first_kill or state.claims[0].side
    return Effect(KillsCredited(state.claims, kills, first), "GS-ADM-2a", "Kills")


# Crews (GS-ADM-3).


def _crews(state: State) -> Todo:
    """GS-ADM-3: who blacked out may come to, who lost his bearings may find them."""
    for one in state.flying():
        for n, man in enumerate(one.o.crew):
            if man.status == "gloc" and f"{one.id}:{n}" not in state.done:
                return _wake(state, one, n)
        if one.condition == "disoriented" and one.id not in state.done:
            return _find_bearings(one)
    return None


def _wake(state: State, one: Aircraft, man: int) -> Roll | Effect:
    who = "the pilot" if man == 0 else f"crewman {man}"
    if state.turn >= one.gloc_until:
        event = CrewRolled(
            aircraft=one.id,
            man=man,
            key=f"{one.id}:{man}",
            awake=True,
            flies=man == crews.at_controls(one),
            condition=crews.woken(one),
        )
        return Effect(event, "GS-ADM-3", f"{one.name}: {who} comes to", one.side, one.id)
    number = Number(AWAKE_ON)
    return Roll(
        id=f"awake:{one.id}:{man}",
        seat=one.side,
        title=f"{one.name}: does {who} come to?",
        pool=ONE_DIE,
        happen=partial(_woken, one, man, number),
        cite="GS-ADM-3",
        unit=one.id,
        odds=number.odds("Comes to"),
        terms=number.terms(),
    )


def _woken(one: Aircraft, man: int, number: Number, faces: tuple[int, ...]) -> CrewRolled:
    roll = thrown(number, faces[0], one.side)
    return CrewRolled(
        aircraft=one.id,
        man=man,
        key=f"{one.id}:{man}",
        awake=roll.made,
        flies=roll.made and man == crews.at_controls(one),
        roll=roll,
        condition=crews.woken(one),
    )


def _find_bearings(one: Aircraft) -> Roll:
    number = disorientation(one)
    return Roll(
        id=f"bearings:{one.id}",
        seat=one.side,
        title=f"{one.name}: the pilot finds his bearings?",
        pool=ONE_DIE,
        happen=lambda faces: BearingsRolled(one.id, thrown(number, faces[0], one.side)),
        cite="GS-ADM-3",
        unit=one.id,
        odds=number.odds("Finds them"),
        terms=number.open_terms("pilot"),
    )


# Logs (GS-ADM-4).


def _logs(state: State) -> Todo:
    """GS-ADM-4: a line in each log sheet; the next speed becomes the speed."""
    if "logs" in state.done:
        return None
    rows = {one.id: Secret(_row(state, one), (one.side,)) for one in state.flying()}
    speeds = {one.id: Secret(one.o.next_speed, one.seen.seats) for one in state.flying()}
    wished = (side for side in state.sides if any(one.o.leaves for one in state.flying(side)))
    return Effect(LogsKept(rows, speeds, tuple(wished)), "GS-ADM-4", "Logs") if rows else None


def _row(state: State, one: Aircraft) -> Row:
    own, seen = one.o, one.s
    return Row(
        turn=state.turn,
        flight_type=seen.flight_type,
        power=seen.power,
        speed=seen.speed,
        altitude=one.altitude,
        ap=own.last_ap,
        dp=own.last_dp,
        carry=own.ap_carry,
        turn_carry=own.turn_carry,
        fuel=own.fuel,
        ammo=own.ammo,
        missiles=sum(store.count for store in own.stores),
    )


# Leaving (GS-ADM-5).


def _leaving(state: State) -> Todo:
    """GS-ADM-5: each side may let aircraft leave, one after the other, unless it stays until shots fall."""
    for one in state.flying():
        if f"leaves:{one.id}" in state.done and one.id not in state.done:
            return _leave(state, one)
    asked = (_ask_leaving(state, side) for side in state.sides if f"stays:{side}" not in state.done)
    return tuple(decision for decision in asked if decision is not None) or None


def _candidates(state: State, side: str) -> tuple[Aircraft, ...]:
    """Those of a side who have not tried yet."""
    return tuple(one for one in state.flying(side) if one.id not in state.done)


def _ask_leaving(state: State, side: str) -> Decision | None:
    candidates = _candidates(state, side)
    if stays(state, side) or alone(state, side):
        return None
    if not any(may_ask(state, one) for one in candidates):
        return None
    return Decision(
        id=f"leave:{side}:{len(candidates)}",
        seat=side,
        title="Does anybody leave the fight?",
        options=partial(_leaving_options, state, candidates),
        happen=partial(_leaving_chosen, state, side),
        cite="GS-ADM-5",
        initial=STAY_ON,
        action="Decide",
    )


def _leaving_options(state: State, candidates: Sequence[Aircraft]) -> list[Option]:
    leave = [_leaving_option(state, one) for one in candidates]
    return [
        Option(
            STAY_ON, "Nobody until shots fall", "asked again once its aircraft fire or are fired at"
        ),
        Option(nobodys(state, STAY), "Nobody this turn", "asked again next turn"),
        *sorted(leave, key=lambda option: option.blocked is not None),
    ]


def _leaving_chosen(state: State, side: str, choice: str) -> LeaveChosen:
    if choice in (nobodys(state, STAY), STAY_ON):
        return LeaveChosen(side, None, standing=choice == STAY_ON)
    return LeaveChosen(side, choice)


def _leaving_option(state: State, one: Aircraft) -> Option:
    number, seen = leaving_number(state, one), in_sight(state, one)
    unless = "a radar is locked on it" if seen else "a radar has it"
    blocked = leaving_blocked(state, one)
    return Option(
        one.id,
        f"{one.name} leaves",
        detail=f"on {number.need} or less, unless {unless}",
        cite="GS-ADM-5a",
        odds=None if blocked else number.odds("Leaves, unless the enemy holds it"),
        blocked=blocked,
        place=one.pos.label,
    )


def _leave(state: State, one: Aircraft) -> Todo:
    why = refusal(state, one)
    if why:
        event = LeaveRefused(one.id, why)
        return Effect(event, "GS-ADM-5a", f"{one.name} can't leave", one.side, one.id)
    number = leaving_number(state, one)
    return Roll(
        id=f"leaves:{one.id}",
        seat=one.side,
        title=f"{one.name} leaves the fight?",
        pool=ONE_DIE,
        happen=lambda faces: LeaveRolled(one.id, thrown(number, faces[0], one.side)),
        cite="GS-ADM-5a",
        unit=one.id,
        odds=number.odds("Leaves"),
        terms=number.terms(),
    )


# The end of the turn (GS-EOT-11).


def _turn_ends(state: State) -> Todo:
    """GS-EOT-11: what counted for the turn is cleared; then victory."""
    if "over" not in state.done:
        return Effect(
            TurnEnded(points(state), lapsed(state)), "GS-EOT-11", f"Turn {state.turn} is over"
        )
    ended = result(state)
    return None if ended is None else Effect(Finished(ended), "GS-EOT-11", "End of the game")


AIRCRAFT = phase(
    "admin",
    "Aircraft Administration",
    (
        Step("GS-ADM-1", "Missiles run out", _missiles),
        Step("GS-ADM-2", "Damage worsens", _damage),
        Step("GS-ADM-3", "Crews recover", _crews),
        Step("GS-ADM-4", "Logs", _logs),
        Step("GS-ADM-5", "Disengagement", _leaving),
        Step("GS-ADM-6", "Operational movement", nobody),
    ),
    "GS-ADM-1",
)

END = phase(
    "end",
    "End of Turn",
    (
        Step("GS-EOT-1", "Laser spots", nobody),
        Step("GS-EOT-2", "Blast zones", nobody),
        Step("GS-EOT-3", "Suppression ends", nobody),
        Step("GS-EOT-4", "Smoke clears", nobody),
        Step("GS-EOT-5", "Suppression", nobody),
        Step("GS-EOT-6", "Smoke", nobody),
        Step("GS-EOT-7", "Barrages end", nobody),
        Step("GS-EOT-8", "AAA resupply", nobody),
        Step("GS-EOT-9", "Infantry reload", nobody),
        Step("GS-EOT-10", "Auto-reload", nobody),
        Step("GS-EOT-11", "The turn ends", _turn_ends),
    ),
    "GS-EOT-1",
)

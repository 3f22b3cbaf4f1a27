"""Bombing passes (F14-BP-1 to F14-BP-5, F14-TN-3, F14-TP-6, F14-TP-7): over the target, once more, or on.

Belongs here: the choice of a pass, what is fired on it, and the damage of a target. Does not belong here:
the contact that a pass begins with; see `contact`.
"""

from collections.abc import Iterator
from functools import partial

from app.engine.game import PhaseStep
from app.engine.sequence import Blocked, Decision, Option, Roll, Todo
from app.games.f14_tomcats import chances, contact, ending, foresight
from app.games.f14_tomcats.events import BombRolled, FlewOn, RunBegun, WeaponChosen
from app.games.f14_tomcats.model import Cards, Jet, Run, State, Target, Weapon, WeaponType
from app.games.f14_tomcats.words import faces as faces_from
from app.games.f14_tomcats.words import stock

STEPS = (
    PhaseStep("pass", "Another pass?"),
    PhaseStep("contact", "Contact"),
    PhaseStep("sam", "SAM site"),
    PhaseStep("migs", "MiGs"),
    PhaseStep("fire", "Fire"),
    PhaseStep("bailout", "Bail-out"),
)

FLY_ON, COVER, HOLD = "fly on", "cover", "hold"


def todo(state: State) -> Todo:
    """F14-TN-3: passes while the target stands and the leader wants them; then on."""
    if step := ending.bail_out(state):
        return step
    leader, target = state.leader, state.target
    if leader is None or target is None:
        return None
    if state.run is None:
        return _pass(state, leader, target)
    if has_contact(state, state.run) and (step := contact.todo(state)):
        return step
    return _fire(state, state.run, target)


def has_contact(state: State, run: Run) -> bool:
    """F14-BP-2: every pass has a roll, the first one too unless it is ruled otherwise."""
    return run.number > 1 or state.rulings.first_pass_contact == "on"


def ground_weapons(cards: Cards) -> tuple[WeaponType, ...]:
    """What can be fired at a target, the one that does most first (F14-BP-1)."""
    rows = [row for row in cards.weapons if row.ground]
    return tuple(sorted(rows, key=lambda row: -row.ground))


def armed(cards: Cards, jet: Jet) -> bool:
    """F14-BP-5."""
    return any(jet.stores.of(row.id) for row in ground_weapons(cards))


# Another pass?


def _pass(state: State, leader: Jet, target: Target) -> Decision:
    left = target.needs - target.damage
    return Decision(
        id=f"pass:{state.waypoint}.{target.passes + 1}",
        seat=leader.seat,
        title=f"{target.type}: fly a pass?",
        options=lambda: tuple(_pass_options(state, leader, target)),
        happen=partial(_passing, state, leader, target),
        cite="F14-TN-3",
        unit=leader.id,
        why=f"{left} more damage destroys it, for {target.points} points",
        step="pass",
        then=foresight.offered(state),
        action="Go",
    )


def _pass_options(state: State, leader: Jet, target: Target) -> Iterator[Option]:
    danger = _danger(state, target)
    for row in ground_weapons(state.cards):
        yield Option(
            row.id,
            f"Pass with {_named(row)}",
            detail=f"{_effect(row, target)}; {danger}; {stock(leader.stores.of(row.id), row.id)}",
            cost=f"−1 {_burst(row)}",
            cite="F14-BP-1",
            odds=chances.damage_after(target, row),
            blocked=_empty(leader, row),
            then=foresight.told(foresight.after_pass, state, row.id),
        )
    wingman = next((jet for jet in state.flying() if jet.id != leader.id), None)
    if wingman is not None:
        yield Option(
            COVER,
            f"Pass, and only {wingman.name} fires",
            detail=danger,
            cite="F14-TP-6",
            blocked=None
            if armed(state.cards, wingman)
            else Blocked(f"{wingman.name} has no Maverick and no burst left", "F14-BP-5"),
            then=foresight.told(foresight.after_pass, state, None),
        )
    yield Option(
        FLY_ON,
        "Fly on",
        detail=f"leaves the {target.type} behind for good",
        cite="F14-TN-4",
        then=foresight.told(foresight.after_flying_on, state),
    )


def _danger(state: State, target: Target) -> str:
    run = Run(target.passes + 1, "", None)
    return "1 in 6 for a contact first" if has_contact(state, run) else "no contact roll"


def _effect(row: WeaponType, target: Target) -> str:
    """What a hit does to this target."""
    end = target.needs - target.damage <= row.ground
    return f"hits on {faces_from(row.hits)} and {'destroys it' if end else f'does {row.ground}'}"


def _named(row: WeaponType) -> str:
    return "a cannon burst" if row.id == "cannon" else f"a {row.name}"


def _burst(row: WeaponType) -> str:
    return "cannon burst" if row.id == "cannon" else row.name


def _empty(jet: Jet, row: WeaponType) -> Blocked | None:
    return None if jet.stores.of(row.id) else Blocked(f"no {_burst(row)} left", "F14-BP-5")


def _passing(state: State, leader: Jet, target: Target, value: str) -> RunBegun | FlewOn:
    if value == FLY_ON:
        forced = not any(armed(state.cards, jet) for jet in state.flying())
        return FlewOn(target.id, target.type, target.damage, target.needs, forced)
    plan = None if value == COVER else _weapon(state.cards, value)
    return RunBegun(leader.id, target.id, target.type, target.passes + 1, plan)


def _weapon(cards: Cards, text: str) -> Weapon:
    return next(row.id for row in ground_weapons(cards) if row.id == text)


# What is fired.


def _fire(state: State, run: Run, target: Target) -> Todo:
    """F14-TP-6: the leader, then the wingman, one weapon each. F14-BP-3: after the contact."""
    for jet in state.flying():
        if jet.id in run.done:
            continue
        if run.fired is not None:
            return _bomb(state, jet, target, run.fired)
        if jet.id == run.jet and run.plan is not None and jet.stores.of(run.plan):
            return _bomb(state, jet, target, run.plan)
        return _choice(state, run, jet, target)
    return None


def _choice(state: State, run: Run, jet: Jet, target: Target) -> Decision:
    """For the wingman, who takes over, and a leader who has spent what he meant to fire."""
    covers = jet.id == run.jet and run.plan is None
    return Decision(
        id=f"fire:{state.waypoint}.{run.number}:{jet.id}",
        seat=jet.seat,
        title=f"{jet.name}: fire at the {target.type}?",
        options=lambda: tuple(_fire_options(state, jet, target, covers=covers)),
        happen=lambda value: WeaponChosen(
            jet.id, None if value == HOLD else _weapon(state.cards, value)
        ),
        cite="F14-TP-6" if state.team else "F14-BP-3",
        unit=jet.id,
        why=f"bombing pass {run.number}",
        step="fire",
        then=foresight.offered(state),
        action="Fire",
    )


def _fire_options(state: State, jet: Jet, target: Target, *, covers: bool) -> Iterator[Option]:
    for row in ground_weapons(state.cards):
        blocked = Blocked("he only flies this pass", "F14-TP-6") if covers else _empty(jet, row)
        yield Option(
            row.id,
            _named(row).capitalize() if row.id == "cannon" else f"A {row.name}",
            detail=f"{_effect(row, target)}; {stock(jet.stores.of(row.id), row.id)}",
            cost=f"−1 {_burst(row)}",
            cite="F14-BP-1",
            odds=chances.damage_after(target, row),
            blocked=blocked,
            then=foresight.told(foresight.after_fire, state, jet, row.id),
        )
    yield Option(
        HOLD,
        "Hold fire",
        cite="F14-TP-6" if state.team else "F14-BP-5",
        then=foresight.told(foresight.after_fire, state, jet, None),
    )


def _bomb(state: State, jet: Jet, target: Target, weapon: Weapon) -> Roll:
    row = state.cards.weapon(weapon)
    return Roll(
        id=f"bomb:{state.waypoint}.{target.passes}:{jet.id}",
        seat=jet.seat,
        title=f"{jet.name}: {row.name} at the {target.type}",
        pool=chances.ONE_DIE,
        happen=partial(bomb, state, jet, target, row),
        cite="F14-BP-1",
        unit=jet.id,
        why=f"hits on {faces_from(row.hits)}",
        step="fire",
        odds=chances.damage_after(target, row),
    )


def bomb(
    state: State, jet: Jet, target: Target, row: WeaponType, faces: tuple[int, ...]
) -> BombRolled:
    """F14-BP-1, F14-BP-4: damage adds up, and what is above the number is lost."""
    hit = row.hit(faces[0])
    damage = min(target.needs, target.damage + (row.ground if hit else 0))
    destroyed = damage >= target.needs
    return BombRolled(
        jet=jet.id,
        target=target.id,
        name=target.type,
        weapon=row.id,
        face=faces[0],
        needed=row.hits,
        hit=hit,
        done=damage - target.damage,
        damage=damage,
        needs=target.needs,
        destroyed=destroyed,
        stock=jet.stores.of(row.id) - 1,
        points=target.points if destroyed else 0,
        scorers=_scorers(state, jet) if destroyed else (),
    )


def _scorers(state: State, jet: Jet) -> tuple[str, ...]:
    """F14-TP-7."""
    if state.rulings.team_points == "destroyer":
        return (jet.id,)
    return tuple(one.id for one in state.flying())

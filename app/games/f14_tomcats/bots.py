"""Pilots that fly by themselves, each by a policy.

Belongs here: which of the offered options a policy means. Does not belong here: the policies; see `policy`.
"""

from functools import partial

from app.engine.game import Bot, Sight
from app.engine.sequence import canonical
from app.games.f14_tomcats import bombing, migs
from app.games.f14_tomcats.model import State
from app.games.f14_tomcats.policy import (
    BOLD,
    CAREFUL,
    STEADY,
    Load,
    Policy,
    load_of,
    target_ahead,
)


def choose(policy: Policy, sight: Sight) -> object:
    """The policy's answer; the first one that is allowed where that one is not."""
    wanted = answer(policy, sight)
    free = [option.value for option in sight.decision.all_options if option.blocked is None]
    return wanted if canonical(wanted) in {canonical(value) for value in free} else free[-1]


def answer(policy: Policy, sight: Sight) -> object:
    """What the policy says to each of this game's questions."""
    state: State = sight.state
    load = load_of(state.jets[str(sight.decision.unit)].stores)
    match sight.decision.id.partition(":")[0]:
        case "shoot":
            return _shot(policy, state, str(sight.decision.unit), load)
        case "pass":
            return policy.at_target(load) or _without(policy, state)
        case "fire":
            return policy.at_target(load) or bombing.HOLD
        case _:
            return True


def _shot(policy: Policy, state: State, jet: str, load: Load) -> str:
    """At a MiG that comes for this jet; what others are after is theirs."""
    contact = state.contact
    assert contact is not None
    preys = {contact.migs[n].jet for n in migs.alive(contact)}
    weapon = policy.at_migs(load, target_ahead(state))
    if weapon is None or jet not in preys:
        return migs.STOP
    return weapon if len(preys) == 1 else f"{weapon}@{jet}"


def _without(policy: Policy, state: State) -> str:
    """What a leader with nothing to fire does: a pass for the wingman, if that one would fire."""
    others = list(state.flying())[1:]
    fires = any(policy.at_target(load_of(jet.stores)) for jet in others)
    return bombing.COVER if fires else bombing.FLY_ON


def _bot(key: str, title: str, summary: str, policy: Policy) -> Bot:
    return Bot(key, title, summary, partial(choose, policy))


BOTS = (
    _bot(
        "steady",
        "Steady",
        "Missiles first, then the gun, with three bursts kept for the targets; attacks each target until it is destroyed or nothing is left.",
        STEADY,
    ),
    _bot(
        "careful",
        "Careful",
        "Keeps no burst for the targets and attacks them with Mavericks only.",
        CAREFUL,
    ),
    _bot(
        "bold",
        "Bold",
        "Keeps six bursts for the targets, and attacks each until it is destroyed or nothing is left.",
        BOLD,
    ),
)

"""What is asked at a table that settles attacks itself: what came of one, and whether the other side agrees.

Belongs here: the two questions. Does not belong here: which attack is under way (guns, missiles).
"""

from collections.abc import Mapping
from functools import partial

from app.engine.sequence import Decision, Option
from app.games.gunslingers.guns.hits import RESULT_WORDS, SEVERITY, hurt_by
from app.games.gunslingers.model import Aircraft, Result, State
from app.games.gunslingers.outcomes.facts import FLIES, MISS, Attack, OutcomeAgreed, OutcomeEntered

OUTCOMES: Mapping[str, str] = {
    FLIES: "it flies on",
    MISS: "a miss",
    **{one or "none": RESULT_WORDS[one] for one in SEVERITY},
}
"""What an outcome is called."""

RESULTS: Mapping[str, Result] = {one: one for one in SEVERITY}
"""The results of damage among them."""


def todo(state: State, attack: Attack, shooter: Aircraft, cite: str) -> Decision:
    """What came of an attack, asked of its shooter's side; then whether the target's side agrees."""
    what = called(attack, {one.id: one.name for one in state.aircraft.values()})
    proposed = state.proposed.get(attack.key)
    if proposed is None:
        return Decision(
            id=f"outcome:{attack.key}",
            seat=shooter.side,
            title=f"What comes of {what}?",
            options=partial(_outcomes, attack),
            happen=partial(OutcomeEntered, attack, shooter.side),
            cite=cite,
            unit=shooter.id,
            why="this table settles it itself",
        )
    target = state.aircraft[attack.target]
    return Decision(
        id=f"outcome-agreed:{attack.key}",
        seat=target.side,
        title=f"{what[0].upper()}{what[1:]}: {OUTCOMES[proposed]}?",
        options=_confirmation,
        happen=partial(_agreed, state, attack, shooter, proposed),
        cite=cite,
        unit=target.id,
        why="one side enters an outcome, the other confirms it",
    )


def called(attack: Attack, names: Mapping[str, str]) -> str:
    """An attack in words, as far as its parts are known to whoever has these names."""
    at = names[attack.target]
    if attack.missile:
        return f"the missile at {at}"
    return f"{names[attack.shooter]}'s burst at {at}" if attack.shooter else f"the burst at {at}"


def _outcomes(attack: Attack) -> tuple[Option, ...]:
    return tuple(
        Option(value, words.capitalize())
        for value, words in OUTCOMES.items()
        if value != FLIES or attack.missile
    )


def _confirmation() -> tuple[Option, ...]:
    return (Option("yes", "Agree"), Option("no", "Disagree", "it is asked again"))


def _agreed(
    state: State, attack: Attack, shooter: Aircraft, outcome: str, choice: str
) -> OutcomeAgreed:
    target, agreed = state.aircraft[attack.target], choice == "yes"
    result = RESULTS.get(outcome, "")
    done = hurt_by(state, target, result, shooter.id) if agreed and result else None
    return OutcomeAgreed(attack, target.side, outcome, agreed, done)

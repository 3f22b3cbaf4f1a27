"""Log lines of outcomes that players enter.

Belongs here: one sentence a fact. Does not belong here: anything computed anew.
"""

from collections.abc import Mapping

from app.engine.game import Told
from app.engine.log import Event
from app.games.gunslingers.guns.tell import total_of
from app.games.gunslingers.outcomes.asking import OUTCOMES, called
from app.games.gunslingers.outcomes.facts import OutcomeAgreed, OutcomeEntered


def tell(event: Event, names: Mapping[str, str]) -> Told | None:
    """The log line of a fact of this area; None for any other."""
    match event:
        case OutcomeEntered():
            what = called(event.attack, names)
            return Told(f"{names[event.by]} enters for {what}: {OUTCOMES[event.outcome]}.")
        case OutcomeAgreed():
            what = called(event.attack, names)
            if not event.agreed:
                return Told(f"{names[event.by]} does not agree on {what}; it is asked again.")
            total = total_of(event.hurt) if event.hurt else ""
            return Told(f"{names[event.by]} agrees on {what}: {OUTCOMES[event.outcome]}.{total}")
        case _:
            return None

"""What the bots have in common: an answer is one of those that are offered, whatever a bot wished for."""

from typing import Any

from app.engine.errors import Illegal
from app.engine.sequence import Decision


def allowed(decision: Decision, *wishes: Any) -> Any:
    """The first wish that may be chosen; if none may, the first option that may."""
    for wish in wishes:
        if _may(decision, wish):
            return wish
    return next(option.value for option in decision.all_options if option.blocked is None)


def _may(decision: Decision, wish: Any) -> bool:
    try:
        decision.accept(wish)
    except Illegal:
        return False
    return True

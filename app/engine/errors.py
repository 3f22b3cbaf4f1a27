"""Refusals: why a command changed nothing.

Each carries the HTTP status that the doors use, and, where a rule refuses, the rule's id. A refusal's
message is written for the player: what was wrong, why, and what to do next.
"""


class Refused(Exception):
    """A command that was understood and not carried out. The table is as it was; no die was used.

    Args:
        detail: the sentence shown to the player.
        cite: the id of the rule that refuses, if it is a rule.
    """

    status = 422
    title = "Refused"

    def __init__(self, detail: str, cite: str | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.cite = cite


class Illegal(Refused):
    """The rules, or the shape of the choice, do not allow it."""

    title = "Not allowed"


class NotYourSeat(Refused):
    """Somebody else's decision, or no seat at all."""

    status = 403
    title = "Not yours to decide"


class Stale(Refused):
    """The table has moved on since the page was drawn, or the question has been answered."""

    status = 409
    title = "The table has moved on"


class Missing(Refused):
    """No such table, seat, moment or unit."""

    status = 404
    title = "Not found"


class BrokenGame(Exception):
    """A game's code broke its contract with the engine (a loop without end, an unknown phase).

    Never the player's fault: it is logged as an error, and the command changes nothing.
    """

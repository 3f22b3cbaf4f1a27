"""Editions: how this version reads what an earlier one wrote, and what it says of what a later one did.

An edition is a number: of a game (`Game.rules`), and of the events that every table has
(`log.TABLE_EDITION`). A table's first entry names both. Rows are never rewritten: what changed its form since
then is brought into today's as it is read, step by step from edition to edition. Belongs here: those steps, in
plain data. Does not belong here: JSON and rows (app.tables.codec), what rulings came when (rulebook).
"""

from collections.abc import Callable, Mapping
from typing import Any

from app.engine.errors import Refused

Plain = dict[str, Any]
Upcaster = Callable[[Plain], Plain]
"""Brings an event, as plain data with its "type", from the form of the edition before into this one's.

It may change its argument. A table that goes on under a later version holds both forms, so what is in the new
form already must stay as it is.
"""

Upcasters = Mapping[int, Mapping[str, Upcaster]]
"""By the edition that brought a new form, then by the type of the event that has it."""


TABLE_UPCASTERS: Upcasters = {}
"""The same for the events that every table has, by `log.TABLE_EDITION`."""


def unchanged(event: Plain) -> Plain:
    """The upcaster of an event whose form changed so that the old one still reads."""
    return event


def upcast(event: Plain, edition: int, steps: Upcasters) -> Plain:
    """An event of a table of an edition, in today's form."""
    for since in sorted(steps):
        if since > edition and (step := steps[since].get(event["type"])) is not None:
            event = step(event)
    return event


class OtherEdition(Refused):
    """A table is sound, but this version can't read it: another one wrote it."""

    status = 409
    title = "Written by another version"


class NoSuchGame(OtherEdition):
    """A table is sound, but its game is not here."""

    status = 404
    title = "Its game is not here"


def too_new(game: str, edition: int, known: int) -> OtherEdition:
    """For a table of a later edition of its game than this version has."""
    return OtherEdition(
        f"This table was written by edition {edition} of {game}; this server has edition {known}. "
        "Nothing is lost: update the server, or the plug-in that brings the game, and open it again."
    )


def table_too_new(edition: int, known: int) -> OtherEdition:
    """For a table of a later edition of what every table has than this version knows."""
    return OtherEdition(
        f"This table was written by a newer version of the server (tables of edition {edition}; this one "
        f"reads up to {known}). Nothing is lost: update the server, and open it again."
    )


def unknown_event(kind: str, game: str) -> OtherEdition:
    """For an entry of a type that this version does not have."""
    return OtherEdition(
        f"This table holds an entry of the type {kind[:40]!r}, which this version of {game} does not have: a "
        "newer one wrote it. Nothing is lost: update the server, or the plug-in that brings the game."
    )


def unknown_game(game: str) -> NoSuchGame:
    """For a table of a game that is not installed."""
    return NoSuchGame(
        f"This table's game, {game[:40]!r}, is not on this server. Nothing is lost: install the plug-in that "
        "brings it, and open the table again."
    )

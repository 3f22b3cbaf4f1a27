"""Damage: what is said of a table whose record is not what was written.

Such a table is shown as it was at the last good entry, and nothing is written to it any more. Belongs here: what
is wrong with a table, in words. Does not belong here: how it is found (loading, engine.record).
"""

import msgspec

from app.engine.errors import Refused


class Damage(msgspec.Struct, frozen=True):
    """A record can be read up to entry `after` and no further; `why` ends the sentence that says so.

    `altered`: what is kept is not what was written. Otherwise it is what was written, and this version
    can't follow it.
    """

    after: int
    why: str
    altered: bool = True

    @property
    def text(self) -> str:
        """What people at the table are told."""
        told = (
            f"This table's record is damaged: {self.why}. "
            if self.altered
            else f"This version of the server can't follow this table's record: {self.why}. "
        )
        return told + self.rest(f" as it was after entry {self.after}")

    @classmethod
    def rest(cls, when: str = "") -> str:
        """What can be done with such a table."""
        return f"It is shown{when}; nothing can be played here any more."


class Damaged(Refused):
    """Nothing is written to a table whose record is damaged."""

    status = 409
    title = "This table is damaged"

    def __init__(self) -> None:
        super().__init__("This table's record is damaged, so it can only be looked at.")

"""Log lines of the Stalled Aircraft Phase (GS-STL).

Belongs here: one sentence a fact, and how its dice led to it. Does not belong here: anything computed anew.
"""

from collections.abc import Mapping

from app.engine.game import Told
from app.engine.log import Event


def tell(event: Event, names: Mapping[str, str]) -> Told | None:
    """The log line of a fact of this area; None for any other."""
    del event, names
    return None

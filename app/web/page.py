"""Pages: what the calls of all of them have in common.

Belongs here: what their addresses and htmx say, and the way to a table. Does not belong here: any page, how
its HTML is made (templating), who asks for it (deps).
"""

from typing import Annotated

from fastapi import Header, Path
from fastapi.responses import RedirectResponse

from app.tables.live import LiveTable

GameId = Annotated[str, Path(max_length=40)]
TableId = Annotated[str, Path(max_length=24)]
Htmx = Annotated[str | None, Header(alias="HX-Request")]
"""There when htmx asks, which wants a part of a page, or nothing where the stream brings it."""


def to_table(table_id: str) -> RedirectResponse:
    """The way to a table."""
    return RedirectResponse(f"/tables/{table_id}", status_code=303)


def to_new_table(table: LiveTable) -> RedirectResponse:
    """The way to a table that was just opened; a shared one shows its invitation at once."""
    return to_table(table.id if table.opened.mode == "solo" else f"{table.id}?fresh=1")

"""the hash of a log entry is also over its choice, where it has one

Revision ID: c4e17a90d3b6
Revises: 5b8d2f6c41ea
"""

import hashlib
import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision: str = "c4e17a90d3b6"
down_revision: str | None = "5b8d2f6c41ea"
branch_labels: str | None = None
depends_on: str | None = None

FIELDS = (
    "at", "cite", "command", "dice", "event", "kind", "phase", "receipt", "seat", "seq", "turn", "unit",
)  # fmt: skip
GROUP = 500


def upgrade() -> None:
    _chain_anew(before=False, after=True)


def downgrade() -> None:
    _chain_anew(before=True, after=False)


def _chain_anew(*, before: bool, after: bool) -> None:
    """Compute the hashes of all logs that have choices: over them `after`, or not, where `before` they were or not.

    From the first entry on that is not as it was written, a log stays as it is: so that is found as before.
    """
    entry = sa.table("log_entry", *map(sa.column, ("table_id", "hash", "choice", *FIELDS)))
    fill = (
        sa.update(entry)
        .where(entry.c.table_id == sa.bindparam("of"), entry.c.seq == sa.bindparam("number"))
        .values(hash=sa.bindparam("made"))
    )
    connection = op.get_bind()
    tables = connection.scalars(
        sa.select(entry.c.table_id).where(entry.c.choice.is_not(None)).distinct()
    ).all()
    for table in tables:
        rows = connection.execute(
            sa.select(entry).where(entry.c.table_id == table).order_by(entry.c.seq)
        )
        old, new, done = "", "", list[dict[str, Any]]()
        for row in rows.mappings().all():
            try:
                old, new = _link(old, row, chosen=before), _link(new, row, chosen=after)
            except (TypeError, ValueError):
                break
            if old != row["hash"]:
                break
            done.append({"of": table, "number": row["seq"], "made": new})
        for first in range(0, len(done), GROUP):
            connection.execute(fill, done[first : first + GROUP])


def _link(before: str, row: Any, *, chosen: bool) -> str:
    """As in app.engine.record when this was written. What it makes must never change."""
    fields = {name: row[name] for name in FIELDS}
    fields["event"] = json.loads(row["event"])
    fields["dice"] = None if row["dice"] is None else json.loads(row["dice"])
    choice = None if row["choice"] is None else json.loads(row["choice"])
    if chosen and choice is not None:
        fields["choice"] = choice
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()

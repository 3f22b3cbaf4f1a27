"""each log entry has a hash over itself and the one before

Revision ID: 7c1f5e0b92d4
Revises: 3ad0267a8557
"""

import hashlib
import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision: str = "7c1f5e0b92d4"
down_revision: str | None = "3ad0267a8557"
branch_labels: str | None = None
depends_on: str | None = None

FIELDS = (
    "at", "cite", "command", "dice", "event", "kind", "phase", "receipt", "seat", "seq", "turn", "unit",
)  # fmt: skip
GROUP = 500


def upgrade() -> None:
    # Not in batch mode: this copies no rows, and a log may be long.
    op.add_column(
        "log_entry",
        sa.Column("hash", sa.String(length=64), server_default=sa.text("''"), nullable=False),
    )
    entry = sa.table("log_entry", *map(sa.column, ("table_id", "hash", *FIELDS)))
    fill = (
        sa.update(entry)
        .where(entry.c.table_id == sa.bindparam("of"), entry.c.seq == sa.bindparam("number"))
        .values(hash=sa.bindparam("made"))
    )
    connection = op.get_bind()
    tables = connection.scalars(sa.text("SELECT id FROM game_table")).all()
    for table in tables:
        rows = connection.execute(
            sa.select(entry).where(entry.c.table_id == table).order_by(entry.c.seq)
        )
        before, done = "", list[dict[str, Any]]()
        for row in rows.mappings().all():
            try:
                before = _link(before, row)
            except (
                ValueError
            ):  # damaged already: it stays without one, and is found when it is loaded
                break
            done.append({"of": table, "number": row["seq"], "made": before})
        for first in range(0, len(done), GROUP):
            connection.execute(fill, done[first : first + GROUP])


def downgrade() -> None:
    op.drop_column("log_entry", "hash")


def _link(before: str, row: Any) -> str:
    """As in app.engine.record when this was written. What it makes must never change."""
    fields = {name: row[name] for name in FIELDS}
    fields["event"] = json.loads(row["event"])
    fields["dice"] = None if row["dice"] is None else json.loads(row["dice"])
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()

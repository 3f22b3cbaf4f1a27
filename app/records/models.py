"""The database's rows of persons. No behaviour here.

They are in the metadata of the tables' rows, as one refers to the other; whoever needs all rows of the
database (the migrations) imports it from here.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from app.tables.models import metadata

__all__ = ["deed", "metadata", "person"]

# A person of one visitor. `table_id` is where he plays now, NULL while he is free: as there is one such
# column, he can't be at two tables, and who takes him along does so only where it is NULL. `abandoned`
# counts games that his player ended before their end. `imported`: his record was not made here.
person = Table(
    "person",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("owner", String(40), nullable=False),
    Column("game", String(40), nullable=False),
    Column("name", String(40), nullable=False),
    Column("call_sign", String(16), nullable=False),
    Column("record", Text, nullable=False),
    Column("status", String(8), nullable=False),
    Column("abandoned", Integer, nullable=False),
    Column("imported", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("table_id", String(24), ForeignKey("game_table.id", ondelete="SET NULL")),
    CheckConstraint("status IN ('active', 'lost', 'retired')", name="status"),
    CheckConstraint("table_id IS NULL OR status = 'active'", name="at_table"),
    Index("ix_person_owner", "owner"),
    Index("ix_person_game", "game"),
    Index("ix_person_table_id", "table_id"),
)

# What a person did at a table, counted from 1 for each. `data` is JSON (see book.Told). Without a table it
# was brought from elsewhere. No foreign key: what was done stays done when its table has gone.
deed = Table(
    "deed",
    metadata,
    Column(
        "person_id",
        String(24),
        ForeignKey("person.id", ondelete="CASCADE"),
        primary_key=True,
    ),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("table_id", String(24)),
    Column("seq", Integer),
    Column("at", BigInteger, nullable=False),
    Column("data", Text, nullable=False),
    UniqueConstraint("person_id", "table_id", name="uq_deed_person_table"),
)

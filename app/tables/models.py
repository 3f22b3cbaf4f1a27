"""The database: which rows there are. No behaviour here; reading and writing is `store`.

Times are whole milliseconds since 1970 (SQLite gives datetimes back without their zone).
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _of_table() -> Column[str]:
    return Column(
        "table_id",
        String(24),
        ForeignKey("game_table.id", ondelete="CASCADE"),
        primary_key=True,
    )


# A table, with what the lists of tables show, so that they need not load a game. `turn` to `updated_at`
# are written with each append; the log stays the authority. `question` is the mark of what is open
# (questions). `made_once` names what an owner can make only once, such as a file that is read in; `origin`
# says of a table that came from elsewhere from where, and what was found out about it, as JSON.
game_table = Table(
    "game_table",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("name", String(80), nullable=False),
    Column("mode", String(8), nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("owner", String(40), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("to_act", String(200), nullable=False),  # ids of seats, spaces between
    Column("finished", Boolean, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("question", String(40)),
    Column("made_once", String(64)),
    Column("origin", Text),
    Index("ix_game_table_updated_at", "updated_at"),
    Index("ix_game_table_owner", "owner"),
    Index("uq_game_table_made_once", "owner", "made_once", unique=True),
)

# The log. The primary key makes a second writer of the same moment fail, whatever process it is in;
# `receipt` makes a repeated command fail. `hash` chains each entry to the one before (engine.record).
# `choice` is the answer of a decision, as JSON, to decide it again from; logs from before it have none.
log_entry = Table(
    "log_entry",
    metadata,
    _of_table(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("phase", String(40), nullable=False),
    Column("kind", String(10), nullable=False),
    Column("seat", String(40)),
    Column("unit", String(60)),
    Column("cite", String(40)),
    Column("dice", Text),
    Column("event", Text, nullable=False),
    Column("command", Integer, nullable=False),
    Column("receipt", String(64)),
    Column("hash", String(64), nullable=False, server_default=text("''")),
    Column("choice", Text),
    UniqueConstraint("table_id", "receipt", name="uq_log_entry_receipt"),
)

# A seat of a table: who holds it, and the secrets that open it. `invite` stays readable so that the
# host can send the link again; `token_hash` is the SHA-256 of the seat token given to its holder.
seat_claim = Table(
    "seat_claim",
    metadata,
    _of_table(),
    Column("seat", String(40), primary_key=True),
    Column("invite", String(40), nullable=False, unique=True),
    Column("identity", String(40)),
    Column("token_hash", String(64)),
    Column("label", String(60), nullable=False),
    Column("name", String(60), nullable=False),
    Column("claimed_at", BigInteger),
    Index("ix_seat_claim_identity", "identity"),
)

# The dice secret, apart from everything else, so that nothing that reads a table or its log can show it.
seed = Table(
    "seed",
    metadata,
    _of_table(),
    Column("seed", LargeBinary(32), nullable=False),
)

# Sealed answers that wait for the other seats. Not in the log: its length would tell that one was given.
held_answer = Table(
    "held_answer",
    metadata,
    _of_table(),
    Column("offer", String(120), primary_key=True),
    Column("seat", String(40), nullable=False),
    Column("choice", Text, nullable=False),
    Column("receipt", String(64)),
)

# A set-up that somebody keeps under a name, with the rulings to play it by. Both are JSON.
setup = Table(
    "setup",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("owner", String(40), nullable=False),
    Column("game", String(40), nullable=False),
    Column("name", String(80), nullable=False),
    Column("data", Text, nullable=False),
    Column("rulings", Text, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    UniqueConstraint("owner", "game", "name", name="uq_setup_owner_game_name"),
)

# A view of a table of elsewhere, as its owner was given it: to read, no table. `document` is the file.
kept_view = Table(
    "kept_view",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("owner", String(40), nullable=False),
    Column("made_once", String(64), nullable=False),
    Column("game", String(40), nullable=False),
    Column("name", String(80), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("document", Text, nullable=False),
    UniqueConstraint("owner", "made_once", name="uq_kept_view_made_once"),
)

# What the server itself keeps, in one row: a print of the key that signed the identities here (app.keys), and
# when it last proved that it can write.
server = Table(
    "server",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("key_print", String(64), nullable=False),
    Column("written_at", BigInteger, nullable=False),
)

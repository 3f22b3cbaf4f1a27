"""what the archive needs: open questions, choices, where a table came from, kept views

Revision ID: 5b8d2f6c41ea
Revises: 91d2c6a4e8b3
"""

import sqlalchemy as sa
from alembic import op

revision: str = "5b8d2f6c41ea"
down_revision: str | None = "91d2c6a4e8b3"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    # Not in batch mode: this copies no rows, and a log may be long.
    op.add_column("log_entry", sa.Column("choice", sa.Text(), nullable=True))
    op.add_column("game_table", sa.Column("question", sa.String(length=40), nullable=True))
    op.add_column("game_table", sa.Column("made_once", sa.String(length=64), nullable=True))
    op.add_column("game_table", sa.Column("origin", sa.Text(), nullable=True))
    op.create_index("uq_game_table_made_once", "game_table", ["owner", "made_once"], unique=True)
    op.create_table(
        "kept_view",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("owner", sa.String(length=40), nullable=False),
        sa.Column("made_once", sa.String(length=64), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_kept_view")),
        sa.UniqueConstraint("owner", "made_once", name="uq_kept_view_made_once"),
    )


def downgrade() -> None:
    op.drop_table("kept_view")
    op.drop_index("uq_game_table_made_once", "game_table")
    op.drop_column("game_table", "origin")
    op.drop_column("game_table", "made_once")
    op.drop_column("game_table", "question")
    op.drop_column("log_entry", "choice")

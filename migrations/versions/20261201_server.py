"""what the server itself keeps: which key this database was used with, when it was last written

Revision ID: 91d2c6a4e8b3
Revises: 7c1f5e0b92d4
"""

import sqlalchemy as sa
from alembic import op

revision: str = "91d2c6a4e8b3"
down_revision: str | None = "7c1f5e0b92d4"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    server = op.create_table(
        "server",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("key_print", sa.String(length=64), nullable=False),
        sa.Column("written_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_server")),
    )
    op.bulk_insert(server, [{"id": 1, "key_print": "", "written_at": 0}])


def downgrade() -> None:
    op.drop_table("server")

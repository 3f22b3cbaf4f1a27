"""a sealed answer keeps the receipt that it came with

Revision ID: e2b70c5f18d9
Revises: c4e17a90d3b6
"""

import sqlalchemy as sa
from alembic import op

revision: str = "e2b70c5f18d9"
down_revision: str | None = "c4e17a90d3b6"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    op.add_column("held_answer", sa.Column("receipt", sa.String(length=64), nullable=True))


def downgrade() -> None:
    op.drop_column("held_answer", "receipt")

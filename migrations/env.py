"""Alembic's entry: `app.migrate` hands over a connection; the `alembic` command has none yet."""

from alembic import context
from sqlalchemy import Connection

from app.migrate import check_foreign_keys, migration_engine
from app.records.models import metadata
from app.settings import Settings


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=metadata,
        # SQLite cannot alter most things in place; batch mode copies the table instead.
        render_as_batch=True,
        # Alembic takes SQLite's DDL for not transactional. With our BEGIN (app/migrate.py) it is.
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()
        check_foreign_keys(connection)


if context.is_offline_mode():
    raise SystemExit("migrations run against a database only: batch mode has to read its tables")

given: Connection | None = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    settings = Settings()
    settings.data.mkdir(parents=True, exist_ok=True)
    with migration_engine(settings.url).connect() as opened:
        run(opened)

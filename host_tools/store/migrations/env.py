"""Alembic's way in: `host_tools.store.database.migrate` hands over an open connection."""

from alembic import context

from host_tools.store.models import Base

connection = context.config.attributes["connection"]
# SQLite cannot alter a table in place: alembic copies it ("batch").
context.configure(
    connection=connection,
    target_metadata=Base.metadata,
    render_as_batch=connection.dialect.name == "sqlite",
)
with context.begin_transaction():
    context.run_migrations()

"""The hook Alembic calls: migrations run on the connection handed over to it."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()

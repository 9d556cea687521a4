"""The hook Alembic calls: migrations run on the connection handed over to it."""

from alembic import context

# The caller's connection, so that tables and version change in the block that was opened.
context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()

"""What the desk needs of a journal is stored beside it: seconds of play, the link of its seal."""

import sqlalchemy as sa
from alembic import op

from host_tools.store.journal.reading import read_journal

revision = "0003"
down_revision = "0002"

# not the models: they have columns that only later migrations make
matches = sa.table(
    "matches",
    sa.column("id", sa.Integer()),
    sa.column("journal", sa.LargeBinary()),
    sa.column("duration_s", sa.Integer()),
    sa.column("sealed_head", sa.String()),
)


def upgrade() -> None:
    """Make the columns and fill them from the journals, one at a time."""
    op.add_column("matches", sa.Column("duration_s", sa.Integer(), nullable=True))
    op.add_column("matches", sa.Column("sealed_head", sa.String(length=64), nullable=True))
    connection = op.get_bind()
    for number in connection.scalars(sa.select(matches.c.id)).all():
        this_one = matches.c.id == number
        raw = connection.execute(sa.select(matches.c.journal).where(this_one)).scalar_one()
        read = read_journal(raw)
        found = {"duration_s": read.duration_s, "sealed_head": read.sealed_head}
        connection.execute(sa.update(matches).where(this_one).values(**found))

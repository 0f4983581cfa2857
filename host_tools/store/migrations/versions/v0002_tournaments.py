"""Tournaments and their logs."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables of this version."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
    )
    op.create_table(
        "tournament_events",
        sa.Column("tournament_id", sa.String(length=64), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("chain", sa.String(length=64), nullable=False),
        sa.Column("state_before", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name="fk_tournament_events_tournament_id_tournaments",
        ),
        sa.PrimaryKeyConstraint("tournament_id", "seq", name="pk_tournament_events"),
    )


def downgrade() -> None:
    """Go back to the version before."""
    op.drop_table("tournament_events")
    op.drop_table("tournaments")

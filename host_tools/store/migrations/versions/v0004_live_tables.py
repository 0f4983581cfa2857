"""What boxes on the air have told and recorded so far, and whom the hall refused."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Three tables; nothing of what is there changes."""
    op.create_table(
        "live_boxes",
        sa.Column("box_id", sa.String(length=64), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("heard", sa.DateTime(timezone=True), nullable=False),
        sa.Column("here", sa.JSON(), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("box_id", name="pk_live_boxes"),
    )
    op.create_index("ix_live_boxes_version", "live_boxes", ["version"])
    op.create_table(
        "live_records",
        sa.Column("box_id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("born", sa.String(length=16), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("box_id", "number", "born", "line", name="pk_live_records"),
    )
    op.create_index("ix_live_records_version", "live_records", ["version"])
    op.create_table(
        "hall_refusals",
        sa.Column("sender", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("sender", "reason", name="pk_hall_refusals"),
    )

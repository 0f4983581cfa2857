"""The public keys of boxes and desks."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """One table; nothing of what is there changes."""
    op.create_table(
        "enrolled_keys",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("box_id", sa.String(length=64), nullable=False),
        sa.Column("public", sa.String(length=130), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("by", sa.String(length=80), nullable=False),
        sa.Column("revoked", sa.BigInteger(), nullable=True),
        sa.Column("revoked_by", sa.String(length=80), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_enrolled_keys"),
    )
    op.create_index("ix_enrolled_keys_box_id", "enrolled_keys", ["box_id"])

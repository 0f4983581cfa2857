"""Boxes, matches with their journals, results, half-fetched journals."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables of this version."""
    op.create_table(
        "boxes",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("firmware", sa.String(length=32), nullable=False),
        sa.Column("first_seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_seen", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_boxes"),
    )
    op.create_table(
        "fetches",
        sa.Column("box_id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("next_line", sa.Integer(), nullable=False),
        sa.Column("journal", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("box_id", "number", name="pk_fetches"),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("box_id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("born", sa.String(length=16), nullable=False),
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("header", sa.JSON(), nullable=False),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("journal", sa.LargeBinary(), nullable=False),
        sa.Column("received", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["box_id"], ["boxes.id"], name="fk_matches_box_id_boxes"),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.UniqueConstraint("digest", name="uq_matches_digest"),
    )
    op.create_index("ix_matches_box_number", "matches", ["box_id", "number"])
    op.create_table(
        "seat_results",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_seat_results_match_id_matches"
        ),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_seat_results"),
    )
    op.create_table(
        "state_changes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_state_changes_match_id_matches"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_state_changes"),
    )


def downgrade() -> None:
    """Go back to the version before."""
    op.drop_table("state_changes")
    op.drop_table("seat_results")
    op.drop_index("ix_matches_box_number", "matches")
    op.drop_table("matches")
    op.drop_table("fetches")
    op.drop_table("boxes")

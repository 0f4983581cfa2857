"""All tables of the first release."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
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
    op.create_table(
        "fetches",
        sa.Column("box_id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("next_line", sa.Integer(), nullable=False),
        sa.Column("journal", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("box_id", "number", name="pk_fetches"),
    )
    op.create_table(
        "hall_refusals",
        sa.Column("sender", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("sender", "reason", name="pk_hall_refusals"),
    )
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
        "tournaments",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("after_match", sa.Integer(), nullable=False),
        sa.Column("restored", sa.Boolean(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("forgotten", sa.JSON(none_as_null=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
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
        sa.Column("duration_s", sa.Integer(), nullable=True),
        sa.Column("sealed_head", sa.String(length=64), nullable=True),
        sa.Column("received", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["box_id"], ["boxes.id"], name="fk_matches_box_id_boxes"),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.UniqueConstraint("digest", name="uq_matches_digest"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_matches_box_number", "matches", ["box_id", "number"])
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

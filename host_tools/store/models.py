"""The tables. A change here needs a migration; a test compares both."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    DateTime,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    String,
    Text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


def now() -> datetime:
    """The moment, in UTC."""
    return datetime.now(UTC)


class Base(DeclarativeBase):
    """Constraints have names, so that migrations can speak of them on every database."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class Box(Base):
    """A box that was ever seen at a port of this desk."""

    __tablename__ = "boxes"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(String(64), default="")
    firmware: Mapped[str] = mapped_column(String(32), default="")
    first_seen: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)
    last_seen: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)


class StoredMatch(Base):
    """One journal as it came, byte for byte, and what the desk thinks of it now."""

    __tablename__ = "matches"
    # without it SQLite gives the number of a deleted match to the next one, and readers go on
    # behind the last number they saw
    __table_args__ = (
        Index("ix_matches_box_number", "box_id", "number"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    # SHA-256 of `journal`: the same journal is stored once, whoever brings it
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    box_id: Mapped[str] = mapped_column(ForeignKey("boxes.id"))
    number: Mapped[int]
    born: Mapped[str] = mapped_column(String(16))
    game: Mapped[str] = mapped_column(String(16))
    # what pages ask for each time is read once, and no journal is parsed again
    header: Mapped[dict[str, object]] = mapped_column(JSON)
    result: Mapped[dict[str, object] | None] = mapped_column(JSON)
    journal: Mapped[bytes] = mapped_column(LargeBinary)
    # read out of `journal` when it came: seconds of play, and the link that its seal names
    duration_s: Mapped[int | None]
    sealed_head: Mapped[str | None] = mapped_column(String(64))
    received: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)
    state: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str] = mapped_column(Text)

    box: Mapped[Box] = relationship()
    seats: Mapped[list["SeatResult"]] = relationship(
        order_by="SeatResult.seat", cascade="all, delete-orphan"
    )
    states: Mapped[list["StateChange"]] = relationship(
        order_by="StateChange.id", cascade="all, delete-orphan"
    )


class SeatResult(Base):
    """How one seat came out: place from 1 (equal places share it), cards or score, points."""

    __tablename__ = "seat_results"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(120))
    place: Mapped[int | None]
    count: Mapped[int]
    points: Mapped[int | None]


class StateChange(Base):
    """Every state a match ever had; nothing is overwritten."""

    __tablename__ = "state_changes"

    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"))
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)
    state: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str] = mapped_column(Text)


class Fetch(Base):
    """A journal fetched in part when a box was unplugged; the next sync goes on behind it."""

    __tablename__ = "fetches"

    box_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    next_line: Mapped[int]
    journal: Mapped[bytes] = mapped_column(LargeBinary)


class LiveBox(Base):
    """What a box on the air has told last (docs/hall.md): `here` and `state`; `version` grows with
    every change of any box."""

    __tablename__ = "live_boxes"

    box_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    version: Mapped[int] = mapped_column(BigInteger, index=True)
    heard: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    here: Mapped[dict[str, object]] = mapped_column(JSON)
    state: Mapped[dict[str, object]] = mapped_column(JSON)


class LiveRecord(Base):
    """A line of a match that came by air, without its newline, as the box wrote it."""

    __tablename__ = "live_records"

    box_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    born: Mapped[str] = mapped_column(String(16), primary_key=True)
    line: Mapped[int] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(BigInteger, index=True)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    raw: Mapped[bytes] = mapped_column(LargeBinary)


class HallRefusal(Base):
    """Whom the hall refused, why, how often, and when last."""

    __tablename__ = "hall_refusals"

    sender: Mapped[str] = mapped_column(String(64), primary_key=True)
    reason: Mapped[str] = mapped_column(String(32), primary_key=True)
    count: Mapped[int]
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    detail: Mapped[str] = mapped_column(Text)


class EnrolledRow(Base):
    """A public key of a box, of a desk if `box_id` is ""; times in unix seconds."""

    __tablename__ = "enrolled_keys"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    box_id: Mapped[str] = mapped_column(String(64), index=True)
    # 65 bytes as hex digits: the uncompressed point
    public: Mapped[str] = mapped_column(String(130))
    # unix time outgrows 32 bits in 2038
    since: Mapped[int] = mapped_column(BigInteger)
    by: Mapped[str] = mapped_column(String(80))
    revoked: Mapped[int | None] = mapped_column(BigInteger)
    revoked_by: Mapped[str] = mapped_column(String(80), default="")


class StoredTournament(Base):
    """A tournament; everything else about it is in its log. `number` counts them as they were made
    here; `after_match`: the last match that was stored before; `restored`: made from a log, and
    some of its matches may have been stored before.
    """

    __tablename__ = "tournaments"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    # no clock says what came first: laptops have wrong ones, and set them right
    number: Mapped[int]
    after_match: Mapped[int]
    restored: Mapped[bool]
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)
    # who was forgotten (store/erasing.py): their matches still lie on boxes
    forgotten: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


class StoredEvent(Base):
    """One line of a tournament's log, as docs/tournament-format.md describes it."""

    __tablename__ = "tournament_events"

    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    # counted from 1 without gaps by the writer: two desks cannot take the same number
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    line: Mapped[str] = mapped_column(Text)
    # a line changed by hand breaks all links from it on
    chain: Mapped[str] = mapped_column(String(64))
    # set in about every fiftieth line: a version that folds the log otherwise is found by it
    state_before: Mapped[str] = mapped_column(String(64))

"""What a hall heard of its boxes, as the database keeps it; importing this loads none."""

from dataclasses import dataclass
from datetime import datetime

from host_tools.store.said import NOBODY, NOTHING, Here, SaidState

SILENT_S = 20.0
"""Seconds without a word after which a box counts as silent."""


@dataclass(frozen=True)
class HeardBox:
    """`here` and `state` of a box, and when it was heard last (UTC)."""

    box: str
    heard: datetime
    here: Here = NOBODY
    state: SaidState = NOTHING
    version: int = 0


@dataclass(frozen=True)
class Refused:
    """`count` messages of a sender, refused for a reason (docs/hall.md)."""

    sender: str
    reason: str
    count: int
    at: datetime
    detail: str = ""

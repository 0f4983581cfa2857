"""What the reader has gone through since the box was switched on."""

NAMES = (
    "polls",  # lists asked for
    "cards",  # cards read
    "resends",  # commands sent again because no ACK came
    "replays",  # answers asked for again by NACK
    "bad_frames",
    "stale_frames",  # answers to an older command
    "aborts",  # silent commands given up by a host ACK
    "bus_faults",
    "rf_retries",  # reads repeated because card and reader did not understand each other
    "unreadable",
    "two_cards",
    "recoveries",  # times a recovery was begun
    "restarts",  # of which with a hard reset
    "worst_recovery_ms",
    "slower",  # times the line's speed was lowered because answers came damaged
    "faster",  # and raised again
    "last_read_ms",  # card listed to 48 bytes read
)


class Health:
    """Counters that only grow; `counts()` lists them by name for the screen and the link."""

    def __init__(self) -> None:
        self.polls = 0
        self.cards = 0
        self.resends = 0
        self.replays = 0
        self.bad_frames = 0
        self.stale_frames = 0
        self.aborts = 0
        self.bus_faults = 0
        self.rf_retries = 0
        self.unreadable = 0
        self.two_cards = 0
        self.recoveries = 0
        self.restarts = 0
        self.worst_recovery_ms = 0
        self.slower = 0
        self.faster = 0
        self.last_read_ms = 0

    def counts(self) -> "list[tuple[str, int]]":
        """Return `(name, value)` in a fixed order."""
        return [(name, getattr(self, name)) for name in NAMES]

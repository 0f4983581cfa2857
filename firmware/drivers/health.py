"""What the reader has gone through since the box was switched on."""

# A string stays in the flash.
_NAMES = (
    "polls cards resends replays bad_frames stale_frames aborts rf_retries unreadable"
    " two_cards recoveries restarts worst_recovery_ms slower faster last_read_ms"
)


class Health:
    """Counters that only grow; `counts()` lists them by name for the screen and the link."""

    def __init__(self) -> None:
        self.polls = 0  # lists asked for
        self.cards = 0  # cards read
        self.resends = 0  # commands sent again because no ACK came
        self.replays = 0  # answers asked for again by NACK
        self.bad_frames = 0
        self.stale_frames = 0  # answers to an older command
        self.aborts = 0  # silent commands given up by a host ACK
        self.rf_retries = 0  # reads repeated because card and reader did not understand each other
        self.unreadable = 0
        self.two_cards = 0
        self.recoveries = 0  # times a recovery was begun
        self.restarts = 0  # of which with a hard reset
        self.worst_recovery_ms = 0
        self.slower = 0  # times the line's speed was lowered because answers came damaged
        self.faster = 0  # and raised again
        self.last_read_ms = 0  # card listed to 48 bytes read

    def counts(self) -> "list[tuple[str, int]]":
        """Return `(name, value)` in a fixed order."""
        return [(name, getattr(self, name)) for name in _NAMES.split(" ")]

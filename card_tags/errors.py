"""The one error of `card_tags`: why a tag is not what was hoped for (FORMAT.md, *Reasons*)."""

EMPTY = "empty"  # formatted or blank, nothing written
FOREIGN = "foreign"  # readable, but not one of our records
TORN = "torn"  # one of our records, not completely written: write it again
SHORT = "short"  # the record goes on behind the bytes given; `needed` says how far
WRONG_VERSION = "wrong_version"  # ours, but of a version or kind this program does not know
MALFORMED = "malformed"  # whole, but its content breaks the format
UNSEALED = "unsealed"  # no seal where one is required
UNKNOWN_KEY = "unknown_key"  # sealed with a key that is not here
BAD_SEAL = "bad_seal"  # forged, changed, or copied from another tag


class TagError(Exception):
    """`reason` is one of these words; `needed` with SHORT: bytes of user memory to read, or 0."""

    def __init__(self, reason: str, needed: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.needed = needed

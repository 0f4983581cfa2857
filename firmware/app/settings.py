"""Settings of the box: two files in turn, each with generation and CRC32, so a power cut leaves the last good one."""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from .flash import Flash

DEFAULTS = (
    ("name", ""),  # up to 24 characters, shown on the idle screen
    ("table", 0),  # 0 = none
    ("language", "de"),
    ("volume", 2),  # 0 silent .. 3 loud
    ("sealed_only", False),
)


class BadSetting(Exception):
    """A setting that does not exist or a value it cannot have; the arguments are name and sentence."""


class Settings:
    """`get` is a dictionary look-up; `set` writes and syncs before it returns."""

    def __init__(self, flash: "Flash") -> None:
        self._flash = flash

    def get(self, name: str) -> "str | int | bool":
        """The value of a setting. KeyError if there is none of that name."""
        return dict(DEFAULTS)[name]

    def all(self) -> "dict[str, object]":
        """A copy of all settings."""
        return dict(DEFAULTS)

    def set(self, changes: "dict[str, object]") -> None:
        """Change some settings, all or none. Raises BadSetting."""

    def key(self) -> "bytes | None":
        """The box key (32 bytes), or None while the box has none."""
        return None

    def set_key(self, key: bytes) -> None:
        """Replace the box key; written and synced before this returns."""

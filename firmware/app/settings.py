"""Settings and key of the box: two files in turn, so that a power cut leaves the last good one."""

import binascii
import json

from micropython import const

from card_tags.seal import KEY_BYTES

from .slots import TwoFiles

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from .flash import Files

# name -> (value of a new box, values allowed: a tuple, or the largest length or number)
SETTINGS: "dict[str, tuple[Any, Any]]" = {
    "name": ("", 24),  # characters, shown on the idle screen
    "table": (0, 999),  # 0 = no table
    "language": ("de", ("de", "en")),
    "volume": (2, 3),  # 0 silent to 3 loud
    "sealed_only": (False, (False, True)),  # refuse cards without a seal
    "screen": (0, 2),  # controller: 0 found, 1 SSD1306, 2 SH1106; at the next start
    "screen_fast": (True, (False, True)),  # 1 MHz, if the screen bears it; at the next start
    "keep_alive": (False, (False, True)),  # a carrier board's load pulses; at the next start
}


class BadSetting(Exception):
    """No such setting, or a value it cannot have; the arguments are name and sentence."""


class Settings:
    """`get` is a look-up; `set` writes and syncs before it returns."""

    def __init__(self, flash: "Files") -> None:
        self._values: "dict[str, object]" = {}
        for name in SETTINGS:
            self._values[name] = SETTINGS[name][0]
        self._file = TwoFiles(flash, "settings")
        self._key_file = TwoFiles(flash, "key")
        self.changes = 0  # since power-on: who shows settings looks here
        stored = self._file.load()
        if stored is not None:
            self._take_known(json.loads(stored))
        key = self._key_file.load()
        self._key = None if key is None else binascii.unhexlify(key)

    def get(self, name: str) -> "object":
        """The value of a setting. KeyError if there is none of that name."""
        return self._values[name]

    def all(self) -> "dict[str, object]":
        """A copy of all settings."""
        return dict(self._values)

    def set(self, changes: "dict[str, object]") -> None:
        """Change some settings, all or none. Raises BadSetting, or OSError (flash full)."""
        for name in changes:
            check_setting(name, changes[name])
        values = dict(self._values)
        values.update(changes)
        self._file.store(json.dumps(values))
        self._values = values
        self.changes += 1

    def key(self) -> "bytes | None":
        """The league key (32 bytes), or None while the box has none; never sent to anyone."""
        return self._key

    def set_key(self, key: bytes) -> None:
        """Replace the league key; written and synced before this returns."""
        if len(key) != KEY_BYTES:
            raise BadSetting("key", "a league key has %d bytes" % KEY_BYTES)
        self._key_file.store(binascii.hexlify(key).decode())
        self._key = key

    def _take_known(self, stored: "dict[str, object]") -> None:
        """A setting that we do not know or would refuse (another firmware) is left out."""
        for name in SETTINGS:
            if name in stored:
                try:
                    check_setting(name, stored[name])
                except BadSetting:
                    continue
                self._values[name] = stored[name]


def check_setting(
    name: str, value: object, known: "dict[str, tuple[Any, Any]]" = SETTINGS
) -> None:
    """Raises BadSetting unless `name` exists and may be `value`."""
    if name not in known:
        raise BadSetting(name, "there is no such setting")
    first, limit = known[name]
    if type(value) is not type(first):
        raise BadSetting(name, "must be like %s" % json.dumps(first))
    if isinstance(limit, tuple):
        if value not in limit:
            raise BadSetting(name, "must be one of %s" % json.dumps(limit))
    elif isinstance(value, str):
        if len(value) > limit:
            raise BadSetting(name, "may have %s characters" % limit)
    elif not 0 <= value <= limit:  # type: ignore[operator]
        raise BadSetting(name, "must lie between 0 and %s" % limit)

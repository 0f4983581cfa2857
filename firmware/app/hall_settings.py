"""How the box reaches its hall: Wi-Fi and broker. Kept beside the settings; the password is never
told to anyone. A box without a radio has none of it.
"""

import json

from micropython import const

from .settings import BadSetting, check_setting
from .slots import TwoFiles

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from .flash import Files

FILE = "hall"
# name -> (first value, largest length or number)
FIELDS: "dict[str, tuple[Any, Any]]" = {
    "wifi": ("", 32),  # IEEE 802.11: up to 32 bytes
    "wifi_password": ("", 63),
    "broker": ("", 15),  # numeric, IPv4
    "port": (1883, 65535),
    "mqtt_password": ("", 32),  # of this box alone; "": the one that follows from the league key
}
_SECRET = ("wifi_password", "mqtt_password")


def load(flash: "Files") -> "dict[str, object] | None":
    """What is stored, or None: the box is in no hall."""
    text = TwoFiles(flash, FILE).load()
    values: "dict[str, object]" = json.loads(text) if text else {}
    return values if values.get("wifi") else None


def store(flash: "Files", changes: "dict[str, object]") -> "dict[str, object]":
    """Change some, all or none; `wifi` "" takes the box out of the hall, with all it knew.
    Returns what may be told. Raises BadSetting, OSError.
    """
    for name in changes:
        check_hall(name, changes[name])
    values = load(flash) or {name: FIELDS[name][0] for name in FIELDS}
    values.update(changes)
    if not values["wifi"]:
        values = {}
    elif not values["broker"]:
        raise BadSetting("broker", "must be the broker's address, as 192.168.1.10")
    file = TwoFiles(flash, FILE)
    file.load()
    # twice: else the older file keeps a password that was changed
    file.store(json.dumps(values))
    file.store(json.dumps(values))
    return without_password(values)


def without_password(values: "dict[str, object] | None") -> "dict[str, object]":
    """The settings without the passwords: of those only whether there are any."""
    answer: "dict[str, object]" = {}
    for name in FIELDS:
        value = (values or {}).get(name, FIELDS[name][0])
        answer[name] = bool(value) if name in _SECRET else value
    return answer


def check_hall(name: str, value: object) -> None:
    """Raises BadSetting unless `name` exists and may be `value`."""
    check_setting(name, value, FIELDS)
    if isinstance(value, str):
        if len(value.encode()) > FIELDS[name][1]:
            raise BadSetting(name, "may have %d bytes" % FIELDS[name][1])
        if name == "wifi_password" and 0 < len(value) < 8:
            raise BadSetting(name, "WPA2 wants 8 to 63 characters")
        if name == "broker" and value and not is_numeric(value):
            raise BadSetting(name, "must be numeric, as 192.168.1.10: a name makes the box wait")
    elif not value:
        raise BadSetting(name, "must not be 0")


def is_numeric(text: str) -> bool:
    """True for an IPv4 address: four numbers up to 255."""
    parts = text.split(".")
    if len(parts) != 4:
        return False
    for part in parts:
        if not part.isdigit() or len(part) > 3 or int(part) > 255:
            return False
    return True

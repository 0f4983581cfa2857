"""Wiring of a live hall: radio -> MQTT -> app. Loaded only by a box that was told of a hall.

`Way` is made before the app: what it loads and holds then lies below all that comes and goes.
"""

import os

import machine
from micropython import const

from firmware.app.air import Air
from firmware.app.link import RequestError
from firmware.app.memory import forget
from firmware.boards import radio
from firmware.drivers.mqtt import Mqtt, connect_packet
from firmware.drivers.radio import Radio

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from firmware.app.app import App
    from firmware.app.flash import Files

_LEAVE_MS = const(300)  # the answer must have left the USB buffer


class Way:
    """The way to the hall, as far as it needs no app."""

    def __init__(self, flash: "Files", clock: "Any") -> None:
        from firmware.app import hall_settings

        self._settings = hall_settings.load(flash)
        forget("firmware.app.hall_settings")
        self._wlan = None if self._settings is None else radio.wlan()
        self._mqtt = None if self._wlan is None else Mqtt(clock)

    def join(self, app: "App", firmware: str) -> "Air | None":
        """Begin, or None: no radio, or no league key to speak with. The radio takes 0.8 s to
        start: before anybody plays.
        """
        settings = self._settings
        if settings is None or self._mqtt is None or app.settings.key() is None:
            return None
        name, password = str(settings["wifi"]), str(settings["wifi_password"])
        joining = Radio(self._wlan, app.clock, name, password)
        joining.start()
        dial = radio.dial
        return Air(app, joining, self._mqtt, connect_packet, dial, os.urandom, settings, firmware)


def serve(app: "App", request: "dict[str, Any]", air: "Air | None") -> "dict[str, Any]":
    """The request `hall`. A change is used by the restart that follows."""
    from firmware.app import hall_settings

    flash = app.journal.flash
    changes = request.get("set")
    if not changes:
        known = hall_settings.without_password(hall_settings.load(flash))
        known["radio"] = radio.wlan() is not None
        return {"hall": known, "air": None if air is None else air.counts()}
    if radio.wlan() is None:
        raise RequestError("no_radio", "this board has no Wi-Fi")
    if app.session is not None:
        raise RequestError("in_match", "a match is open; finish it first")
    known = hall_settings.store(flash, changes)
    app.hardware.link.when_sent = lambda: _restart(app)
    return {"hall": known}


def _restart(app: "App") -> None:
    app.clock.sleep_ms(_LEAVE_MS)
    machine.reset()

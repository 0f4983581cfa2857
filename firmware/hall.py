"""Wiring of a live hall: radio -> MQTT -> app. Loaded only by a box that was told of a hall."""

import os

import machine
from micropython import const

from firmware.app import hall_settings
from firmware.app.air import Air
from firmware.app.link import RequestError
from firmware.boards import radio
from firmware.drivers.mqtt import Mqtt, connect_packet
from firmware.drivers.radio import Radio

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from firmware.app.app import App

_LEAVE_MS = const(300)  # the answer must have left the USB buffer


def join(app: "App", firmware: str) -> "Air | None":
    """The way to the hall, or None: no radio, or no league key to speak with. The radio takes
    0.8 s to start: before anybody plays.
    """
    settings = hall_settings.load(app.journal.flash)
    wlan = radio.wlan()
    if settings is None or wlan is None or app.settings.key() is None:
        return None
    name, password = str(settings["wifi"]), str(settings["wifi_password"])
    joining = Radio(wlan, app.clock, name, password)
    joining.start()
    mqtt = Mqtt(app.clock)
    air = Air(app, joining, mqtt, connect_packet, radio.dial, os.urandom, settings, firmware)
    app.hardware.link.handlers["hall"] = lambda request: serve(app, request, air)
    return air


def serve(app: "App", request: "dict[str, Any]", air: "Air | None" = None) -> "dict[str, Any]":
    """The request `hall`. A change is used by the restart that follows."""
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

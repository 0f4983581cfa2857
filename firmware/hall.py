"""Wiring of a live hall: radio -> MQTT -> app. Loaded only by a box that was told of a hall, or
that is asked for it.
"""

import gc
import os

import machine
from micropython import const

from firmware.app.link import RequestError
from firmware.app.memory import forget, free_bytes
from firmware.app.slots import TwoFiles

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from firmware.app.air import Air
    from firmware.app.app import App
    from firmware.app.flash import Files

_LEAVE_MS = const(300)  # the answer must have left the USB buffer
_LEAST_FREE = const(20000)  # bytes that a match must have beside the hall
_LEAST_PIECE = const(3000)  # of them side by side: an opened file takes 1 kB, a record as much
_FOR_THE_AIR = ("app.air", "drivers.mqtt", "drivers.radio", "boards.radio")


class OnAir:
    """The match goes first: one that leaves too little memory, or in which the box has crashed, is
    played off the air, and the hall hears of it afterwards. `air` is None then, and without a
    radio or a league key to speak with.
    """

    def __init__(self, flash: "Files", clock: "Any", firmware: str) -> None:
        self.air: "Air | None" = None
        self._flash = flash
        self._clock = clock
        self._firmware = firmware
        self._mqtt: "Any" = None
        self._in_match = False
        self._waits = False  # for the key that the box and its desk share
        self._load()

    def _load(self) -> None:
        """All that needs no app."""
        from firmware.app import hall_settings
        from firmware.boards import radio

        self._settings = hall_settings.load(self._flash)
        forget("firmware.app.hall_settings")
        self._wlan = None if self._settings is None else radio.wlan()
        if self._wlan is not None:
            from firmware.app import air  # noqa: F401  its place is here
            from firmware.drivers import radio as _  # noqa: F401  its place too
            from firmware.drivers.mqtt import Mqtt

            self._mqtt = Mqtt(self._clock)

    def join(self, app: "App") -> None:
        """Begin. The radio takes 0.8 s to start: before anybody plays."""
        settings = self._settings
        if settings is None or self._wlan is None or app.settings.key() is None:
            return
        if app.is_enrolled() and not app.signing.shared:  # type: ignore[union-attr]
            self._waits = True
            app.signing.share()  # type: ignore[union-attr]
            return
        self._waits = False
        self._in_match = app.session is not None
        gc.collect()
        if self._in_match and self._must_leave():
            self._leave()
            return
        from firmware.app.air import Air
        from firmware.boards.radio import dial, supply_mv
        from firmware.drivers.mqtt import connect_packet
        from firmware.drivers.radio import Radio

        name, password = str(settings["wifi"]), str(settings["wifi_password"])
        joining = Radio(self._wlan, self._clock, name, password)
        joining.start()
        mqtt = self._mqtt
        self._mqtt = None
        self.air = Air(
            app, joining, mqtt, connect_packet, dial, os.urandom, settings, self._firmware
        )
        self.air.supply_mv = supply_mv

    def step(self, app: "App") -> None:
        """Once a turn of the box's loop."""
        in_match = app.session is not None
        try:
            if self._waits and app.signing.shared:  # type: ignore[union-attr]
                self.join(app)
            if in_match != self._in_match:
                self._in_match = in_match
                gc.collect()
                if not in_match and self.air is None:
                    self._load()
                    self.join(app)
                elif in_match and self.air is not None and self._must_leave():
                    self._leave()
            if self.air is not None:
                self.air.step(self._clock.ticks_ms())
        except MemoryError:
            self._leave()

    def _must_leave(self) -> bool:
        """Too little memory, or none in one piece; or a fault a moment ago, perhaps for want of
        it.
        """
        try:
            bytearray(_LEAST_PIECE)
        except MemoryError:
            return True
        return TwoFiles(self._flash, "crashes").is_there() or free_bytes() < _LEAST_FREE

    def _leave(self) -> None:
        """Until no match is open."""
        if self.air is not None:
            self.air.close()
        self.air = self._mqtt = None
        for name in _FOR_THE_AIR:
            forget("firmware." + name)
        gc.collect()


def serve(app: "App", request: "dict[str, Any]", on_air: "OnAir | None") -> "dict[str, Any]":
    """The request `hall`. A change is used by the restart that follows."""
    from firmware.app import hall_settings
    from firmware.boards import radio

    flash = app.journal.flash
    changes = request.get("set")
    if not changes:
        known = hall_settings.without_password(hall_settings.load(flash))
        known["radio"] = radio.wlan() is not None
        air = None if on_air is None else on_air.air
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

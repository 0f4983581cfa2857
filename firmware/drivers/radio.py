"""The Wi-Fi of a Pico W, joined and joined again; nothing here waits but `start`.

`wlan` is `network.WLAN(network.STA_IF)`. Its status is 3 with an address, below 0 after a failure
(extmod/network_cyw43.c).
"""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from firmware.drivers.seams import Clock

_UP = const(3)
_REASONS = {-1: "wifi_failed", -2: "wifi_not_found", -3: "wifi_password"}
_JOIN_MS = const(15000)  # association and DHCP in a full hall
_PAUSE_MS = const(5000)


class Radio:
    """`why` says why it is not joined, "" while nothing has gone wrong."""

    def __init__(self, wlan: "Any", clock: "Clock", name: str, password: str) -> None:
        self.why = ""
        self._wlan = wlan
        self._clock = clock
        self._name = name
        self._password = password
        self._since_ms = clock.ticks_ms()
        self._pausing = False

    def start(self) -> None:
        """Power on, without power saving, and begin to join. Blocks for about 0.8 s."""
        self._wlan.active(True)
        self._wlan.config(pm=self._wlan.PM_NONE)  # else an answer waits up to 100 ms and more
        self._join()

    def step(self, now_ms: int) -> bool:
        """True while joined, with an address."""
        status = self._wlan.status()
        if status == _UP:
            self.why = ""
            self._pausing = False
            self._since_ms = now_ms
            return True
        waited_ms = self._clock.ticks_diff(now_ms, self._since_ms)
        if self._pausing:
            if waited_ms >= _PAUSE_MS:
                self._join()
        elif status < 0 or waited_ms >= _JOIN_MS:
            self._leave(_REASONS.get(status, "wifi_timeout"))
        return False

    def renew(self) -> None:
        """It says that it is joined, but nothing comes through: leave, and join again."""
        self._leave("wifi_silent")

    def signal_dbm(self) -> "int | None":
        """How strong the access point is heard, or None. A question to the radio: some ms."""
        try:
            return int(self._wlan.status("rssi"))
        except (OSError, ValueError):
            return None

    def _leave(self, why: str) -> None:
        self.why = why
        self._wlan.disconnect()
        self._pausing = True
        self._since_ms = self._clock.ticks_ms()

    def _join(self) -> None:
        self._pausing = False
        self._since_ms = self._clock.ticks_ms()
        try:
            self._wlan.connect(self._name, self._password or None)
        except OSError:
            self._leave("wifi_failed")

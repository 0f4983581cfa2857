"""The radio of an emulated Pico W: its connections end at the broker of hardware/twin/radio.py.

The access point of rp2040py takes any name and password and never loses anything.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from hardware.twin.radio import AccessPoint


def on_air(extra: Callable[[], Any], point: AccessPoint) -> Callable[[], Any]:
    """`extra`, a part of the board; the radio among them gets its way out."""
    from rp2040py.external.cyw43 import Cyw43439

    return partial(_radio, point) if extra is Cyw43439 else extra


def _radio(point: AccessPoint) -> Any:
    from rp2040py.external.cyw43 import Cyw43439

    class AirRadio(Cyw43439):  # type: ignore[misc, unused-ignore]
        def attach(self, rp2040: Any) -> None:
            super().attach(rp2040)
            bridge: Any = self.bus.nat_bridge
            bridge._tcp._connect_fn = lambda host, port: asyncio.open_connection(*point.broker)

    return AirRadio()

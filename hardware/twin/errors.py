"""What goes wrong in the twin itself, as opposed to on the box it plays."""

import os


def os_error(code: int) -> OSError:
    """The OSError that the firmware shall see. With one argument only, CPython leaves `errno`
    empty.
    """
    return OSError(code, os.strerror(code))


class TwinError(Exception):
    """The firmware did what the real electronics would not have forgiven, or the twin cannot run.

    Never caught by the firmware's loop on purpose: the session that drives the box raises it.
    """


class PowerCut(BaseException):
    """Unwinds a firmware that has lost its power. Not an `Exception`: no handler of the firmware
    may stop it.
    """


class Reset(PowerCut):
    """Unwinds a firmware whose chip was reset: by itself, by its watchdog or over the USB line."""

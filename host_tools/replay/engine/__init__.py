"""Other interpreters for our own code: the MicroPython VM under Node."""

from host_tools.replay.engine.session import VmSession

__all__ = ["VmSession"]

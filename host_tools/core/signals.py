"""How a command that runs for long is ended."""

import signal


def heed_signals() -> None:
    """SIGINT and SIGTERM end a command as Ctrl-C does: what was written to the tags is stored.

    A shell that starts a command in the background lets it ignore SIGINT.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)

"""What the program prints: in UTF-8 wherever it goes, and a refusal of the system told once."""

import codecs
import errno
import io
import os
import sys
from contextlib import suppress

from host_tools.core.errors import Exit, UserError


def make_steady() -> None:
    """Redirected output is in the system's old code page on Windows, which lacks letters of
    names, and signs of ours; a lone surrogate, from a file name, is in no encoding.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not _takes_all(stream):
            stream.reconfigure(encoding="utf-8", errors="replace")


def _takes_all(stream: io.TextIOWrapper) -> bool:
    """Whether no text can fail."""
    return codecs.lookup(stream.encoding).name == "utf-8" and stream.errors != "strict"


def flush() -> None:
    """A full disk behind a redirection may say so only now. Raises UserError, BrokenPipeError."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # no fault to be told: it ends with `Exit.PIPE`
        raise
    except OSError as error:
        raise refused(error) from error


def refused(error: OSError) -> UserError:
    """What the system refused; without a file it was our own output."""
    if error.filename is not None:
        return UserError("system_refused", Exit.SYSTEM, path=str(error.filename), system=error)
    # what a write may raise; EBADF: the caller closed stdout, as `>&-` does
    if error.errno in (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT, errno.EBADF):
        give_up()
        return UserError("output_unwritable", Exit.SYSTEM, system=error)
    return UserError("system_refused_it", Exit.SYSTEM, system=error)


def let_go() -> None:
    """What was printed before an error goes out if it can; why it cannot is no news any more."""
    try:
        sys.stdout.flush()
    except OSError:
        give_up()


def give_up() -> None:
    """What is left in the buffer goes nowhere, or Python complains of it when it ends."""
    with suppress(OSError, io.UnsupportedOperation):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        # the buffer is flushed once more at the end, and must find somewhere to go
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def say_last(text: str) -> None:
    """The sentence of an error, if stderr takes it; the exit code says it all the same."""
    with suppress(OSError):
        sys.stderr.write(text + "\n")
        sys.stderr.flush()

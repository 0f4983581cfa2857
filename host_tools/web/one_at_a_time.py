"""Work outside the event loop, one piece after the other: the interpreter runs one thread at a
time, so that two pages made at once are not ready sooner, but keep the loop waiting twice as long
for its turn. Files take long: they wait for each other and not for pages.
"""

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar

Args = TypeVarTuple("Args")
Once = TypeVar("Once")
# a limiter belongs to one event loop, and a process may have several
_PAGES: RunVar[anyio.CapacityLimiter] = RunVar("pages")
_FILES: RunVar[anyio.CapacityLimiter] = RunVar("files")


async def render(make: Callable[[*Args], Once], *args: *Args) -> Once:
    """What `make` returns, a page or a part of one. It asks nobody: a database that hangs would
    hold up all pages.
    """
    return await anyio.to_thread.run_sync(make, *args, limiter=_one(_PAGES))


async def make_file(make: Callable[[*Args], Once], *args: *Args) -> Once:
    """What `make` returns, a print or an export."""
    return await anyio.to_thread.run_sync(make, *args, limiter=_one(_FILES))


def _one(of_loop: RunVar[anyio.CapacityLimiter]) -> anyio.CapacityLimiter:
    try:
        return of_loop.get()
    except LookupError:
        made = anyio.CapacityLimiter(1)
        of_loop.set(made)
        return made

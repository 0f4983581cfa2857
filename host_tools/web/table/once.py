"""What a page sends again, because no answer came, is done once."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from starlette.responses import Response

MOST = 1000
LONGEST = 40


class Once:
    """The answers to numbered messages, the last `MOST` of them. For the server's event loop."""

    def __init__(self) -> None:
        self._answers: OrderedDict[str, asyncio.Future[Response]] = OrderedDict()

    async def answer(self, number: str, act: Callable[[], Awaitable[Response]]) -> Response:
        """Do `act` at the first message of this number; each gets the same answer, or exception.
        Without a number it is always done.
        """
        if not number or len(number) > LONGEST:
            return await act()
        if number not in self._answers:
            self._answers[number] = asyncio.ensure_future(act())
            if len(self._answers) > MOST:
                self._answers.popitem(last=False)
        return await asyncio.shield(self._answers[number])

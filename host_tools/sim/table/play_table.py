"""A virtual table as the server has it: pages ask and listen, the box's thread answers."""

import time
from collections.abc import Callable
from threading import Event

from msgspec import to_builtins

from host_tools.core.errors import in_words
from host_tools.core.json_types import Json
from host_tools.sim.table import messages
from host_tools.sim.table.asking import HOST, NotAllowed
from host_tools.sim.table.feed import PAUSE_S, Listener
from host_tools.sim.table.hands import Waits
from host_tools.sim.table.phones import SeatClaim
from host_tools.sim.table.runner import ASK_S, Result
from host_tools.sim.table.table_box import TableBox
from host_tools.sim.table.table_state import hand_of, state_of

MOST_PAGES = 16
"""Pages of one link that hear the table at a time; each costs a state after every change."""
_DONE_FIRST = messages.OF_A_HAND | messages.Language
"""What the host is answered once it is done: it may be refused, or the page is loaded anew."""


class PlayTable(TableBox):
    """The box, and the pages that watch. `do(message)` and `listen()` from the server."""

    _state_sent_s = 0.0

    def start(self) -> None:
        """Power on."""
        self._keep()
        self.runner.start()

    def listen(self, seat: int = HOST) -> Listener:
        """A page that wants to hear; it gets everything once at once."""
        listener = Listener(seat)
        self.runner.call(lambda: self._welcome(listener))
        return listener

    def forget(self, listener: Listener) -> None:
        """The page has gone."""
        self.runner.call(lambda: self._drop(listener))

    def hand(self, seat: int) -> Json:
        """The cards of a seat, for the one who may see them. Raises BadMessage."""
        return self._in_turn(lambda: hand_of(self, seat))

    def transcript(self) -> str:
        """The match so far with its answers, as `schiri replay --check` reads it."""
        return self.log.transcript()

    def do(self, message: messages.TableMessage, seat: int = HOST) -> None:
        """Do what a page asks; `seat` is whose device it is. Raises BadMessage for what makes no
        sense at this table, or is not that seat's to do now.
        """
        message.check(self)
        # a card that was held while the server was away is laid once the clock runs again
        self.is_back.wait(ASK_S)
        if seat == HOST and not isinstance(message, _DONE_FIRST):
            self._soon(lambda: self._obey(message, seat))
            return

        def try_it() -> None:
            if not (seat == HOST and self._waiting):  # judged when the hands come to it
                message.allow(self, seat)
            self._obey(message, seat)

        self._in_turn(try_it)

    def join(self, claim: SeatClaim) -> str:
        """A phone takes a seat; gives back the seat's key. Raises BadMessage."""

        def take() -> str:
            key = self.phones.take(claim, self.free_seats())
            self.auto.seats.discard(claim.seat)
            self._tell_state()
            return key

        return self._in_turn(take)

    def _in_turn(self, act: Callable[[], Result]) -> Result:
        """In the box's thread, between two turns: nobody moves a card meanwhile. Raises
        BadMessage.
        """

        def act_and_keep() -> Result:
            result = act()
            self._keep()
            return result

        try:
            return self.runner.ask(act_and_keep)
        except TimeoutError as late:
            raise NotAllowed("play_busy") from late

    def _soon(self, act: Callable[[], None]) -> None:
        """The same for what is never refused: a box that boots comes to it later."""
        done = Event()

        def act_and_keep() -> None:
            act()
            self._keep()
            done.set()

        self.runner.call(act_and_keep)
        done.wait(ASK_S)  # what was answered outlives the server

    # -- the box's thread

    def _obey(self, message: messages.TableMessage, seat: int) -> None:
        if _told(message, seat) == self.doing:
            return  # the same finger once more: what it wants is being done
        act = message.run(self, seat)
        if act is not None:
            # before the box has heard of it: whoever pressed sees that it was taken
            self.doing = self.doing or _told(message, seat)
            self.queue(self._still_allowed(act, message, seat))
        self._changed()
        self._tell_state()

    def _still_allowed(self, act: Waits, message: messages.TableMessage, seat: int) -> Waits:
        """What waited for others' hands is done only if it is still that seat's turn; whoever
        pressed it is told.
        """
        if seat != HOST or isinstance(message, messages.OF_A_HAND):
            try:
                message.allow(self, seat)
            except NotAllowed as refusal:
                self._refuse(refusal, seat)
                return
        self.doing = _told(message, seat)
        try:
            yield from act
        except NotAllowed as refusal:
            self._refuse(refusal, seat)
        finally:
            self.doing = None
            self.screen.ask_anew()  # the box may have said the same once more: no new picture
            self._changed()

    def _refuse(self, refusal: NotAllowed, seat: int) -> None:
        """What was answered with yes when it was pressed is not done after all."""
        text = in_words(refusal.sentence, self.lang)
        for listener in self._listeners:
            if listener.seat == seat:
                listener.put("refused", {"text": text})

    def _welcome(self, listener: Listener) -> None:
        self._make_room(listener.seat)
        self._listeners.append(listener)
        self._look_at_match()
        listener.put("oled", self._oled())
        listener.put("state", state_of(self))
        if self._hung_up:  # between `listen` and now
            listener.close()
        # the other pages show how many devices hold this seat now
        if listener.seat != HOST:
            self._tell_state()

    def _make_room(self, seat: int) -> None:
        """Where too many pages of a link listen, the oldest is told to rest."""
        pages = [one for one in self._listeners if one.seat == seat]
        for oldest in pages[: len(pages) + 1 - MOST_PAGES]:
            self._listeners.remove(oldest)
            oldest.close("rest")

    def _drop(self, listener: Listener) -> None:
        if listener in self._listeners:
            self._listeners.remove(listener)
            self._changed()

    def _tell_state(self) -> None:
        self._dirty = False
        self._state_sent_s = time.monotonic()
        if self._listeners:
            self._tell("state", state_of(self))

    def _after_turn(self) -> None:
        super()._after_turn()
        if self._dirty and time.monotonic() >= self._state_sent_s + PAUSE_S:
            self._tell_state()

    def _on_crash(self, text: str) -> None:
        super()._on_crash(text)
        self._tell_state()


def _told(message: messages.TableMessage, seat: int) -> Json:
    """Who pressed what, as pages are told it."""
    return {"seat": seat, **to_builtins(message)}

"""The line to the table breaks: the page says so at once, and what was pressed is not lost."""

import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from host_tools.sim.table import messages
from tests.host.play_table import ask
from tests.processes import wait

from .play_desk import MATCH_MS, PlayDesk

NOTICED_MS = 5000
SLOW_S = 5
"""More than a page waits for its first way back."""
CUTS = ("before", "half", "after", "answer", "stranger")
"""A message never leaves, arrives torn, arrives without an answer, or with one whose last byte is
missing: head and body of an answer may come one by one, and then 20 bytes would be all of it. Or
somebody else answers, and lets nothing else through: the login of a hotel's Wi-Fi.
"""
ARRIVED = ("after", "answer")
LOGIN = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 12\r\n\r\n<p>Log in</p>"
BUFFER = 65_536
HEARD = """window.EventSource = class extends EventSource {
  constructor(address) {
    super(address);
    window.heard = 0;
  }
  addEventListener(kind, act) {
    super.addEventListener(kind, (event) => { window.heard += 1; act(event); });
  }
};"""


class Wire:
    """A wire between a page and a server. `cut_next(how)` breaks it at the next message that a
    page sends; then nothing gets through until `mend`. A wire that is `dead` carries nothing and
    breaks nothing; one with a `lag` carries each answer so many seconds later. `told`: so many
    events of the page's newest stream it has carried.
    """

    def __init__(self, port: int) -> None:
        self._server_port = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self.dead = False
        self.told = 0
        self._stream: socket.socket | None = None
        self._carrying = threading.Lock()
        self.lag = 0.0
        self.cut = False
        self.strange = False
        self.cuts = 0
        self._how = ""
        self._open: list[socket.socket] = []
        self._of: dict[socket.socket, tuple[socket.socket, socket.socket]] = {}
        threading.Thread(target=self._serve, daemon=True).start()

    def cut_next(self, how: str) -> None:
        self._how = how

    def die(self) -> None:
        """From now on nothing more is carried, not even what is already here."""
        with self._carrying:
            self.dead = True

    def mend(self) -> None:
        self._how = ""
        self.dead = self.cut = self.strange = False

    def close(self) -> None:
        self._listening.close()
        self._break()

    def _break(self) -> None:
        self.cut = True
        for end in self._open:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._open = []

    def _serve(self) -> None:
        while True:
            try:
                page, _ = self._listening.accept()
            except OSError:
                return
            if self.cut:
                page.close()
                continue
            server = socket.create_connection(("127.0.0.1", self._server_port))
            self._open += [page, server]
            self._of[page] = self._of[server] = (page, server)
            threading.Thread(target=self._ask, args=(page, server), daemon=True).start()
            threading.Thread(target=self._answer, args=(server, page), daemon=True).start()

    def _ask(self, page: socket.socket, server: socket.socket) -> None:
        for data in self._heard(page):
            if b"/events?" in data:
                self._stream, self.told = page, 0
            how = self._how if b"/do?" in data else ""
            if how in ("before", "half"):
                with suppress(OSError):
                    server.sendall(data[: len(data) // 2] if how == "half" else b"")
                self._count()
                return
            if how == "stranger" or self.strange:
                self._how, self.strange, self.cuts = "", True, self.cuts + (not self.strange)
                with suppress(OSError):
                    if how == "stranger":
                        page.sendall(LOGIN)
                    else:
                        page.shutdown(socket.SHUT_RDWR)
                continue
            with suppress(OSError):
                server.sendall(data)

    def _answer(self, server: socket.socket, page: socket.socket) -> None:
        for data in self._heard(server):
            time.sleep(self.lag)
            if self._how in ("after", "answer") and data[-2:] == b"{}" and b"event:" not in data:
                with suppress(OSError):
                    page.sendall(data[:-1] if self._how == "answer" else b"")
                self._count()
                return
            self._carry(page, data)

    def _carry(self, page: socket.socket, data: bytes) -> None:
        while True:
            with self._carrying, suppress(OSError):
                if not self.dead:
                    if page is self._stream:
                        self.told += data.count(b"event: ")
                    page.sendall(data)
                    return
            time.sleep(0.02)

    def _count(self) -> None:
        self.cuts += 1
        self._how = ""
        self._break()

    def _heard(self, end: socket.socket) -> Iterator[bytes]:
        while True:
            try:
                data = end.recv(BUFFER)
            except OSError:
                return
            while self.dead:
                time.sleep(0.02)
            if not data:
                break
            yield data
        for other in self._of.pop(end, ()):  # one side has hung up
            with suppress(OSError):
                other.shutdown(socket.SHUT_RDWR)


@contextmanager
def wired(play: PlayDesk) -> Iterator[Wire]:
    """Pages that are opened meanwhile come over the wire."""
    base, wire = play.base, Wire(int(play.base.rsplit(":", 1)[1]))
    play.base = f"http://127.0.0.1:{wire.port}"
    try:
        yield wire
    finally:
        play.base = base
        wire.close()


def begin(page: Page, play: PlayDesk, seats: int = 3) -> None:
    """One person plays all seats, with open cards where it is their turn."""
    play.open(page)
    play.start(page, "Hattrick", me="all", seats=seats)
    # the lot says who begins; what is pressed on a hand drawn before that is refused, and rightly
    expect(page.locator("#news li")).not_to_have_count(0, timeout=MATCH_MS)


def uncover(page: Page) -> None:
    """A hand stays open if the same person is next: who has won a trick leads."""
    covered = page.get_by_role("button", name=re.compile("^I am"))
    card = page.locator("#hand .card.may").first
    expect(covered.or_(card).first).to_be_visible(timeout=MATCH_MS)
    if covered.is_visible():
        covered.click()
    expect(card).to_be_visible()


def taps_of(play: PlayDesk) -> list[str]:
    return [command["card"] for command, _ in play.table.log.steps if command["do"] == "tap"]


def cut_at(page: Page, play: PlayDesk, wire: Wire, how: str) -> str:
    """Tap a card while the line breaks in this way; it is held, and done when the line is back."""
    card = page.locator("#hand .card.may").first
    code = str(card.get_attribute("data-code"))
    before = wire.cuts
    wire.cut_next(how)
    card.click()
    wait(lambda: wire.cuts > before)
    for place in ("#line", "#prompt"):
        expect(page.locator(place)).to_contain_text("No connection")
    expect(page.locator("#line")).to_contain_text(code)
    if how in ARRIVED:  # the hand may show already that the card was played
        expect(page.locator(f'#hand [data-code="{code}"]:not(.held)')).to_have_count(0)
    else:
        expect(page.locator(f'#hand [data-code="{code}"]')).to_have_class(re.compile("held"))
    wire.mend()
    expect(page.locator("#line")).to_be_empty()
    return code


@pytest.mark.thorough
@pytest.mark.parametrize("taps", [12, pytest.param(120, marks=pytest.mark.long)])
def test_taps_are_neither_lost_nor_doubled_however_the_line_is_cut(
    chromium: Page, play: PlayDesk, taps: int
) -> None:
    """The network is cut at every message of Hattrick, in each way it can be."""
    with wired(play) as wire:
        begin(chromium, play)
        tapped: list[str] = []
        for number in range(taps):
            uncover(chromium)
            tapped.append(cut_at(chromium, play, wire, CUTS[number % len(CUTS)]))
            wait(lambda: len(taps_of(play)) == len(tapped))
            expect(chromium.locator(f'#hand [data-code="{tapped[-1]}"]')).to_have_count(0)
        assert wire.cuts == taps
        assert taps_of(play) == tapped
        assert not [answer for _, answer in play.table.log.steps if "refused" in answer]
        expect(chromium.locator("#problem")).to_be_empty()


def test_a_dead_stream_is_noticed_and_the_page_comes_back(
    browser: Browser, play: PlayDesk
) -> None:
    """Nothing breaks and nothing comes: as behind a Wi-Fi that has gone. The seconds are those of
    the page's own clock, which a busy machine does not stretch.
    """
    context = browser.new_context()
    with wired(play) as wire, closing(context):
        page = context.new_page()
        page.set_default_timeout(MATCH_MS)
        page.clock.install()
        page.add_init_script(HEARD)
        begin(page, play)
        uncover(page)
        wire.die()
        wait(lambda: page.evaluate("window.heard") == wire.told)  # what was under way has arrived
        page.clock.run_for(NOTICED_MS)
        assert "No connection" in page.locator("#line").inner_text()
        code = str(page.locator("#hand .card.may").first.get_attribute("data-code"))
        page.locator("#hand .card.may").first.click()
        expect(page.locator("#line")).to_contain_text(f"Held until it is back: {code}")
        wire.mend()
        expect(page.locator("#line")).to_be_empty()
        wait(lambda: taps_of(play) == [code])


@pytest.mark.thorough
def test_a_page_comes_back_over_a_slow_line(chromium: Page, play: PlayDesk) -> None:
    """A way back that takes longer than a page is silent is not given up for ever."""
    with wired(play) as wire:
        begin(chromium, play)
        uncover(chromium)
        cut = chromium.locator("#line")
        wire.lag = SLOW_S
        wire.dead = True
        expect(cut).to_contain_text("No connection")
        wire.mend()
        expect(cut).to_be_empty()


def test_a_browser_that_is_offline_says_so_at_once_and_gives_back(
    chromium: Page, play: PlayDesk
) -> None:
    begin(chromium, play)
    uncover(chromium)
    chromium.context.set_offline(True)
    try:
        expect(chromium.locator("#line")).to_contain_text("No connection")
        card = chromium.locator("#hand .card.may").first
        code = str(card.get_attribute("data-code"))
        card.click()
        expect(chromium.locator("#line")).to_contain_text(f"Held until it is back: {code}")
        chromium.get_by_role("button", name="OK", exact=True).click()  # a button does not wait
        expect(chromium.locator("#problem")).to_contain_text("Press again once it is back")
        chromium.get_by_role("button", name="Do not send it").click()
        expect(chromium.locator("#problem")).to_have_text(f"Not sent: {code}.")
        expect(card).not_to_have_class(re.compile("held"))
        other = chromium.locator("#hand .card.may").nth(1)
        meant = str(other.get_attribute("data-code"))
        other.click()
    finally:
        chromium.context.set_offline(False)
    expect(chromium.locator("#line")).to_be_empty()
    wait(lambda: taps_of(play) == [meant])


def test_what_was_held_is_refused_in_words_if_the_match_went_on(
    chromium: Page, play: PlayDesk
) -> None:
    begin(chromium, play)
    uncover(chromium)
    seat = play.table.log.awaits["seat"]
    chromium.context.set_offline(True)
    try:
        expect(chromium.locator("#line")).to_contain_text("No connection")
        chromium.locator("#hand .card.may").first.click()
        other = ask(play.table, lambda world: world.hands[seat][-1])
        play.table.do(messages.Tap(code=other), seat)  # the same hand, on another device
        wait(lambda: taps_of(play) == [other])
    finally:
        chromium.context.set_offline(False)
    expect(chromium.locator("#problem")).to_contain_text("gone on")
    assert taps_of(play) == [other]


def test_what_waited_for_other_hands_is_refused_in_words_if_the_match_went_on(
    chromium: Page, play: PlayDesk
) -> None:
    """The hands at the box were busy: the card was taken with a yes, and its turn is over now."""
    begin(chromium, play)
    uncover(chromium)
    seat = play.table.log.awaits["seat"]
    other = ask(play.table, lambda world: world.hands[seat][-1])
    free = threading.Event()

    def busy() -> Iterator[int]:
        while not free.is_set():
            yield 10

    play.table.runner.ask(lambda: play.table.queue(busy()))
    play.table.do(messages.Tap(code=other), seat)  # the same hand, on another device
    problem = chromium.locator("#problem")

    def answer_last(route: Route) -> None:
        answer = route.fetch()
        free.set()
        expect(problem).to_contain_text("gone on")
        route.fulfill(response=answer)

    chromium.route(re.compile("/do[?]"), answer_last)
    with chromium.expect_response(re.compile("/do[?]")) as answered:
        chromium.locator("#hand .card.may").first.click()
    answered.value.finished()
    chromium.evaluate("new Promise(requestAnimationFrame)")  # the page has read the yes
    expect(problem).to_contain_text("gone on")
    assert taps_of(play) == [other]


def test_a_message_with_a_number_is_done_once(play: PlayDesk) -> None:
    play.table.do(messages.Start(game="hattrick", seats=3))
    wait(lambda: play.table.log.count == 1 and not play.table.runner.busy)
    seat = play.table.log.awaits["seat"]
    code = ask(play.table, lambda world: world.hands[seat][0])
    body = json.dumps({"do": "tap", "code": code})
    for number in ("a", "a", "a"):
        assert httpx.post(play.url(f"/t/1/do?once={number}"), content=body).status_code == 200
    wait(lambda: play.table.log.count == 2 and not play.table.runner.busy)
    assert taps_of(play) == [code]

"""A server with one table, and what tests do with its page."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page, expect

from firmware.games import names, row
from host_tools.core.texts import Texts
from host_tools.games import page_texts
from host_tools.games.box_words import box_words
from host_tools.replay.engines import recompute
from host_tools.replay.reading import read_transcript
from host_tools.sim.table import messages
from host_tools.sim.table.play_table import PlayTable
from host_tools.web.table.server import PlayServer
from tests.processes import wait
from tests.support.served import tables_served

MATCH_MS = 180_000
"""Only a limit: on a busy machine a match that takes ten seconds may take minutes."""
SEED = 2
"""Of the first match: a test that fails fails again."""
LIT = re.compile("[1-9a-f]")
TRICKS = Texts("trick")


def pattern_of(text: str) -> str:
    """A regular expression for a text of the catalogue with its places filled in."""
    return re.sub(r"\\{\w*\\}", ".+", re.escape(text))


def labels_of_games(lang: str) -> list[str]:
    """What the form offers, in its order."""
    found = []
    for game in map(row, names()):
        say = box_words(lang, game.name).get
        for preset in game.presets:
            name = [say(f"preset_{preset.name}")] if preset.name else []
            found.append(" – ".join([say(f"game_{game.name}"), *name]))
    return found


def own_words(english: str, lang: str) -> str:
    """What stands on the page for an English label of it; what is none stays as it is."""
    games = dict(zip(labels_of_games("en"), labels_of_games(lang), strict=True))
    for texts in (page_texts, TRICKS.__getitem__):
        keys = [key for key, text in texts("en").items() if text == english]
        if keys:
            return texts(lang)[keys[0]]
    return games.get(english, english)


def open_drawer(page: Page, said: str) -> None:
    """Open what is not the play itself, and the menu that it lies in, unless it is open."""
    summary = f"summary[normalize-space()='{said}']"
    drawer = page.locator(f"xpath=//details[contains(@class, 'drawer')][{summary}]")
    for one in (drawer.locator("xpath=ancestor::details"), drawer):
        if one.count() and one.get_attribute("open") is None:
            one.locator("xpath=./summary").click()


class PlayDesk:
    """`base` is the server's address; `table` the first table itself."""

    def __init__(self, server: PlayServer, base: str, table: PlayTable) -> None:
        self.server = server
        self.base = base
        self.table = table

    @classmethod
    @contextmanager
    def opened(cls, engine: str, speed: int = 1000, lang: str = "en") -> Iterator["PlayDesk"]:
        """Serve one table until the end of the block."""
        server = PlayServer(engine, lang, speed=speed, seed=SEED)
        table = server.open_table()
        with tables_served(server) as base:
            yield cls(server, base, table)

    def url(self, path: str, key: str | None = None) -> str:
        """A link with the key."""
        return f"{self.base}{path}{'&' if '?' in path else '?'}key={key or self.server.key}"

    def open(self, page: Page, path: str = "/t/1", key: str | None = None) -> None:
        """Open the table's page and wait for the first picture of the box."""
        page.goto(self.url(path, key))
        expect(page.locator("#oled")).to_have_attribute("data-rows", LIT, timeout=MATCH_MS)

    def said(self, key: str, *values: object) -> str:
        """A text of the page in its language."""
        return page_texts(self.table.lang)[key].format(*values)

    def start(
        self,
        page: Page,
        game: str,
        me: str = "first",
        seats: int | None = None,
        button: str = "start",
    ) -> None:
        """Fill in the form as a person does; `game` is the English label in it; `button`: the text
        of the one that is pressed then.
        """
        page.get_by_label(own_words(game, self.table.lang)).check()
        if seats is not None:
            page.get_by_label(self.said("seats"), exact=True).select_option(str(seats))
        page.get_by_label(self.said("me")).select_option(me)
        page.get_by_role("button", name=self.said(button), exact=True).click()
        expect(page.locator("#seats li")).not_to_have_count(0, timeout=MATCH_MS)

    def drawer(self, page: Page, name: str) -> None:
        """Open what is not the play itself, unless it is open; `name` is its English one."""
        open_drawer(page, own_words(name, self.table.lang))

    def press_more(self, page: Page, name: str) -> None:
        """Press what is folded at the end of a match; `name` is its English one."""
        more = page.locator("#end .more")
        if more.get_attribute("open") is None:
            more.locator("summary").click()
        more.get_by_role("button", name=own_words(name, self.table.lang), exact=True).click()

    def play_unseen(self, preset: str, seats: int) -> None:
        """A whole match of Trumpf played by robots while no page looks at it."""
        start = messages.Start(game="trumpf", preset=preset, seats=seats)
        start.names = ["Anna", "Beat", "Chiara", "Dürte"][:seats]
        start.auto = list(range(seats))
        self.table.do(start)
        wait(lambda: self.table.log.count > 0 and self.table.log.closed)

    def look_away(self, page: Page) -> None:
        """Nobody looks at the table until the match is over."""
        page.goto("about:blank")
        wait(lambda: self.table.log.count > 0 and self.table.log.closed)
        self.open(page)

    def wait_until_closed(self, page: Page) -> None:
        """Until the box has made the result final."""
        expect(page.locator("#prompt")).to_have_text(self.said("closed"), timeout=MATCH_MS)

    def check_refusals(self, page: Page) -> None:
        """Of what robots do the box refuses only a bar that they cannot pay, to ask whether
        nothing else is possible; they confirm it (CB-11). The page shows what was refused.
        """
        steps = self.table.log.steps
        asked = [number for number, (_, answer) in enumerate(steps) if "refused" in answer]
        for number in asked:
            (first, answer), (then, _) = steps[number : number + 2]
            assert answer["refused"] == {"reason": "cannot_pay", "rule": "CB-11"}
            assert then == {**first, "t": then["t"], "forced": True}
        expect(page.locator("#news li.refused")).to_have_count(len(asked))

    def check_result(self, page: Page) -> dict[str, Any]:
        """Save the transcript by the link on the page; its replay must give the same answers and
        the same result. Returns the result.
        """
        self.drawer(page, "Settings")
        with page.expect_download() as download:
            page.get_by_role("link", name=self.said("save")).click()
        text = download.value.path().read_bytes()
        transcript = read_transcript(text, "saved")
        lines = recompute(transcript)
        for step, line in zip(transcript.steps, lines, strict=False):
            assert step.answer is not None
            assert step.answer.content == json.loads(line)
        assert transcript.result is not None
        result: dict[str, Any] = json.loads(lines[-1])["result"]
        assert transcript.result.content["result"] == result
        assert result["over"] is True
        return result

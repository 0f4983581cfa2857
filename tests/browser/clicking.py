"""A person who plays seat 1 with the mouse, or with the keyboard alone: the bot's moves."""

import re

from playwright.sync_api import Locator, Page, expect

from host_tools.games.steps import Step
from host_tools.sim.table import messages
from host_tools.sim.table.runner import UNBOUND
from tests.processes import wait

from .play_desk import MATCH_MS, PlayDesk, open_drawer, pattern_of

MOST_MOVES = 400
SHOWN = """() => ["prompt", "hand"].map(id => document.getElementById(id))
    .map((part, place) => (place ? part.dataset.key ?? "" : part.textContent))"""


def resize(page: Page, width: int, height: int) -> None:
    """A window of another size, in which the page has laid itself out: its scripts hear of the
    size with the next frame.
    """
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


def finish(desk: PlayDesk) -> None:
    """What is left of the match by hands at the box, in haste: on the pages a person's seat stays
    one. Until the result is final.
    """
    table = desk.table
    table.do(messages.Speed(speed=UNBOUND))

    def act() -> None:
        awaits, people = table.log.awaits, len(table.auto.seats) < len(table.log.header["names"])
        if table.runner.busy or table.log.closed or not people:
            return
        if awaits["for"] != "nothing" and awaits["seat"] not in table.auto.seats:
            table.queue(table.robot.play(awaits["seat"]))

    def is_done() -> bool:
        if not table.runner.busy:
            table.runner.call(act)
        return table.log.closed

    wait(is_done)


class Clicker:
    """Plays on the page of a table; the other seats play by themselves."""

    def __init__(self, page: Page, desk: PlayDesk, keyboard: bool = False) -> None:
        self.page = page
        self.keyboard = keyboard
        self.table = desk.table
        self.said = desk.said
        self.moves = 0

    def play_to_the_end(self, clicks: int = MOST_MOVES) -> None:
        """Until the result is final; after so many moves the seat goes on by itself."""
        for _ in range(clicks):
            self.wait_for_my_turn()
            if self.table.log.awaits["for"] == "nothing":
                break
            self.move()
        else:
            open_drawer(self.page, self.said("new_match"))
            self.page.locator("[data-auto='0']").check()
            return
        # nobody presses anything: the table confirms the result
        expect(self.page.locator("#prompt")).to_have_text(self.said("closed"), timeout=MATCH_MS)

    def wait_for_my_turn(self) -> None:
        """The page shows what the box said last, and the box awaits this seat or nobody."""
        said = [self.said(key, "{}") for key in ("your_turn", "for_nothing", "closed")]
        mine = re.compile(f"^({'|'.join(map(pattern_of, said))})$")

        def is_mine() -> bool:
            prompt, shown = self.page.evaluate(SHOWN)
            return bool(mine.match(prompt)) and shown.endswith(f",{self.table.log.count}]")

        wait(is_mine)

    def move(self) -> None:
        """One move of the simple player, clicked; waits until the box has answered."""
        count = self.table.log.count
        world = self.table.log.world
        assert world is not None
        self.moves += 1
        what = self.table.log.awaits["for"]
        steps = list(world.move(0))
        if what == "ask" and steps[0].do == "pick":
            self._ask(*[step.what for step in steps])
        elif what == "ask":
            lay = self.said("lay_quartet", steps[0].what[0])
            self.press(self.page.get_by_role("button", name=lay))
        else:
            if steps[0].what == self.table.say("cafe_swap"):  # the page offers it with the chair
                swap = pattern_of(self.said("swap_joker", "{}", steps[1].what))
                name = re.compile(f"^{swap}$")
                self.press(self.page.get_by_role("button", name=name))
                steps = steps[2:]
            for step in steps:
                self._step(step)
        changed = re.compile(rf",(?!{count}\])\d+\]$")
        expect(self.page.locator("#hand")).to_have_attribute("data-key", changed, timeout=MATCH_MS)

    def press(self, button: Locator) -> None:
        """By mouse, or by the keys of somebody who has come to it with Tab."""
        if not self.keyboard:
            button.click()
            return
        button.focus()
        assert button.evaluate("e => e.tabIndex >= 0")
        self.page.keyboard.press("Enter")

    def _step(self, step: Step) -> None:
        say = self.table.say
        page = self.page
        if step.do == "lay":
            card = page.locator(f'#hand [data-code="{step.what}"]')
            tap = page.get_by_role("button", name=self.said("table_card", "").strip())
            self.press(card if card.count() else tap)
        elif step.what.startswith("✓ C"):
            self.press(page.get_by_role("button", name=self.said("chair", step.what[2:])))
        elif step.what.startswith("✓ T"):
            pass  # the page chooses the table with the chair
        elif step.what == say("cafe_done"):
            self.press(page.get_by_role("button", name=self.said("end_turn")))
        elif step.what == say("cafe_bar"):
            self.press(page.get_by_role("button", name=self.said("to_bar")))
        elif step.what == say("cafe_forced"):
            self.press(page.get_by_role("button", name=self.said("cannot_pay")))
        elif step.what == say("quartett_deny"):
            self.press(page.get_by_role("button", name=self.said("deny")))
        else:
            name = re.compile("^" + re.escape(step.what))
            self.press(page.locator("#actions, #middle").get_by_role("button", name=name))

    def _ask(self, whom: str, group: str, card: str) -> None:
        actions = self.page.locator("#actions")
        self.press(actions.get_by_role("button", name=whom, exact=True))
        name = re.compile("^" + re.escape(self.said("ask_for", whom, card)))
        self.press(actions.get_by_role("button", name=name))

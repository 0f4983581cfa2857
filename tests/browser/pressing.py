"""A finger that stays down for a while, and what the page makes of it."""

from collections.abc import Callable
from random import Random
from typing import Any

from playwright.sync_api import Page

SHORTEST_MS, LONGEST_MS = 20, 400
ANSWER_MS = 20_000
"""Only a limit, for a busy machine."""
NOTE = """(pressable) => {
    let noted = 0;
    const changes = new MutationObserver((some) => { noted += some.length; });
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    changes.observe(document.documentElement, all);
    window.pressed = { on: null, clicked: false, did: 0 };
    const acts = "summary, input, a, button[type=submit], button:not([type])";
    addEventListener("pointerdown", (event) => {
        window.pressed = { on: event.target.closest(pressable), clicked: false, did: 0 };
    }, true);
    addEventListener("click", (event) => {
        pressed.clicked ||= event.composedPath().includes(pressed.on);
        changes.takeRecords();
        noted = 0;
    }, true);
    addEventListener("click", (event) => {
        pressed.did += noted + changes.takeRecords().length + (pressed.on?.matches(acts) ? 1 : 0);
        if (event.target.closest("a, form button, form input")) event.preventDefault();
    });
    const send = window.fetch;
    window.fetch = (path, options) => {
        if (options?.method === "POST") pressed.did += 1;
        return send(path, options);
    };
}"""
"""Notes of every press: the element, whether its click came to the same one, and how much was
done then: elements changed, a message sent, or what a browser does by itself. Nobody leaves the
page.
"""
PLACES = """(pressable) => [...document.querySelectorAll(pressable)].flatMap((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    const middle = [x + width / 2, y + height / 2];
    return one.contains(document.elementFromPoint(...middle)) ? [middle] : [];
})"""
SEEN = "() => ({ ...pressed, on: pressed.on?.outerHTML.slice(0, 200) })"
ANSWERED = "() => pressed.clicked && pressed.did > 0"


class Finger:
    """Presses on `page`; `pressable` is a selector of what can be pressed there."""

    def __init__(self, page: Page, pressable: str, chance: Random) -> None:
        self.page = page
        self.chance = chance
        self.presses = 0
        self._pressable = pressable
        page.evaluate(NOTE, pressable)

    def press_anything(self, meanwhile: Callable[[], None]) -> str:
        """Press for a while on something, during which `meanwhile()` is called; what was lost, or
        "".
        """
        places = self.page.evaluate(PLACES, self._pressable)
        if not places:
            meanwhile()
            self.page.wait_for_timeout(LONGEST_MS)
            return ""
        self.page.mouse.move(*self.chance.choice(places))
        held_ms = self.chance.uniform(SHORTEST_MS, LONGEST_MS)
        before_ms = self.chance.uniform(0, held_ms)
        self.page.mouse.down()
        self.page.wait_for_timeout(before_ms)
        meanwhile()
        self.page.wait_for_timeout(held_ms - before_ms)
        self.page.mouse.up()
        return self._lost()

    def _lost(self) -> str:
        seen: dict[str, Any] = self.page.evaluate(SEEN)
        if seen["on"] is None:  # it was gone before the finger came
            return ""
        self.presses += 1
        for _ in range(ANSWER_MS // 50):
            if self.page.evaluate(ANSWERED):
                return ""
            self.page.wait_for_timeout(50)
        return str(self.page.evaluate(SEEN))

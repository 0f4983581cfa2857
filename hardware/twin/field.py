"""The space above the antenna: which tags lie in it, and who hears and answers a frame."""

from collections.abc import Callable

from hardware.twin.clock import VirtualClock
from hardware.twin.iso14443 import TagAnswer
from hardware.twin.tags import NtagTwin


class RfField:
    """Tags and the field of one reader.

    `stacked` models coils lying exactly on each other: two or more tags detune one another and
    none gets power (20 of 20 attempts in a published test). Off, two tags are two clean tags.
    """

    def __init__(self, clock: VirtualClock, stacked: bool = False) -> None:
        self.clock = clock
        self.tags: list[NtagTwin] = []
        self.antenna = True  # False: its coil is broken, no tag gets anything
        self.on = False
        self.on_since_us = 0
        self._stacked = stacked
        self._flickers_until_us = 0
        self._listeners: list[Callable[[], None]] = []

    @property
    def stacked(self) -> bool:
        """True while tags that lie together silence each other."""
        return self._stacked

    @stacked.setter
    def stacked(self, value: bool) -> None:
        self._stacked = value
        self._changed()

    def place(self, tag: NtagTwin) -> None:
        """Lay a tag down now. A tag that lies there already stays."""
        if tag not in self.tags:
            tag.leaves = False
            self.tags.append(tag)
            self._changed()

    def remove(self, tag: NtagTwin) -> None:
        """Take a tag away now, in the middle of a write if one is under way."""
        if tag in self.tags:
            self.tags.remove(tag)
            tag.power_off(self.clock.now_us)
            self._changed()

    def clear(self) -> None:
        """Take all tags away now."""
        for tag in list(self.tags):
            self.remove(tag)

    def switch(self, on: bool) -> None:
        """The reader switches its field; tags lose or gain power at once."""
        if on and not self.on:
            self.on_since_us = self.clock.now_us
        self.on = on
        self._changed()

    def flicker(self, us: int) -> None:
        """All tags lose power for `us`, as at the edge of the range."""
        self._flickers_until_us = self.clock.now_us + us
        self._changed()
        self.clock.after(us, self._changed)

    def send(self, frame: bytes, bits: int) -> list[tuple[NtagTwin, TagAnswer]]:
        """A frame's last bit arrives now at all tags; returns those that answer."""
        answers = []
        for tag in list(self.tags):
            answer = tag.receive(frame, bits, self.clock.now_us) if self.on else None
            if tag.leaves:
                self.remove(tag)
            elif answer is not None:
                answers.append((tag, answer))
                self._await_write(tag, answer)
        return answers

    def _await_write(self, tag: NtagTwin, answer: TagAnswer) -> None:
        if answer.busy_us:
            self.clock.after(answer.busy_us, lambda: tag.finish_write(self.clock.now_us))

    def listen(self, changed: Callable[[], None]) -> None:
        """Call `changed` whenever tags come, go, or gain or lose power."""
        self._listeners.append(changed)

    def _changed(self) -> None:
        now_us = self.clock.now_us
        reaches = self.on and self.antenna and now_us >= self._flickers_until_us
        # coils on each other shift each other's resonance away from 13.56 MHz
        detuned = self._stacked and len(self.tags) > 1
        for tag in self.tags:
            if reaches and not detuned:
                tag.power_on(now_us)
            else:
                tag.power_off(now_us)
        for listener in list(self._listeners):
            listener()

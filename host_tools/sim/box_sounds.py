"""The sounds of the box for people: heard from the box's own driver, told and drawn
(`schiri box sounds`, docs/sounds.md, the page /sounds).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import add, sub
from types import SimpleNamespace
from typing import Any

from firmware.app import sounds
from firmware.drivers.buzzer import Buzzer
from host_tools.core.texts import SOUNDS

_STEP_MS = 15
"""Every length is a multiple of it (firmware/drivers/buzzer.py)."""
_UNIT_MS = 60
# up to how many ms a tone is called so
_LENGTHS = ((15, "click"), (120, "short"), (180, "long"), (600, "very_long"), (900, "endless"))


@dataclass(frozen=True)
class Tone:
    """It begins `at` ms after the first and sounds `ms`."""

    at: int
    ms: int
    hz: int


class _Pin:
    """The pin of a buzzer."""

    pitch = duty = 0

    def freq(self, hz: int, /) -> None:
        self.pitch = hz

    def duty_u16(self, duty: int, /) -> None:
        self.duty = duty


def _heard(number: int) -> tuple[Tone, ...]:
    pin = _Pin()
    # all that the buzzer needs of a clock: the time comes with `step`
    clock: Any = SimpleNamespace(ticks_ms=lambda: 0, ticks_add=add, ticks_diff=sub)
    buzzer = Buzzer(pin, clock)
    buzzer.play(sounds.TONES, number)
    found: list[Tone] = []
    # `play` has begun the first tone already
    now_ms, begun_ms, hz = 0, 0, pin.pitch
    while buzzer.playing:
        now_ms += _STEP_MS
        buzzer.step(now_ms)
        now_hz = pin.pitch if pin.duty else 0
        if now_hz != hz:
            if hz:
                found.append(Tone(begun_ms, now_ms - begun_ms, hz))
            begun_ms, hz = now_ms, now_hz
    return tuple(found)


@dataclass(frozen=True)
class Sound:
    """`seat` is from 1 for a sound that belongs to one, else 0."""

    number: int
    name: str
    seat: int
    tones: tuple[Tone, ...]

    @property
    def ms(self) -> int:
        last = self.tones[-1]
        return last.at + last.ms

    @property
    def rhythm(self) -> str:
        """A letter for every 60 ms: a block, or a dot while it is silent; a click is a stroke."""
        drawn = ""
        for tone in self.tones:
            drawn += "·" * (tone.at // _UNIT_MS - len(drawn))
            drawn += "█" * (tone.ms // _UNIT_MS) or "▏"
        return drawn

    def meaning(self, lang: str) -> str:
        text = SOUNDS[lang]["seat" if self.seat else self.name]
        return text.format(seat=self.seat)

    def in_words(self, lang: str) -> str:
        """Long and short, with a dash where it pauses."""
        words, end = [], 0
        for tone in self.tones:
            if tone.at - end > _UNIT_MS:
                words.append("–")
            kind = next(name for most, name in _LENGTHS if tone.ms <= most)
            words.append(SOUNDS[lang][kind])
            end = tone.at + tone.ms
        return " ".join(words)

    def data(self) -> dict[str, Any]:
        """For programs and for the page."""
        tones = [[tone.at, tone.ms, tone.hz] for tone in self.tones]
        own = {"number": self.number, "name": self.name, "rhythm": self.rhythm}
        return {**own, "ms": self.ms, "tones": tones}


def box_sounds() -> list[Sound]:
    """Every sound that this firmware has, by number."""
    names = {number: name for name, number in vars(sounds).items() if type(number) is int}
    names[sounds.ROUND_TIED] = "tie"
    found = []
    # every sound ends with a zero
    for number in range(sounds.TONES.count(0)):
        # the sounds of the seats stand last and have no names of their own
        seat = max(number - sounds.ROUND_WON + 1, 0)
        name = f"seat{seat}" if seat else names[number].lower()
        found.append(Sound(number, name, seat, _heard(number)))
    return found


def table(lang: str, chosen: Iterable[Sound] = ()) -> Iterator[str]:
    """Some of them, or all, as a table of Markdown, which can be read in a terminal too."""
    words = SOUNDS[lang]
    rows = [[words["name"], words["rhythm"], "ms", words["meaning"]]]
    for sound in chosen or box_sounds():
        drawn = f"`{sound.rhythm}`"
        rows.append([f"`{sound.name}`", drawn, str(sound.ms), sound.meaning(lang)])
    widths = [max(len(row[at]) for row in rows) for at in range(4)]
    for count, row in enumerate(rows):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        yield f"| {' | '.join(cells)} |"
        if not count:
            yield f"|{'|'.join('-' * (width + 2) for width in widths)}|"

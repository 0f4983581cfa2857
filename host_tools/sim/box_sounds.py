"""The sounds of the box for people: heard from the box's own driver, told and drawn
(`schiri box sounds`, docs/sounds.md).
"""

import io
import wave
from collections.abc import Iterable, Iterator, Sequence
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
SILENCE_MS = 800
"""Between two sounds, so that each is heard as one."""
WAV_HZ = 22_050
_LOUD, _SILENT = 160, 128
"""A sample has 8 bits without a sign."""


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

    def data(self) -> dict[str, Any]:
        """For programs."""
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


def as_wav(chosen: Sequence[Sound]) -> bytes:
    """These sounds, one after the other, as a WAV file: square waves like the piezo's."""
    file = io.BytesIO()
    with wave.open(file, "wb") as wav:
        wav.setnchannels(1)
        wav.setsampwidth(1)
        wav.setframerate(WAV_HZ)
        for sound in chosen:
            wav.writeframes(_samples(sound))
    return file.getvalue()


def _samples(sound: Sound) -> bytes:
    samples = bytearray([_SILENT]) * ((sound.ms + SILENCE_MS) * WAV_HZ // 1000)
    for tone in sound.tones:
        first = tone.at * WAV_HZ // 1000
        for count in range(tone.ms * WAV_HZ // 1000):
            if 2 * tone.hz * count // WAV_HZ % 2 == 0:
                samples[first + count] = _LOUD
    return bytes(samples)


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

"""A finished match to step through: a transcript, or the journal of a box."""

import json
from dataclasses import dataclass, field
from typing import Any

from host_tools.errors import UserError
from host_tools.journal.reading import read_journal
from host_tools.replay.comparing import first_difference
from host_tools.replay.engines import recompute, resolve
from host_tools.replay.reading import read_transcript
from host_tools.replay.telling import Teller, duration

Json = dict[str, Any]


@dataclass
class Replay:
    """`steps` hold time, sentence and who is awaited after every command.

    `differs` is the number of the first step whose answer in the file is not the rules'; None: all
    agree; 0: the file holds no answers.
    """

    name: str
    title: str
    names: list[str]
    result: str
    steps: list[Json] = field(default_factory=list)
    differs: int | None = None

    def as_json(self) -> Json:
        """For the page."""
        return {
            "title": self.title,
            "names": self.names,
            "result": self.result,
            "steps": self.steps,
            "differs": self.differs,
        }


def read_replay(data: bytes, name: str, lang: str) -> Replay:
    """Read a file of either kind and compute every answer again. Raises UserError."""
    if not data.lstrip().startswith(b"{"):
        data = _from_journal(data, name)
    transcript = read_transcript(data, name)
    lines = recompute(transcript)
    header = resolve(transcript.header.content)
    teller = Teller(header, lang)
    answers = [json.loads(line) for line in lines]
    game = " ".join(str(header[f]) for f in ("game", "preset") if header.get(f))
    names = [teller.seat(seat) for seat in range(header["seats"])]
    replay = Replay(name, game, names, teller.result(answers[-1]["result"]))
    for step, answer in zip(transcript.steps, answers, strict=False):
        replay.steps.append(_step(step.command.content, answer, teller))
    if any(step.answer is not None for step in transcript.steps):
        difference = first_difference(transcript, lines)
        if difference is not None:
            replay.differs = difference.n or len(replay.steps)
    else:
        replay.differs = 0
    return replay


def _from_journal(data: bytes, name: str) -> bytes:
    journal = read_journal(data)
    if journal.header is None:
        raise UserError(f"{name}: is neither a transcript nor the journal of a box.")
    return "".join(line + "\n" for line in journal.transcript()).encode()


def _step(command: Json, answer: Json, teller: Teller) -> Json:
    refused = answer.get("refused", {})
    return {
        "n": answer["n"],
        "time": duration(command["t"]),
        "text": teller.sentence(command, answer),
        "refused": bool(refused),
        "awaits": answer["awaits"],
    }

"""A finished match to step through: a transcript, or the journal of a box.

Sentences come first and all at once; what the box and the table looked like comes in chunks, drawn
when the page asks for them, so that a long match opens as quickly as a short one.
"""

import json
import threading
from dataclasses import dataclass, field
from itertools import islice
from secrets import token_urlsafe

from firmware.games import open_match
from firmware.rules.match import is_of_game
from host_tools.core.errors import UserError
from host_tools.core.json_types import Json
from host_tools.games import table_view
from host_tools.games.box_words import box_words
from host_tools.games.options import title_of, with_options
from host_tools.replay.comparing import first_difference
from host_tools.replay.engines import recompute, resolve
from host_tools.replay.reading import Transcript, read_transcript
from host_tools.replay.wording import Teller, duration
from host_tools.sim.screen import picture_message
from host_tools.sim.table.analysis import analysed
from host_tools.sim.table.box_screens import BoxScreens
from host_tools.store.journal.reading import JournalFile, read_journal, taken_back

CHUNK = 20
"""So many views are sent together; drawing one takes a few milliseconds."""
_CARDS_OF = {"tap": "card", "ask": "card", "lay": "cards"}
"""command -> its field that names cards: only those are ever seen, and those of the commands that
only an added game has.
"""


@dataclass
class Replay:
    """`steps` hold time, sentence and who is awaited after every command.

    `differs` is the number of the first step whose answer in the file is not the rules'; None: all
    agree; 0: the file holds no answers. `damaged` counts the lines of a journal that cannot be
    trusted. `fixed` is what the pictures of all steps share. `raw` is the file, `header` with its
    deck as an object. Whoever has `key` may look at it. At the `table` with this number it was
    played with the cards of `seed`.
    """

    name: str
    title: str
    names: list[str]
    result: str
    walk: "Walk"
    fixed: Json
    steps: list[Json] = field(default_factory=list)
    differs: int | None = None
    damaged: int = 0
    raw: bytes = b""
    lang: str = ""
    header: Json = field(default_factory=dict)
    moves: list[tuple[Json, Json]] = field(default_factory=list)
    seed: int | None = None
    table: int | None = None
    # opens this match and nothing else, as long as the server runs
    key: str = field(default_factory=lambda: token_urlsafe(9))

    summary: Json = field(default_factory=dict)
    working: threading.Lock = field(default_factory=threading.Lock)

    def after(self) -> Json:
        """What the match was like (analysis.py); worked out once."""
        # two pages may ask at once: the second one waits for the work of the first
        with self.working:
            if not self.summary:
                self.summary = analysed(self.header, self.moves, self.seed, self.lang)
            return self.summary

    def as_json(self) -> Json:
        """For the page, once."""
        return {
            "title": self.title,
            "names": self.names,
            "result": self.result,
            "steps": self.steps,
            "differs": self.differs,
            "damaged": self.damaged,
            "chunk": CHUNK,
            **self.fixed,
        }


class Walk:
    """Box and table through one match, forwards; whoever goes back begins again, without drawing.

    Place 0 is the match just opened, place n the moment behind command n.
    """

    def __init__(self, header: Json, moves: list[tuple[Json, Json]], lang: str, key: bool) -> None:
        self._header = header
        self._moves = moves
        self._lang = lang
        self._has_key = key
        self._lock = threading.Lock()  # the pages of two people may ask at once
        self._begin()

    def views(self, first: int) -> list[Json]:
        """What is to be seen at `first` and the places behind it, a chunk of them."""
        last = min(first + CHUNK - 1, len(self._moves))
        with self._lock:
            if first <= self._place:  # its messages were read away while they were drawn
                self._begin()
            return [self._view(place) for place in range(first, last + 1)]

    def _begin(self) -> None:
        self._box = BoxScreens(self._header, self._lang, self._has_key)
        self._seen = table_view(self._header, self._box.match, box_words(self._lang).get)
        self._place = 0

    def _view(self, place: int) -> Json:
        for command, answer in islice(self._moves, self._place, place):
            self._seen.look()
            self._box.apply(command, answer.get("refused", {}).get("reason", ""))
            self._seen.take_in(command, answer)
        self._place = place
        return {
            "screens": [picture_message(*screen) for screen in self._box.screens()],
            "seats": self._seen.seat_lines(),
            "middle": self._seen.middle(),
        }


def read_replay(data: bytes, name: str, lang: str) -> Replay:
    """Read a file of either kind and compute every answer again. Raises UserError."""
    journal, raw = None, data
    # a line of a journal begins with its checksum
    if not data.lstrip().startswith(b"{"):
        journal = read_journal(data)
        data = _as_transcript(journal, name)
    transcript = read_transcript(data, name)
    lines = recompute(transcript)
    answers = [json.loads(line) for line in lines]
    commands = [step.command.content for step in transcript.steps]
    header = resolve(transcript.header.content, lang)
    # a box with a key asks for a slip at the end; a transcript does not say, and is taken for one
    seal = journal.seal if journal else None
    has_key = seal is None or bool(seal.id)
    moves = list(zip(commands, answers, strict=False))  # behind the last answer stands the result
    walk = Walk(header, moves, lang, has_key)
    teller = Teller(header, lang)
    return Replay(
        name=name,
        title=_title(header, lang),
        names=[teller.seat(seat) for seat in range(header["seats"])],
        result=teller.result(answers[-1]["result"]),
        walk=walk,
        fixed=_fixed(header, moves, lang),
        steps=_steps(moves, teller),
        differs=_differs(transcript, lines),
        damaged=0 if journal is None else _damaged(journal),
        raw=raw,
        lang=lang,
        header=header,
        moves=moves,
    )


def _as_transcript(journal: JournalFile, name: str) -> bytes:
    if journal.header is None:
        raise UserError("play_not_a_record", name=name)
    return "".join(line + "\n" for line in journal.transcript()).encode()


def _damaged(journal: JournalFile) -> int:
    """Lines with faults; a last line torn by a power cut was never shown and is none."""
    last = len(journal.raw.splitlines())
    return len({fault.line for fault in journal.faults if fault.line < last})


def _differs(transcript: Transcript, lines: list[str]) -> int | None:
    if all(step.answer is None for step in transcript.steps):
        return 0
    difference = first_difference(transcript, lines)
    if difference is None or (difference.n is None and transcript.result is None):
        return None  # a match that is still open has no result line
    return difference.n or len(transcript.steps)


def _title(header: Json, lang: str) -> str:
    """Game, preset and deck, in the words of the box's own menu."""
    say = box_words(lang, header["game"]).get
    title = say(f"game_{header['game']}")
    if header.get("preset"):
        title += " – " + say(f"preset_{header['preset']}")
    what = title_of(header)
    return with_options(f"{title}, {what}" if what else title, header, lang)


def _fixed(header: Json, moves: list[tuple[Json, Json]], lang: str) -> Json:
    """Faces of the cards that are tapped or named, by code; what the game needs besides.

    The match is played once more for them: a card may bring its values with its tap.
    """
    match = open_match(header)
    seen = table_view(header, match, box_words(lang).get)
    faces: Json = {}
    for command, answer in moves:
        match.apply(command)
        for code in _cards_of(command, answer):
            faces[code] = seen.face(code)
    return {"game": header["game"], "faces": dict(sorted(faces.items())), **seen.fixed()}


def _cards_of(command: Json, answer: Json) -> list[str]:
    """The cards of a command, if it was accepted."""
    of_a_game = "card" if is_of_game(command["do"]) and "card" in command else ""
    field = _CARDS_OF.get(command["do"], of_a_game)
    if "refused" in answer or not field:
        return []
    named = command[field]
    return [named] if isinstance(named, str) else list(named)


def _steps(moves: list[tuple[Json, Json]], teller: Teller) -> list[Json]:
    """What is summary of every command; `undone` are those that an arbiter took back later."""
    undone = taken_back(answer for _, answer in moves)
    return [
        {
            "n": answer["n"],
            "time": duration(command["t"]),
            "text": teller.sentence(command, answer),
            "refused": "refused" in answer,
            "undone": answer["n"] in undone,
            "awaits": answer["awaits"],
        }
        for command, answer in moves
    ]

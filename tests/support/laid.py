"""Matches whose power went, as files that a box resumes."""

import json
import random
from dataclasses import dataclass, replace
from pathlib import Path

from card_tags.p256 import finished
from firmware.app import checkpoint
from firmware.app.flash import Flash
from firmware.app.journal import Journal
from firmware.app.own_key import OwnKey
from firmware.games import open_match
from firmware.rules.answers import Pairs, write_answer, write_json
from host_tools.cards.decks import load_deck
from host_tools.core.json_types import Json
from host_tools.games import game_of
from host_tools.games.table_view import TableView
from host_tools.sim.demo.dry_run import TAP_MS, command_of, dealt

BOX = "e6614c311b000000"  # the id of the twin with seed 0
LONG_NAME = "Maximilian-Alexander von Hohen"  # letters that fit on a badge
_BEHIND = 31  # commands behind a checkpoint: one more, and the next would have been written


@dataclass(frozen=True)
class Laid:
    """A match that is laid down: the names of its row, its header, the seed of its deal, after how
    many commands the power went, how many of the clock there were for each of a player, and
    whether the box had written checkpoints.
    """

    name: str
    header: Json
    seed: int
    commands: int
    ticks: int = 0
    kept: bool = False


# the seeds: long matches between players who make no mistake
SWISS: Json = {"game": "trumpf", "preset": "swiss", "seats": 2, "deck": "gastro"}
CAFE: Json = {"game": "cafe", "preset": "board", "seats": 4}
MATCHES = {
    "swiss": Laid("Swiss, 32 cards", SWISS, 2, 31),
    "gastro": Laid("Gastro, eight seats", {**SWISS, "preset": "gastro", "seats": 8}, 1, 20),
    "cafe": Laid("Café", CAFE, 4, 66),
    "long": Laid("Swiss, 32 cards", SWISS, 2, 300),
    "long_cafe": Laid("Café", CAFE, 4, 300),
    "kept": Laid("Swiss, 32 cards, with checkpoints", SWISS, 2, 300, kept=True),
    "kept_cafe": Laid("Café, with checkpoints", CAFE, 4, 300, kept=True),
    "kept_1000": Laid("Swiss, 32 cards, with checkpoints", SWISS, 2, 1000, ticks=3, kept=True),
}


def lay_down(storage: Path, laid: Laid, build: str = "") -> TableView:
    """The journal of a match whose power went, with the checkpoint that this build would have
    written if it was asked for; returns the table as it stands then.
    """
    header = {"schiri": 1, **laid.header}
    header["names"] = [f"{LONG_NAME} {seat + 1}" for seat in range(header["seats"])]
    whole = dict(header)
    if "deck" in header:
        whole["deck"] = load_deck(header["deck"])
    whole = game_of(whole).resolved(whole)
    if "board" in whole:
        header["board"] = "cafe"
    table = dealt(whole, laid.seed, faultless=True)
    match = open_match(whole)
    own = OwnKey(Flash(str(storage)))
    if not own.public:
        finished(own.making(random.Random(1).randbytes))
    journal = Journal(Flash(str(storage)), BOX, bytes)
    journal.open_match(json.dumps(header))
    t_ms = 0
    for number in range(laid.commands):
        if number % (laid.ticks + 1) < laid.ticks:
            t_ms += 1
            command: Json = {"t": t_ms, "do": "tick"}
        else:
            t_ms += TAP_MS
            command = command_of(table.act(), t_ms)
        answer = match.apply(command)
        table.play(command)
        journal.append(write_json(Pairs(list(command.items()))), write_answer(answer))
        if laid.kept and number + 1 == laid.commands - _BEHIND:
            checkpoint.write(journal, match, build)
    return table


def lay_due(storage: Path, public: bytes) -> None:
    """A match whose seal is still to come, on a box that the desk with this key has enrolled."""
    own = OwnKey(Flash(str(storage)))
    finished(own.making(random.Random(1).randbytes))
    own.enrol(public)
    lay_down(storage, replace(MATCHES["swiss"], commands=1))
    journal = Journal(Flash(str(storage)), BOX, bytes)
    for _ in journal.resume(1):
        pass
    journal.signs_later = True
    journal.close('{"result": {}}')

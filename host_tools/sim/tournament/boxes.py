"""A simulated box at a table: the rules judge, the firmware's own journal records and signs."""

import hashlib
import json
import random
from functools import cache
from typing import Any

from card_tags.seal import box_key
from firmware.app.journal import FINISHED, Journal
from firmware.app.link_frames import key_id
from firmware.rules.answers import write_result
from host_tools.cards.decks import load_deck
from host_tools.core.json_types import Json
from host_tools.games import GAMES
from host_tools.games.player import Act
from host_tools.sim.demo.dry_run import TAP_MS, command_of, dealt
from host_tools.sim.memory_files import MemoryFiles
from host_tools.store import Store, Stored
from host_tools.tournament.model import PlayerId
from host_tools.tournament.state import MatchState, TournamentState

LEAGUE_KEY = hashlib.sha256(b"schiri tournament simulate").digest()
SEATS = 2
DECIDE_MS = 5_000
MATCH = next(
    {"schiri": 1, "game": game.name, "preset": preset, "seats": SEATS}
    for game in GAMES.values()
    for preset, seats in game.fixed_seats.items()
    if seats == SEATS
)
"""What tournaments play: one against one."""


class SimulatedBox:
    """The box of one table with its flash in memory."""

    def __init__(self, table: int, chance: random.Random) -> None:
        self.id = f"sim{table:02}"
        self._table = table
        self._chance = chance
        key = box_key(LEAGUE_KEY, self.id)
        self._keys = {key_id(key): key}
        self._flash = MemoryFiles()
        self._journal = Journal(self._flash, self.id, chance.randbytes, lambda: key)

    def play(self, state: TournamentState, match: MatchState) -> Json:
        """Two people play; the journal stays on the box. Returns the result line's content."""
        header = self._header(state, match)
        self._journal.open_match(json.dumps(header, ensure_ascii=False))
        whole = {**header, "deck": deck_object(header["deck"])}
        result = _play_out(whole, self._chance, self._journal)
        self._journal.close(write_result(result))
        return dict(result)

    def _header(self, state: TournamentState, match: MatchState) -> Json:
        """What a box writes that has seen both badges and knows its table."""
        return {
            **MATCH,
            "deck": match.deck,
            "stage": match.stage,
            "names": [name_of(state, match.a), name_of(state, match.b)],
            "table": self._table,
        }

    def upload(self, store: Store) -> list[Stored]:
        """Hand every new finished match to the desk, which checks it, stores it and confirms."""
        done = []
        for entry in self._journal.entries():
            if entry.state != FINISHED:
                continue
            raw = b"".join(line.raw + b"\n" for line in self._journal.lines(entry.number))
            done.append(store.add(raw, lambda _box: self._keys))
            self._journal.confirm(entry.number, hashlib.sha256(raw).hexdigest())
        return done


@cache
def deck_object(deck: str) -> Json:
    """A deck of the project, read once."""
    return load_deck(deck)


def name_of(state: TournamentState, player: PlayerId) -> str:
    """The player's name for people."""
    return state.players[player].name or player


def _play_out(header: Json, chance: random.Random, journal: Journal) -> Any:
    """The referee asks, the players act, the journal keeps both; returns the rules' result."""
    table = dealt(header, chance.randrange(1 << 30), faultless=True)
    now_ms = 0
    while not table.match.over():
        if table.match.awaits().what == "decide":  # SW-5: level even then; the jury decides
            act = Act("decide", {"seat": chance.randrange(SEATS)}, DECIDE_MS)
        else:
            act = table.act()
        now_ms += act.think_ms + TAP_MS
        command = command_of(act, now_ms)
        table.play(command)
        journal.append(json.dumps(command), table.said)
    return table.match.result()

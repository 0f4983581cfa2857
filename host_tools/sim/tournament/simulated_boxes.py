"""A simulated box at a table: the rules judge, the firmware's own journal records and has its head
signed with a key of practice.
"""

import hashlib
import hmac
import json
import random
from functools import cache
from typing import Any

from firmware.app.journal import FINISHED, Journal
from firmware.rules.answers import write_result
from host_tools.box.assigning import games_of_several
from host_tools.cards.decks import load_deck
from host_tools.cards.public_keys import ORDER, SigningKey, practice_key
from host_tools.core.errors import UserError
from host_tools.core.json_types import Json
from host_tools.games import GAMES
from host_tools.games.options import header_for
from host_tools.games.player import Act
from host_tools.sim.demo.dry_run import TAP_MS, command_of, dealt
from host_tools.sim.memory_files import MemoryFiles
from host_tools.store.store import Store, Stored
from host_tools.tournament.state import MatchState, TournamentState

ENROLLED_BY = "schiri"
SEATS = 2
DECIDE_MS = 5_000
_load_once = cache(load_deck)
_OF_TWO = next(
    (game.name, preset)
    for game in GAMES.values()
    for preset, seats in game.fixed_seats.items()
    if seats == SEATS
)
"""Game and preset of tournaments of two: one against one."""


class SimulatedBox:
    """The box of one table with its flash in memory."""

    def __init__(self, table: int, chance: random.Random) -> None:
        self.id = f"sim{table:02}"
        self._table = table
        self._chance = chance
        self._key = key_of(self.id)
        self._flash = MemoryFiles()
        self._journal = Journal(self._flash, self.id, chance.randbytes)
        # `_seal` signs behind the result with the key of the box, as the firmware does
        self._journal.signs_later = True

    def play(self, state: TournamentState, match: MatchState) -> Json:
        """Two people play; the journal stays on the box. Returns the result line's content."""
        header = self._header(state, match)
        self._journal.open_match(json.dumps(header, ensure_ascii=False))
        # a journal has the id of its deck, the rules want the deck itself
        whole = {**header, "deck": _load_once(header["deck"])} if "deck" in header else header
        result = _play_out(whole, self._chance, self._journal)
        self._journal.close(write_result(result))
        self._seal()
        return dict(result)

    def _seal(self) -> None:
        """As firmware/app/signing.py, which has no `cryptography`."""
        waits = self._journal.to_seal()
        assert waits is not None
        number, count, head = waits
        signature = self._key.sign("journal", head + count.to_bytes(4))
        self._journal.seal(number, count, bytes.fromhex(self._key.id), signature)

    def _header(self, state: TournamentState, match: MatchState) -> Json:
        """What a box writes that has seen both badges and knows its table."""
        return {
            **(_of_several(state, match) if match.more else _of_two(match)),
            "names": [state.players[one].name or one for one in match.players],
            "table": self._table,
        }

    def upload(self, store: Store) -> list[Stored]:
        """Hand every new finished match to the desk, which knows the box's key, checks it, stores
        it and confirms.
        """
        store.enrolled.enrol(self.id, self._key.public, ENROLLED_BY)
        done = []
        for entry in self._journal.entries():
            if entry.state != FINISHED:
                continue
            raw = b"".join(line.raw + b"\n" for line in self._journal.lines(entry.number))
            done.append(store.add(raw))
            self._journal.confirm(entry.number, hashlib.sha256(raw).hexdigest())
        return done


def _of_two(match: MatchState) -> Json:
    return {**header_for(*_OF_TWO, SEATS, {"stage": match.stage}), "deck": match.deck}


def _of_several(state: TournamentState, match: MatchState) -> Json:
    game = games_of_several()[state.setup.game]
    deck = {"deck": match.deck} if match.deck else {}
    header = header_for(game.game, game.preset, len(match.players), state.setup.options)
    return {**header, **deck}


def decks_of(game: str) -> list[str]:
    """The deck with which its demo is played; none of a game without one. Raises UserError for
    what is no game of several, and for one on a board, which the simulated boxes do not have.
    """
    known = {
        name: rules
        for name, rules in games_of_several().items()
        if GAMES[rules.game].boards is None
    }
    if game not in known:
        raise UserError("no_game", game=game, games=", ".join(known))
    rules = known[game]
    deck = GAMES[rules.game].deck_for(rules.preset)
    return [deck] if deck else []


def key_of(box: str) -> SigningKey:
    """The key of a simulated box, the same as long as the folder of practice lasts."""
    made = hmac.digest(practice_key().secret, f"box {box}".encode(), "sha256")
    # a private key is a number from 1 to the order of the curve less one
    return SigningKey((1 + int.from_bytes(made) % (ORDER - 1)).to_bytes(32))


def _play_out(header: Json, chance: random.Random, journal: Journal) -> Any:
    """The referee asks, the players act, the journal keeps both; returns the rules' result."""
    table = dealt(header, chance.randrange(1 << 30), faultless=True)
    now_ms = 0
    while not table.match.over():
        if table.match.awaits().what == "decide":  # SW-5: level even then; the jury decides
            act = Act("decide", {"seat": chance.randrange(header["seats"])}, DECIDE_MS)
        else:
            act = table.act()
        now_ms += act.think_ms + TAP_MS
        command = command_of(act, now_ms)
        table.play(command)
        journal.append(json.dumps(command), table.said)
    return table.match.result()

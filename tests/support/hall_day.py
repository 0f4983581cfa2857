"""A small tournament that plays itself, for measurements, pictures and tests of the desk.

Results come from a random seed: the same day every time.
"""

import random
from datetime import UTC, datetime, timedelta
from functools import partial

from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants as entrant_commands
from host_tools.tournament.actions import knockout, matches
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import Now, TournamentService, utc_now
from host_tools.tournament.state import MatchState, TournamentState

FIRST_NAMES = (
    *("Ayşe", "Björn", "Çağrı", "Đorđe", "Élodie", "Łukasz", "Göran", "Hülya"),
    *("İpek", "Jürgen", "Käthe", "Ludmiła", "Märta", "Nuño", "Özgür", "Priska"),
)
LAST_NAMES = (
    *("Aeschbacher", "Bünzli", "Çelik", "Dvořák", "Eğilmez", "Großmann", "Höfliger", "Ibáñez"),
    *("Jäggi", "Kılıç", "Løkken", "Müller-Zürcher", "Nägeli", "Öztürk", "Şahin", "Yıldırım"),
)
CLUBS = ("Zürich", "St. Gallen", "İstanbul", "Malmö", "Łódź", "Genève")
DECK_CARDS = 32
START = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


class StepClock:
    """A clock that moves only when told to; the sample day starts at 9:00."""

    def __init__(self, start: datetime = START) -> None:
        self.now = start

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.now += timedelta(seconds=seconds)


def name_of(number: int) -> str:
    """A name of its own for each number below 256."""
    block = number // 16
    return f"{FIRST_NAMES[(number * 5 + block * 2) % 16]} {LAST_NAMES[(number * 7 + block) % 16]}"


def open_day(
    db: str,
    players: int = 16,
    tables: int = 4,
    ko_size: int = 8,
    clock: Now = utc_now,
    group_size: int = 4,
    deck: str = "Kneipen",
) -> TournamentService:
    """A tournament with its groups drawn and nothing called yet."""
    setup = ev.Created(
        name="Quartett-Meisterschaft Zürich", ko_size=ko_size, tables=tables, decks=[deck]
    )
    service = TournamentService.create(db, "Anna", setup, clock=clock)
    entrants = [
        Entrant(id=f"p{n:03}", name=name_of(n), club=CLUBS[n % len(CLUBS)], seed=n + 1)
        for n in range(players)
    ]
    service.do("Anna", "", lambda state: entrant_commands.add_players(state, entrants))
    for player in entrants:
        service.do("Anna", "", partial(entrant_commands.check_in, player=player.id))
    service.do("Anna", "", lambda state: entrant_commands.draw(state, group_size, random_seed=7))
    return service


def open_matches(state: TournamentState) -> list[MatchState]:
    """What can be played now, in the order of the plan."""
    waiting = [match for match in state.matches.values() if not match.counts]
    return sorted(waiting, key=lambda match: (match.slot, match.table, match.id))


def play(service: TournamentService, match: MatchState, chance: random.Random) -> None:
    """Enter a plausible result of one match, checked at once."""
    cards = chance.randint(6, 26)
    if match.round is not None and 2 * cards == DECK_CARDS:
        cards += 1
    result = (cards, DECK_CARDS - cards)
    service.do("Beat", "", lambda state: matches.enter(state, match.id, result))


def play_groups(service: TournamentService, most: int = 10_000, seed: int = 3) -> None:
    """Play up to `most` group matches."""
    chance = random.Random(seed)
    for match in open_matches(service.state)[:most]:
        play(service, match, chance)


def play_knock_out(service: TournamentService, rounds: int = 10, seed: int = 5) -> None:
    """Draw lots and tree as needed, then play so many rounds."""
    chance = random.Random(seed)
    if knockout.ties(service.state):
        service.do("Anna", "", knockout.draw_lots)
    service.do("Anna", "", knockout.draw_ko)
    for _ in range(rounds):
        for match in open_matches(service.state):
            play(service, match, chance)


def call_next(service: TournamentService, most: int) -> None:
    """Call so many of the next matches to their tables."""
    for match in open_matches(service.state)[:most]:
        service.do("Beat", "", partial(matches.call, match_id=match.id))

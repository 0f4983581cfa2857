"""The script of a day: check-in, groups, knock-out, and everything that goes wrong in a hall."""

import random
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from host_tools.core.errors import Sentence, UserError
from host_tools.core.json_types import Json
from host_tools.core.places import PRACTICE
from host_tools.sim.tournament.simulated_boxes import SimulatedBox, decks_of
from host_tools.store.database import all_or_nothing
from host_tools.store.store import copy_matches
from host_tools.store.tournament_log import TournamentLog
from host_tools.tournament import events as ev
from host_tools.tournament.actions import corrections, knockout, rounds
from host_tools.tournament.actions import entrants as entrant_commands
from host_tools.tournament.actions import matches as match_commands
from host_tools.tournament.collecting import Collector
from host_tools.tournament.model import Entrant, Kind, PlayerId
from host_tools.tournament.service import LogCommand, TournamentService, command
from host_tools.tournament.state import MatchState, TournamentState

DESK = "desk"
JURY = "jury"
MORNING = datetime(2026, 3, 7, 9, 0, tzinfo=UTC)
"""In the past, so that the journals of a simulated day are never older than the day."""
GROUP_SIZE = 4
ROUNDS = 4
"""Of tables of several."""
LARGEST_KO = 64
PLAYERS_A_TABLE = 8
FEWEST = 8
SCRATCH = "sqlite://"
"""A database in memory."""
NO_SHOWS = 0.03
TYPOS = 0.03
# a second behind the two minutes of SW-7, before which `no_show` is refused
TOO_LATE = timedelta(seconds=match_commands.LATE_SECONDS + 1)
Tell = Callable[[str], None]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# umlauts and Turkish letters are meant: screens and prints must bear them
FIRST = _words(
    """Anna Berta Çiğdem Dörte Emil Fatih Gül Hülya İbrahim Jörg Käthe Leyla Mübeccel Noé Ömer
    Petra Quirin Renée Şebnem Thérèse Uğur Vreni Wafa Xaver Yıldız Zoë"""
)
LAST = _words(
    """Aebischer Bächtold Çelik Dürr Egli Frößl Gökçe Hürlimann Işık Jäggi Köhler Lüthi Müller
    Nüßli Öztürk Pfäffli Quéloz Rüegg Şahin Tschäni Ünal Vögtlin Wüthrich Yılmaz Zürcher"""
)
CLUBS = ("Zürich", "Bern", "Basel", "Köln", "Graz", "İzmir", "Malmö", "")
SEEDED = 8
"""Every eighth player is seeded."""
MOST = len(FIRST) * len(LAST)


def players(count: int, chance: random.Random) -> list[Entrant]:
    """`count` players (`MOST` at most) with different names."""
    pairs = [f"{first} {last}" for first in FIRST for last in LAST]
    return [
        Entrant(
            id=f"p{number:03}",
            name=name,
            club=chance.choice(CLUBS),
            seed=number if number <= count // SEEDED else None,
        )
        for number, name in enumerate(chance.sample(pairs, count), 1)
    ]


@dataclass
class Day:
    """What happened, for the report and the tests."""

    played: int = 0
    no_shows: int = 0
    on_paper: int = 0
    typos: int = 0
    corrected: list[ev.MatchId] = field(default_factory=list)
    withdrawn: list[PlayerId] = field(default_factory=list)
    excluded: list[PlayerId] = field(default_factory=list)
    late: list[PlayerId] = field(default_factory=list)
    lots: int = 0
    champion: PlayerId | None = None
    third: PlayerId | None = None


class SimulatedClock:
    """The hall's clock: it goes on only when the script says so."""

    def __init__(self) -> None:
        self.now = MORNING

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, time: timedelta) -> None:
        """Let time pass."""
        self.now += time


class SimulatedHall:
    """The desk, the boxes and the people of one simulated day."""

    def __init__(
        self, service: TournamentService, clock: SimulatedClock, seed: int, tell: Tell
    ) -> None:
        self.service = service
        self.clock = clock
        self.day = Day()
        self._chance = random.Random(seed)
        self._tell = tell
        self._collector = Collector(service, DESK, check=True)
        tables = service.state.setup.tables
        self._boxes = {n: SimulatedBox(n, self._chance) for n in range(1, tables + 1)}
        self._lost_table = self._chance.randint(1, tables)

    # -- the day ----------------------------------------------------------------------------------

    def run(self, count: int) -> Day:
        """The whole day with `count` players."""
        self._begin_day(count)
        if self.service.state.setup.mode == "tables":
            self._play_rounds()
            return self.day
        self._play_groups()
        self._mend()
        self._draw_tree()
        while matches := self._open_ko_matches():
            self._tell(Sentence("simulated_round", round=matches[0].round, count=len(matches)))
            self._play_all(matches)
        self._close()
        return self.day

    def _begin_day(self, count: int) -> None:
        """Everybody is entered, one comes late, the others are checked in and drawn."""
        entrants = players(count, self._chance)
        late = entrants[-1]
        self._do(DESK, command(entrant_commands.add_players, entrants[:-1]))
        self._do(DESK, lambda _: [ev.CheckedIn(player=player.id) for player in entrants[:-1]])
        seed = self._chance.randrange(1 << 31)
        self._do(DESK, command(entrant_commands.draw, GROUP_SIZE, seed))
        self._do(DESK, command(entrant_commands.late_entry, late), "came at nine")
        self.day.late.append(late.id)

    def _play_rounds(self) -> None:
        """Tables of several, seated anew each round."""
        last = self.service.state.setup.rounds
        for number in range(1, last + 1):
            self._do(DESK, rounds.pair_round)
            waiting = [m for m in self.service.state.matches.values() if m.swiss_round == number]
            slot = {"slot": number, "slots": last, "count": len(waiting)}
            self._tell(Sentence("simulated_slot", **slot))
            self._play_all(waiting)
        while not self.service.state.champion:
            self._do(JURY, knockout.draw_lots)
            self.day.lots += 1
        self._do(DESK, match_commands.lock_all)
        self.day.champion = self.service.state.champion

    def _play_groups(self) -> None:
        slots = sorted({match.slot for match in self.service.state.matches.values()})
        for place, slot in enumerate(slots):
            if place == len(slots) // 2:
                self._leave()
            waiting = [
                m.id
                for m in self.service.state.matches.values()
                if m.slot == slot and m.status == "open"
            ]
            self._tell(Sentence("simulated_slot", slot=slot, slots=slots[-1], count=len(waiting)))
            self._play_all([self.service.state.matches[match_id] for match_id in waiting])
            if place == 0:
                self._tell(Sentence("simulated_lost", table=self._lost_table))
                # from now on the matches of this table are played on paper
                del self._boxes[self._lost_table]

    def _leave(self) -> None:
        """One goes home, one is caught cheating (SW-9)."""
        # sorted, so that the same seed is the same day
        leaving = self._chance.sample(sorted(self.service.state.players), 2)
        self._do(DESK, command(entrant_commands.withdraw, leaving[0]), "had to go home")
        self._do(JURY, command(entrant_commands.exclude, leaving[1]), "looked at the pile")
        self.day.withdrawn, self.day.excluded = leaving[:1], leaving[1:]

    def _mend(self) -> None:
        """The jury corrects two results; the desk locks everything."""
        counted = [
            m.id
            for m in self.service.state.matches.values()
            if m.result is not None and m.result.kind == "played"
        ]
        for match_id in self._chance.sample(counted, min(2, len(counted))):
            self._do(JURY, command(_one_card_over, match_id), "counted again")
            self.day.corrected.append(match_id)
        self._do(DESK, match_commands.lock_all)

    def _draw_tree(self) -> None:
        while tied := knockout.cut_ties(self.service.state):
            order = self._chance.sample(tied[0], len(tied[0]))
            self._do(JURY, command(knockout.lot, order), "drawn from a hat")
            self.day.lots += 1
        self._do(DESK, knockout.draw_ko)

    def _open_ko_matches(self) -> list[MatchState]:
        """What can be played now; the final waits for the match for third place."""
        waiting = [match for match in self.service.state.ko_matches() if match.status == "open"]
        first = waiting[0].round if waiting else ""
        return [match for match in waiting if match.round == first]

    def _close(self) -> None:
        self._do(DESK, match_commands.lock_all)
        bracket = self.service.state.bracket
        assert bracket is not None
        self.day.champion = bracket.champion
        self.day.third = bracket.third.winner if bracket.third else None

    # -- matches ----------------------------------------------------------------------------------

    def _play_all(self, matches: Sequence[MatchState]) -> None:
        """So many at once as there are tables."""
        tables = self.service.state.setup.tables
        for start in range(0, len(matches), tables):
            # by id: a state that was given away does not change with what is played
            self._play_at_once([match.id for match in matches[start : start + tables]])

    def _play_at_once(self, ids: Sequence[ev.MatchId]) -> None:
        for match_id in ids:
            self._do(DESK, command(_call, match_id))
        # at a table of several nobody is missing: `no_show` knows two players
        of_two = [one for one in ids if not self.service.state.matches[one].more]
        absent = [match_id for match_id in of_two if self._chance.random() < NO_SHOWS]
        self.clock.pass_by(TOO_LATE)
        for match_id in absent:
            self._no_show(match_id)
        for match_id in ids:
            if match_id not in absent:
                self._play(match_id)
        for box in self._boxes.values():
            box.upload(self.service.store)
        self._collector.collect()
        self._settle(ids)
        self.clock.pass_by(timedelta(minutes=self.service.state.setup.slot_minutes))

    def _no_show(self, match_id: ev.MatchId) -> None:
        match = self.service.state.matches[match_id]
        absent = self._chance.choice((match.a, match.b))
        self._do(JURY, command(match_commands.no_show, match_id, absent, self.clock.now), "absent")
        self.day.no_shows += 1

    def _play(self, match_id: ev.MatchId) -> None:
        """With a box, now and then with a wrong slip beside it; without one, on paper."""
        state = self.service.state
        match = state.matches[match_id]
        box = self._boxes.get(match.table)
        self.day.played += 1
        if box is None:
            spare = SimulatedBox(match.table, self._chance)  # its journal never comes in
            self._on_paper(match, spare.play(state, match))
            self.day.on_paper += 1
            return
        result = box.play(state, match)
        if not match.more and self._chance.random() < TYPOS:
            one, other = result["counts"]
            wrong = ev.Reported(
                match=match_id,
                # never below 0, nor more cards than the deck has
                cards=(one, other - 1) if other else (one - 1, other),
                winner=_winner(match, result),
                source="paper",
            )
            self._do(DESK, command(match_commands.report, wrong))
            self.day.typos += 1

    def _on_paper(self, match: MatchState, result: Json) -> None:
        cards = (result["counts"][0], result["counts"][1])
        winner = _winner(match, result)
        level = cards[0] == cards[1]
        kind: Kind = "drawn" if len(result["ranking"]) == 1 and not level else "played"
        self._do(DESK, command(match_commands.enter, match.id, cards, kind, winner), "paper")

    def _settle(self, ids: Sequence[ev.MatchId]) -> None:
        """Where box and paper disagree, the desk looks at both and takes the box's."""
        for match_id in ids:
            match = self.service.state.matches[match_id]
            if match.counts:
                continue
            said = next(report for report in match.reports if report.source == "box")
            self._do(
                DESK,
                command(
                    match_commands.check,
                    *(said.match, said.cards, said.kind, said.winner, said.places),
                ),
                "the journal is verified",
            )

    def _do(self, actor: str, wanted: LogCommand, why: str = "") -> None:
        self.service.do(actor, why, wanted)


def _call(state: TournamentState, match_id: ev.MatchId) -> Sequence[ev.AnyBody]:
    """To the planned table, or in the knock-out to the next free one."""
    in_group = state.matches[match_id].group is not None
    return match_commands.call(
        state, match_id, None if in_group else match_commands.free_table(state)
    )


def _winner(match: MatchState, result: Json) -> PlayerId | None:
    """Who won by the jury's word, where the cards do not say it."""
    first = result["ranking"][0]
    if len(first) != 1 or result["counts"][0] != result["counts"][1]:
        return None
    return (match.a, match.b)[first[0]]


def _one_card_over(state: TournamentState, match_id: ev.MatchId) -> Sequence[ev.AnyBody]:
    """One card was counted on the wrong side."""
    match = state.matches[match_id]
    assert match.result is not None
    one, other = match.result.cards
    cards = (one - 1, other + 1) if one else (one + 1, other - 1)
    return corrections.correct(state, match_id, cards, force=True)


def simulate_day(
    db: str | None,
    count: int,
    seed: int,
    tables: int | None = None,
    tournament: str | None = None,
    tell: Tell = lambda _: None,
    game: str = "",
) -> tuple[TournamentService, Day]:
    """A new tournament of `count` players, played to the champion; it is in the store when all of
    it has been played. `db`: as for `open_store`, where no `db` is the practice database. `game`:
    at tables of several. Raises UserError.
    """
    if not FEWEST <= count <= MOST:
        raise UserError("day_size", fewest=FEWEST, most=MOST, count=count)
    # a power of two, and half of the players at most
    ko_size = LARGEST_KO
    while ko_size > count // 2:
        ko_size //= 2
    setup = ev.Created(
        name=f"Probelauf {count} {seed}",
        ko_size=ko_size,
        tables=tables or max(2, count // PLAYERS_A_TABLE),
        decks=["berge"],
    )
    if game:
        setup = replace(setup, mode="tables", game=game, rounds=ROUNDS, decks=decks_of(game))
    clock = SimulatedClock()
    with all_or_nothing(db or PRACTICE) as store:
        log = TournamentLog(store.engine, store.errors)
        # in memory, copied at the end: Ctrl-C left half a tournament that the next run refused
        with closing(TournamentService.create(SCRATCH, DESK, setup, tournament, clock)) as played:
            if played.id in log.tournaments():
                raise UserError("tournament_exists", tournament=played.id)
            day = SimulatedHall(played, clock, seed, tell).run(count)
            matches = played.store.matches()
            # so that the copied journals can still be verified: keys are read from the database
            for key in played.store.enrolled.all().keys:
                store.enrolled.enrol(key.box, key.public, key.by)
            log.create(played.id, played.lines(), lambda session: copy_matches(session, matches))
        return TournamentService(store, played.id, clock), day

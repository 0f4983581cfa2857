"""What `--json` prints: always one document, a list or an object, by command. From these types
comes docs/json.schema.json (`make helps`); a test runs every command and compares.

What is a record of its own has its own page: decks, boards and results TRANSCRIPT.md, tournaments
docs/tournament-format.md, `schiri replay --json` the lines of TRANSCRIPT.md.
"""

import json
from typing import Any, TypedDict

import msgspec

from host_tools.box.assigning import Given
from host_tools.box.finding import Found
from host_tools.box.sync import Synced
from host_tools.commands import where as kept
from host_tools.commands.cards import cards
from host_tools.commands.doctor import Requirement
from host_tools.commands.tournament.matches import ListedMatch
from host_tools.commands.tournament.output import Rated
from host_tools.commands.tournament.tables import ModeShown, PlannedMatch
from host_tools.commands.tournament.writing import Variant
from host_tools.commands.verify import CheckedClaim
from host_tools.core.json_types import with_plain_descriptions
from host_tools.hall.checking import BoxCheck
from host_tools.provision.ledger import LedgerEntry
from host_tools.store.journal.reading import LineFault
from host_tools.store.live import Refused
from host_tools.tournament import events as ev
from host_tools.tournament.boxes import SeenBox
from host_tools.tournament.commands.corrections import Impact
from host_tools.tournament.ko import FinalPlace
from host_tools.tournament.model import PlayerId, Tournament
from host_tools.tournament.operations import OPERATIONS
from host_tools.tournament.standings import StandingsRow
from host_tools.tournament.state import Note
from host_tools.tournament.verifying import ProvedExport, Verified

OwnFormat = dict[str, Any]
"""Fixed by a page of its own."""


class ErrorReport(TypedDict):
    """An error, on stderr: of every command, of a call that is wrong, too."""

    code: str
    fields: dict[str, Any]
    text: str


class FileFault(TypedDict):
    line: int
    field: str
    text: str


class FileReport(TypedDict):
    file: str
    faults: list[FileFault]
    notes: list[str]


class CheckedDeck(FileReport):
    cards: int | None  # null: it has faults


class CheckedBoard(FileReport):
    tables: int | None  # null: it has faults


class ListedBoard(TypedDict):
    id: str
    title: str
    tables: int
    preset: str


class ListedDeck(TypedDict):
    id: str
    title: str
    cards: int
    preset: str | None


class GuessedCategory(TypedDict):
    title: str
    unit: str
    best: str


class ImportedDeck(TypedDict):
    file: str
    cards: int
    categories: list[GuessedCategory]
    faults: list[str]


class CardBalance(TypedDict):
    code: str
    name: str
    wins: float


class CategoryBalance(TypedDict):
    key: str
    title: str
    called: float
    tied: float
    dead: bool


class DeckBalance(TypedDict):
    matches: int
    seats: int
    cards: list[CardBalance]
    categories: list[CategoryBalance]


class Sheets(TypedDict):
    file: str
    cards: int
    sheets: int
    a_sheet: int


class ListedGame(TypedDict):
    name: str
    folder: str | None  # null: built in
    presets: list[str]
    seats: tuple[int, int]


class GameFault(TypedDict):
    check: str
    sentence: str


class CheckedGame(TypedDict):
    game: str
    checks: list[str]
    faults: list[GameFault]


class BuiltFirmware(TypedDict):
    rom: int
    rooms: dict[str, int]


class Image(TypedDict):
    file: str
    board: str
    bytes: int


class SignedFirmware(TypedDict):
    file: str
    firmware: str
    public: str


class EnrolledLine(TypedDict):
    box: str
    id: str
    fingerprint: str
    since: int
    by: str
    revoked: int | None
    public: str


class NewlyEnrolled(EnrolledLine):
    new: bool


class DeskKey(TypedDict):
    league: str
    id: str
    public: str
    file: str


class ListedKey(TypedDict):
    number: int
    name: str
    current: bool
    retired: bool


class Ready(TypedDict):
    aim: str
    ready: bool
    parts: list[Requirement]


class ListedUser(TypedDict):
    name: str
    role: str
    only: list[str]


class ReadTag(TypedDict):
    chip: str
    uid: str
    genuine: bool | None  # null: the tag does not know READ_SIG
    holds: str
    link: str
    key: int | None
    wrong: str | None


class SlipSeatRow(TypedDict):
    name: str
    count: int
    points: int | None
    place: int


class ReadSlip(TypedDict):
    match: str
    box: str
    game: str
    table: str
    reason: str
    duration_s: int
    head: str
    seats: list[SlipSeatRow]
    uid: str
    read: str
    journal: str


class BookedSlip(ReadSlip):
    link: str


class BoxStatus(TypedDict):
    """docs/link.md: `status`, `health` and `hello`."""

    matches: int
    waiting: int
    free_bytes: int
    ticks_ms: int
    unix: int | None  # null: its clock was not set since it got power
    reader: list[tuple[str, int]]
    heap_free: int
    heap_largest: int
    unread: int
    in_match: bool
    schiri: int
    box: str
    name: str
    table: int
    firmware: str
    key: str | None
    max_request: int


class BoxSettings(TypedDict):
    name: str
    table: int
    language: str
    volume: int
    sealed_only: bool
    screen: int
    screen_fast: bool
    keep_alive: bool


class BoxAir(TypedDict):
    why: str
    connects: int
    refused: int
    skipped: int
    rssi: int | None  # null: the radio does not say


class BoxHall(TypedDict):
    wifi: str
    wifi_password: bool
    broker: str
    port: int
    mqtt_password: bool
    radio: bool
    air: BoxAir | None  # null: off the air, as in a match that needs its memory


class SelfTest(TypedDict):
    flash: bool | None
    display: bool | None
    reader: bool | None
    reset: bool | None  # null: not tested, as in a match
    journal: bool | None


class BoxSound(TypedDict):
    number: int
    name: str
    rhythm: str
    ms: int
    tones: list[tuple[int, int, int]]
    meaning: str


class Reading(TypedDict):
    """One of the printed page; `value` and `right` are null for one that was not made."""

    id: str
    reading: str
    unit: str
    expected: str
    value: float | None
    right: bool | None


class BenchReport(TypedDict):
    """`holds`: the names in the file to send."""

    file: str
    holds: list[str]
    measurements: list[Reading]


class Beside(TypedDict):
    """A figure of the twin beside that of the box."""

    # null in either: only the other has such a figure
    twin: float | str | None
    box: float | str | None


class SyncedBox(TypedDict):
    box: str
    name: str
    first_time: bool
    running: int
    matches: list[Synced]


class StoredSeat(TypedDict):
    seat: int
    name: str
    place: int | None
    count: int | None
    points: int | None


class StoredJournal(TypedDict):
    id: int
    box: str
    match: int
    game: str
    preset: str | None
    state: str
    reason: str
    received: str
    digest: str
    result: OwnFormat | None
    seats: list[StoredSeat]


class JudgedJournal(TypedDict):
    box: str
    match: int
    records: int
    state: str
    reason: str
    faults: list[LineFault]
    result: OwnFormat | None


class HallSetup(TypedDict):
    folder: str
    boxes: list[str]
    watch_password: str
    watch_passwords: dict[str, str]
    tag: str
    commands: dict[str, list[str]]


class HallCheck(TypedDict):
    boxes: list[BoxCheck]
    refused: list[Refused]


class ListedPlayer(TypedDict):
    id: PlayerId
    name: str
    club: str
    seed: int | None
    first: str
    surname: str
    country: str
    group: str | None
    present: bool
    withdrawn: bool
    excluded: bool


class Announcement(TypedDict):
    announcement: int
    text: str


class DeckOut(TypedDict):
    match: str
    table: int
    deck: str
    status: str


class Estimated(TypedDict):
    group_slots: int
    group_minutes: int
    ko_minutes: int
    minutes: int


class DayPlan(TypedDict):
    matches: list[PlannedMatch]
    estimate: Estimated


class Begins(TypedDict):
    begins: str | None


class Standings(TypedDict):
    groups: dict[str, list[StandingsRow]]
    overall: list[StandingsRow]
    final: list[FinalPlace]


class Seed(TypedDict):
    seed: int
    player: PlayerId


class TreeMatch(TypedDict):
    match: int
    a: PlayerId | None
    b: PlayerId | None
    seed_a: int | None
    seed_b: int | None
    bye: bool
    cards: tuple[int, int] | None
    kind: str | None
    winner: PlayerId | None


class TreeRound(TypedDict):
    round: str
    matches: list[TreeMatch]


class KoTree(TypedDict):
    size: int
    seeds: list[Seed]
    byes: list[PlayerId]
    rounds: list[TreeRound]
    third: TreeMatch | None
    champion: PlayerId | None


CollectedFrom = TypedDict(
    "CollectedFrom", {"from": str, "match": str | None, "why": str}
)  # a keyword


class ForgetResult(TypedDict):
    players: int
    boxes: list[str]


class SimulatedDay(TypedDict):
    tournament: str
    played: int
    no_shows: int
    on_paper: int
    typos: int
    corrected: list[str]
    withdrawn: list[PlayerId]
    excluded: list[PlayerId]
    late: list[PlayerId]
    lots: int
    champion: PlayerId | None
    third: PlayerId | None
    events: int


class Exported(TypedDict):
    file: str
    format: str


class Published(TypedDict):
    target: str
    files: int


class Deleted(TypedDict):
    tournament: str
    name: str
    players: int
    lines: int
    journals: int


LogEntries = list[ev.LogEntry]
"""What a command did: entries of the log."""
_T = "schiri tournament"

# command -> what it prints; several: without arguments it shows something, with some it acts
SHAPES: dict[str, tuple[Any, ...]] = {
    "schiri boards check": (list[CheckedBoard],),
    "schiri boards list": (list[ListedBoard],),
    "schiri boards show": (OwnFormat,),
    "schiri box assign": (Given,),
    "schiri box bringup": (OwnFormat,),
    "schiri box certify": (dict[str, Beside],),
    "schiri box enrol": (NewlyEnrolled,),
    "schiri box hall": (BoxHall,),
    "schiri box keys": (list[EnrolledLine],),
    "schiri box list": (list[Found],),
    "schiri box report": (BenchReport,),
    "schiri box revoke": (EnrolledLine,),
    "schiri box selftest": (SelfTest,),
    "schiri box set": (BoxSettings,),
    "schiri box sounds": (list[BoxSound],),
    "schiri box status": (BoxStatus,),
    # made from the games, like the commands themselves: those of an added game, too
    **{f"schiri cards {what}": (Sheets,) for what in sorted(cards.commands)},
    "schiri decks balance": (DeckBalance,),
    "schiri decks check": (list[CheckedDeck],),
    "schiri decks import": (ImportedDeck,),
    "schiri decks list": (list[ListedDeck],),
    "schiri decks show": (OwnFormat,),
    "schiri desk user list": (list[ListedUser],),
    "schiri doctor": (list[Ready],),
    "schiri firmware build": (BuiltFirmware,),
    "schiri firmware image": (Image,),
    "schiri firmware sign": (SignedFirmware,),
    "schiri games check": (CheckedGame,),
    "schiri games list": (list[ListedGame],),
    "schiri hall check": (HallCheck,),
    "schiri hall setup": (HallSetup,),
    "schiri journal verify": (JudgedJournal,),
    "schiri keys desk": (DeskKey,),
    "schiri keys show": (list[ListedKey],),
    "schiri provision report": (list[LedgerEntry],),
    # alone it is `results list`
    "schiri results": (list[StoredJournal],),
    "schiri results list": (list[StoredJournal],),
    "schiri results show": (StoredJournal,),
    "schiri results slip": (StoredJournal,),
    "schiri slip check": (list[ReadSlip],),
    "schiri slip read": (BookedSlip,),
    "schiri sync": (SyncedBox,),
    "schiri tag read": (ReadTag,),
    "schiri verify": (CheckedClaim,),
    "schiri where": (list[kept.DataPlace],),
    **{f"{_T} {Variant(row).path}": (LogEntries,) for row in OPERATIONS.values() if row.cli},
    # below the operations: what also shows something takes the place of its row there
    f"{_T} announce": (list[Announcement], LogEntries),
    f"{_T} begins": (Begins, LogEntries),
    f"{_T} boxes": (list[SeenBox],),
    f"{_T} collect": (list[CollectedFrom],),
    # without --yes only the preview
    f"{_T} correct": (Impact, LogEntries),
    f"{_T} deck-back": (list[DeckOut], LogEntries),
    f"{_T} delete": (Deleted,),
    # without -o, and with it
    f"{_T} export": (Tournament, Exported),
    f"{_T} forget": (ForgetResult,),
    f"{_T} import": (LogEntries,),
    f"{_T} jury list": (list[Note],),
    f"{_T} ko": (KoTree,),
    f"{_T} list": (list[str],),
    f"{_T} log": (LogEntries,),
    f"{_T} lot": (list[list[PlayerId]], LogEntries),
    f"{_T} matches": (list[ListedMatch],),
    f"{_T} mode": (ModeShown, LogEntries),
    f"{_T} new": (LogEntries,),
    f"{_T} plan": (DayPlan, LogEntries),
    f"{_T} players": (list[ListedPlayer],),
    f"{_T} publish": (Published,),
    f"{_T} ratings": (list[Rated],),
    f"{_T} restore": (LogEntries,),
    f"{_T} simulate": (SimulatedDay,),
    f"{_T} standings": (Standings,),
    f"{_T} unplaced": (list[ev.Unplaced],),
    # with --export the second
    f"{_T} verify": (Verified, ProvedExport),
}
LINES = {
    "schiri replay": "a line an answer, then the result (TRANSCRIPT.md)",
}
"""What prints lines with `--json`: only what a page of records fixes."""


def fits(command: str, data: object) -> bool:
    """Whether `data`, as JSON has it, is what `command` prints: nothing missing, nothing more."""
    return any(_fits(shape, data) for shape in SHAPES[command])


def _fits(shape: Any, data: object) -> bool:
    try:
        # there and back: `convert` passes over fields that the shape does not have
        return bool(json.loads(msgspec.json.encode(msgspec.convert(data, shape))) == data)
    except msgspec.ValidationError:
        return False


def schema() -> str:
    """docs/json.schema.json: of every command what it prints; `error`: on stderr."""
    shapes = [shape for several in SHAPES.values() for shape in several]
    # in one call, so that shapes share what they consist of; they come back in this order
    found, parts = msgspec.json.schema_components(
        [*shapes, ErrorReport], ref_template="#/$defs/{name}"
    )
    each = iter(found)
    commands = {name: {"anyOf": [next(each) for _ in SHAPES[name]]} for name in SHAPES}
    document: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What schiri prints with --json: one document a call",
        "commands": dict(sorted(commands.items())),
        "error": next(each),
        "$defs": parts,
    }
    document = with_plain_descriptions(document)
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=False) + "\n"

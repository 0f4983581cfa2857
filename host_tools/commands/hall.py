"""`schiri hall`: receive what boxes on the air send; set a hall up, and check it."""

import asyncio
import errno
import socket
import time
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, TypedDict

import click

from host_tools.cards.keys import KeyRing, load_keys
from host_tools.cards.public_keys import load_desk_key
from host_tools.commands.options import DB, CommandReport, echo_json, reports
from host_tools.core.command_line import (
    LISTEN_PORT,
    PATH,
    PORT_NUMBER,
    asked_language,
    group,
    json_lines_option,
    never_with,
    only_with,
    refuse_before,
    tournament_option,
)
from host_tools.core.errors import Exit, Sentence, UserError, as_data, counted, in_words
from host_tools.core.installing import bring
from host_tools.core.own_files import read_text
from host_tools.core.signals import heed_signals
from host_tools.core.texts import TEXTS
from host_tools.hall import protocol
from host_tools.hall.checking import BoxCheck, check_boxes, why
from host_tools.hall.children import Child, end_with_parent, running
from host_tools.store import open_store
from host_tools.store.heard import SILENT_S, Refused
from host_tools.tournament.service import TournamentService, tournament_ids

if TYPE_CHECKING:
    from host_tools.hall.connection import ReceivingState
    from host_tools.hall.reception import Reception
    from host_tools.store.store import Store
    from host_tools.web.health import HealthCollector

PORT = 1883
DESK_PORT = 8010
LOOPBACK = "127.0.0.1"
HEALTH = f"{LOOPBACK}:8011"
LAST_PORT = 65535
NOT_STORING_S = 10.0  # a board may be ten seconds behind (docs/hall.md)
REPORT_S = 2.0
STARTING_S = 20.0
LOOK_S = 0.1
RECEIVER_HUNG_S, BROKER_HUNG_S = 4.0, 20.0
"""Seconds without a sign of life after which a part is killed and started again. Killing the
broker drops every box, so it is given longer.
"""
_STATES = {"connecting": "hall_connecting", "receiving": "hall_receiving"}
_READER = {"ok": "reader_ok", "restarting": "reader_restarting", "broken": "reader_broken"}


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


@group(invoke_without_command=True)
@DB
@tournament_option()
@click.option(
    "--host",
    default=LOOPBACK,
    show_default=True,
    help="Where broker and board listen: 0.0.0.0 lets boxes and browsers of the hall in.",
)
@click.option(
    "--port", default=PORT, show_default=True, type=PORT_NUMBER, help="The broker's port."
)
@click.option("--broker", help="Another broker: mqtt://host:1883, mqtts://host:8883.")
@click.option("--cafile", type=PATH, help="PEM file of who signed the broker's certificate.")
@click.option(
    "--desk-port",
    default=DESK_PORT,
    show_default=True,
    type=LISTEN_PORT,
    help="The port of board and desk; 0: neither of them.",
)
@click.option(
    "--health",
    "health_at",
    metavar="HOST:PORT",
    help="Where /healthz and /metrics are served; 0: nowhere. Default: 127.0.0.1:8011.",
)
@click.option(
    "--league",
    "for_league",
    is_flag=True,
    help="Receive for a league from brokers of halls that have a `schiri hall` of their own.",
)
@json_lines_option("A JSON object a line whenever something has changed.")
@click.pass_context
@only_with("--cafile", "--broker")
@only_with("--league", "--broker")
@never_with("--broker", "--port")
def hall(
    context: click.Context,
    db: str | None,
    tournament: str | None,
    host: str,
    port: int,
    broker: str | None,
    cafile: Path | None,
    desk_port: int,
    health_at: str | None,
    for_league: bool,
    as_lines: bool,
) -> None:
    """The live hall: boxes on the air into the store, onto the board.

    \b
    schiri hall --host 0.0.0.0
    schiri hall --broker mqtts://hall.local:8883 --cafile hall/ca.pem --desk-port 0

    Broker, receiver and board, each in a process of its own. One that dies or hangs is started
    again, and boxes are heard again within ten seconds. Run one for each broker.
    """
    refuse_before(context, "--db")
    if context.invoked_subcommand is not None:
        return
    own = broker is None
    at = broker or f"mqtt://{_own(host)}:{port}"
    # everything that would fail however often it were started is found before anything is
    _connection().BrokerAddress.read(at, cafile)
    leagues_of(load_keys())
    played = _played(db, tournament)
    words = _words({"--db": db, "--tournament": tournament})
    receives = _words({"--cafile": str(cafile) if cafile else None, "--health": health_at})
    flags = {"--built-in": own, "--league": for_league, "--json": as_lines}
    receives += [name for name, is_set in flags.items() if is_set]
    receives = ["hall", "receive", "--broker", at, *words, *receives]
    children = [Child("receiver", receives, partial(_check_health, health_at), RECEIVER_HUNG_S)]
    if own:
        serves = ["hall", "broker", "--host", host, "--port", str(port)]
        free = partial(_check_free, host, port, "broker_port_taken")
        children.append(Child("broker", serves, free, BROKER_HUNG_S))
    if desk_port and played:
        serves = ["desk", "--host", host, "--port", str(desk_port), *words]
        free = partial(_check_free, host, desk_port, "desk_port_taken")
        children.append(Child("desk", serves, free))
    # a board shows a tournament; what boxes send is stored without one, too
    elif desk_port:
        click.echo(in_words(Sentence("hall_no_board"), asked_language()), err=True)
    with running(children):
        run_until_stopped(_wait_always())


def _words(options: dict[str, str | None]) -> list[str]:
    """The options that have a value, as a command line has them."""
    return [word for name, value in options.items() if value for word in (name, value)]


async def _wait_always() -> None:
    while True:
        # `children` interrupts this thread when a port was taken, which wakes no sleeping loop
        await asyncio.sleep(LOOK_S)


def _played(db: str | None, tournament: str | None) -> list[str]:
    """The tournaments of this hall. Raises UserError, also if the one named is not there."""
    with closing(open_store(db)) as store:
        played = tournament_ids(store) if tournament is None else [tournament]
        for one in played:
            TournamentService.of(store, one)
    return played


@hall.command(hidden=True)
@DB
@tournament_option()
@click.option("--broker", required=True, help="As for `schiri hall`.")
@click.option("--cafile", type=PATH, help="PEM file of who signed the broker's certificate.")
@click.option("--health", "health_at", metavar="HOST:PORT", help="As for `schiri hall`.")
@click.option("--built-in", is_flag=True, help="The broker is being started beside it.")
@click.option("--league", "for_league", is_flag=True, help="As for `schiri hall`.")
@json_lines_option("A JSON object a line whenever something has changed.")
def receive(
    db: str | None,
    tournament: str | None,
    broker: str,
    cafile: Path | None,
    health_at: str | None,
    built_in: bool,
    for_league: bool,
    as_lines: bool,
) -> None:
    """The receiver alone, as `schiri hall` runs and restarts it.

    schiri hall receive --broker mqtt://127.0.0.1:1883
    """
    address = _connection().BrokerAddress.read(broker, cafile)
    end_with_parent()
    beside = _health_socket(health_at)
    with closing(open_store(db)) as store:
        played = tournament_ids(store) if tournament is None else [tournament]
        services = [TournamentService.of(store, one) for one in played]
        run_until_stopped(
            _receive(store, address, services, as_lines, built_in, beside, for_league)
        )


def _check_health(asked: str | None) -> None:
    """Raises UserError if health was asked for at a place that cannot be had."""
    place = _health_socket(asked) if asked else None
    if place is not None:
        place.close()


def _health_socket(asked: str | None) -> socket.socket | None:
    """Where health is served. If the default place is taken, that is only told: a second hall runs
    on this machine. Raises UserError.
    """
    if asked == "0":
        return None
    host, _, port = (asked or HEALTH).rpartition(":")
    # cut off, as `int` refuses thousands of digits with an error of its own
    if not host or not port.isdecimal() or int(port[:6]) > LAST_PORT:
        raise UserError("health_at", text=asked or HEALTH)
    from host_tools.web.serving import listen

    try:
        # IPv6: brackets part the address from the port (RFC 3986, 3.2.2)
        return listen(host.strip("[]"), int(port))
    except UserError as error:
        if asked:
            raise
        click.echo(in_words(error.sentence, asked_language()), err=True)
        return None


def _connection() -> Any:
    """The module that needs the extra `hall`."""
    try:
        from host_tools.hall import connection
    except ModuleNotFoundError as error:
        mend = bring("aiomqtt", "amqtt")
        raise UserError("no_hall_extra", package=str(error.name), mend=mend) from error
    return connection


def run_until_stopped(work: Coroutine[Any, Any, None]) -> None:
    """Until Ctrl-C or SIGTERM: both cancel it, neither is raised in the middle of a task."""
    began: list[asyncio.Task[Any]] = []
    asked: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        asked.append(number)
        for task in began:
            if not task.done():
                task.get_loop().call_soon_threadsafe(task.cancel)  # this wakes a loop that sleeps

    async def until_stopped() -> None:
        task = asyncio.current_task()
        assert task is not None
        began.append(task)
        if asked:  # while the loop was being made
            task.cancel()
        await work

    # closed, as a coroutine that never began complains that nobody awaited it
    with suppress(asyncio.CancelledError), closing(work), heed_signals(stop):
        asyncio.run(until_stopped())


def leagues_of(ring: KeyRing) -> dict[str, bytes]:
    """League id -> key. Raises UserError if there is no key."""
    assert ring.current
    return {protocol.league_id(key.secret): key.secret for key in ring.keys}


def _own(host: str) -> str:
    # these are for listening only: Windows connects to neither
    return LOOPBACK if host in ("0.0.0.0", "") else host


def _check_free(host: str, port: int, taken: str) -> None:
    """Raises UserError if nobody can listen there."""
    from host_tools.web.serving import open_socket

    try:
        open_socket(host, port).close()
    except OSError as error:
        code = taken if error.errno == errno.EADDRINUSE else "not_listening"
        raise UserError(code, Exit.SYSTEM, host=host, port=port, system=error) from error


async def _wait_for_own(address: Any) -> None:
    """The built-in broker takes a moment to start; one that does not is told of as any other."""
    with suppress(TimeoutError):
        async with asyncio.timeout(STARTING_S):
            while True:
                with suppress(OSError):
                    _, writer = await asyncio.open_connection(address.host, address.port)
                    writer.close()
                    return
                await asyncio.sleep(LOOK_S)


async def _receive(
    store: "Store",
    address: Any,
    services: list[TournamentService],
    as_lines: bool,
    own: bool,
    beside: socket.socket | None,
    for_league: bool,
) -> None:
    from host_tools.hall.connection import ReceivingState, receive
    from host_tools.hall.pairing import Pairing
    from host_tools.hall.reception import Reception

    ring = load_keys()
    leagues = leagues_of(ring)
    progress = ReceivingState(changed=lambda status: _say_progress(status, as_lines))
    # boxes of a league get their matches from their own halls
    gives = bool(services) and not for_league
    pairing = Pairing(services, asked_language()) if gives else None
    follow = pairing.follow if pairing else None
    event = services[0].id if len(services) == 1 else ""
    # `desk` is a function: its key may be made or changed while the hall runs
    reception = Reception(store, leagues, event, follow, desk=load_desk_key, for_league=for_league)
    air = protocol.air_key(ring.current.secret)
    tasks = reception.tasks
    tasks.keep("report", partial(_report_always, store, as_lines))
    if beside is not None:
        from host_tools.web.health import serve_beside

        tasks.keep("health", partial(serve_beside, _health(reception, progress), beside))
    if pairing is not None:
        tasks.keep("pairing", partial(pairing.watch, reception))
    if own:
        await _wait_for_own(address)
    await receive(reception, address, air, progress)


def _health(reception: "Reception", progress: "ReceivingState") -> "HealthCollector":
    from host_tools.web.health import HealthCollector, Value, box_values, refused_values

    def troubles() -> list[str]:
        found = [progress.state] if progress.state == "connecting" else []
        stored_s = time.time() - reception.stored_at
        return [*found, *(["not storing"] if stored_s > NOT_STORING_S else [])]

    def values() -> Iterator[Value]:
        receives = progress.state == "receiving"
        yield Value("receiving", "1 in a hall that receives", float(receives))
        yield Value("heard_seconds", "When a message was heard last", reception.heard_at)
        yield Value("stored_seconds", "When all that was heard was stored", reception.stored_at)
        yield Value("messages_waiting", "Messages that were not heard yet", reception.waiting)
        yield Value("rows_waiting", "Lines and states not stored yet", reception.unwritten)
        yield from refused_values(reception.refusals)
        with suppress(UserError):  # the database
            yield from box_values(reception.store.live.boxes(), datetime.now(UTC))

    return HealthCollector(reception.tasks, troubles, values)


def _say_progress(status: "ReceivingState", as_lines: bool) -> None:
    if as_lines:
        error = status.error and as_data(status.error.sentence, asked_language())
        echo_json({"hall": status.state, "error": error})
        return
    lang = asked_language()
    said = Sentence(_STATES[status.state])
    click.echo(in_words(status.error.sentence if status.error else said, lang))


async def _report_always(store: "Store", as_lines: bool) -> None:
    """A line whenever the number of boxes, or of what was refused, has changed; and why, for each
    sender once.
    """
    before: dict[str, Any] = {}
    known: set[str] | None = None
    while True:
        try:
            # in a thread: a database that hangs must not hold up what comes from boxes
            now, refusals = await asyncio.to_thread(_summary, store)
        except UserError:
            # the database: waited out, as in every loop (decisions/supervision-and-health.md)
            now, refusals = before, []
        marks = {_mark(refused): refused for refused in refusals}
        known = set(marks) if known is None else known  # those of before the start
        if now != before:
            new = [refused for mark, refused in marks.items() if mark not in known]
            _say_summary(now, new, as_lines)
        known |= set(marks)
        before = now
        await asyncio.sleep(REPORT_S)


def _mark(refused: Refused) -> str:
    return f"{refused.sender} {refused.reason}"


def _summary(store: "Store") -> tuple[dict[str, Any], list[Refused]]:
    at = datetime.now(UTC)
    boxes, refusals = store.live.boxes(), store.live.refusals()
    silent = [b.box for b in boxes if (at - b.heard).total_seconds() > SILENT_S]
    refused = {_mark(r): r.count for r in refusals}
    return {"boxes": len(boxes), "silent": silent, "refused": refused}, refusals


def _say_summary(now: dict[str, Any], new: Sequence[Refused], as_lines: bool) -> None:
    if as_lines:
        echo_json(now)
        return
    count = sum(now["refused"].values())
    sentences = [
        Sentence("hall_summary", boxes=now["boxes"], silent=len(now["silent"]), refused=count)
    ]
    for sentence in [*sentences, *map(_refusal, new)]:
        click.echo(in_words(sentence, asked_language()))


def _refusal(refused: Refused) -> Sentence:
    detail = refused.detail or "–"
    fields = {"sender": refused.sender, "count": refused.count, "reason": refused.reason}
    return Sentence("hall_refused", why=why(refused), detail=detail, **fields)


@hall.command()
@click.option("--host", default=LOOPBACK, show_default=True, help="0.0.0.0 lets boxes in.")
@click.option("--port", default=PORT, show_default=True, type=LISTEN_PORT, help="0: any free one.")
def broker(host: str, port: int) -> None:
    """The built-in broker alone, until Ctrl-C.

    schiri hall broker --host 0.0.0.0
    """
    # only for its sentence where the extra is missing
    _connection()
    from host_tools.hall.broker import serve_broker

    leagues = leagues_of(load_keys())
    end_with_parent()
    run_until_stopped(serve_broker(host, port, leagues))


# -- setup and check ------------------------------------------------------------------------------


@hall.command()
@DB
@click.option(
    "--folder", default="hall", show_default=True, type=PATH, help="Where all of it goes."
)
@click.option(
    "--boxes",
    type=PATH,
    help="Text file: a box id a line, and its table. Default: all boxes that this desk has seen.",
)
@click.option("--host", default="0.0.0.0", show_default=True, help="Where Mosquitto listens.")
@click.option("--certificate", type=PATH, help="PEM file, for TLS.")
@click.option("--key", type=PATH, help="PEM file with its key.")
@click.option("--wifi", default="NETWORK", help="Name of the boxes' own network.")
@click.option("--broker", help="Address at which boxes find Mosquitto. Default: this machine's.")
@click.option(
    "--hall",
    "halls",
    multiple=True,
    help="On a league's machine: name of a hall whose broker hands on to it; may be repeated.",
)
@click.option("--league", help="In a hall: the league's broker, mqtts://host:8883.")
@click.option("--as", "named", help="In a hall: its name there.")
@reports
@only_with("--as", "--league")
@only_with("--league", "--as")
@never_with("--boxes", "--db")
@only_with("--key", "--certificate")
def setup(
    db: str | None,
    folder: Path,
    boxes: Path | None,
    host: str,
    certificate: Path | None,
    key: Path | None,
    wifi: str,
    broker: str | None,
    halls: tuple[str, ...],
    league: str | None,
    named: str | None,
) -> CommandReport[HallSetup]:
    """Write Mosquitto's configuration, users and rights, and the commands that each box needs.

    \b
    schiri hall setup --folder hall --boxes boxes.txt --wifi Boxes --broker 192.168.1.10
    schiri hall setup --certificate cert.pem --key key.pem
    schiri hall setup --hall north --hall south
    schiri hall setup --league mqtts://league.example --as north
    """
    connection = _connection()
    from host_tools.commands.play import own_address
    from host_tools.hall import mosquitto

    leagues = leagues_of(load_keys())
    known = _boxes_of(boxes, db)
    pair = (certificate, key or certificate) if certificate else None
    # Mosquitto would notice only when it starts
    for path in pair or ():
        if not path.is_file():
            raise UserError("no_tls_file", Exit.SYSTEM, path=path)
    for name in filter(None, [*halls, named]):
        if not _is_plain(name):
            raise UserError("hall_box_id", box=name)
    above = None
    if league and named:
        to = connection.BrokerAddress.read(league)
        above = mosquitto.League(to.host, to.port, to.tls, named)
    mosquitto.write_setup(folder, leagues, list(known), host, pair, halls=halls, league=above)
    at = broker or own_address()
    tag, commands = mosquitto.tag_command(wifi, at), mosquitto.box_commands(known, wifi, at)
    file = folder / mosquitto.COMMANDS
    mosquitto.write_commands(file, tag, commands)
    # the common users' alone: nobody types those of boxes
    passwords = mosquitto.passwords(leagues, ())
    watch = passwords[protocol.WATCH_USER]
    data: HallSetup = {
        "folder": str(folder),
        "boxes": list(known),
        "watch_password": watch,
        "watch_passwords": {user: passwords[user] for user in protocol.WATCH_USERS},
        "tag": tag,
        "commands": commands,
    }
    lines: list[object] = [
        Sentence("hall_written", path=folder / mosquitto.CONF, count=len(known)),
        Sentence("hall_watch", word=watch),
        *([Sentence("hall_commands", path=file)] if known else []),
    ]
    lines += [f"{box}: {'; '.join(words)}" for box, words in commands.items()]
    return CommandReport(data, lines)


def _boxes_of(path: Path | None, db: str | None) -> dict[str, int | None]:
    """Box -> its table, if that is known."""
    if path is not None:
        rows = [line.split("#")[0].split() for line in read_text(path).splitlines()]
        found = {box: " ".join(table) for box, *table in filter(None, rows)}
    else:
        with closing(open_store(db, reads=True)) as store:
            found = {box.id: "" for box in store.boxes()}
            found |= {box.box: str(box.here.table or "") for box in store.live.boxes()}
    for box, table in found.items():
        if not _is_plain(box) or not (table == "" or table.isdecimal()):
            raise UserError("hall_box_id", box=f"{box} {table}".strip())
    return {box: int(table or 0) or None for box, table in found.items()}


def _is_plain(name: str) -> bool:
    # names stand in topics and in Mosquitto's files: + # / : and spaces mean something there
    return all(letter.isalnum() or letter in "-_." for letter in name)


@hall.command()
@DB
@click.option("--firmware", default="", help="The version that every box should have.")
@reports
def check(db: str | None, firmware: str) -> CommandReport[HallCheck]:
    """Every box on the air: signal, round trip, clock, version, key, battery.

    \b
    schiri hall check
    schiri hall check --firmware 0.1.0

    `schiri hall` must be running somewhere on the same database. Exit code 1 if a box has a fault.
    """
    leagues = leagues_of(load_keys())
    with closing(open_store(db, reads=True)) as store:
        found = check_boxes(store.live.boxes(), datetime.now(UTC), firmware, list(leagues))
        refused = store.live.refusals()
    data: HallCheck = {"boxes": found, "refused": refused}
    faulty = sum(bool(one.faults) for one in found)
    error = counted("hall_fault", "hall_faults", faulty) if faulty else None
    # a check that saw no box must not look passed
    if not found:
        error = UserError("hall_empty", Exit.CHECK)
    lines: list[object] = [_table(found, asked_language())] if found else []
    lines += map(_refusal, refused)
    return CommandReport(data, lines, error)


def _table(checks: Sequence[BoxCheck], lang: str) -> object:
    from rich.table import Table

    text = TEXTS[lang]
    table = Table()
    table.add_column(text["hall_table"], no_wrap=True)
    table.add_column(text["hall_box"], no_wrap=True, overflow="fold")
    table.add_column(text["hall_fit"])
    for one in checks:
        fit = "; ".join(in_words(fault, lang) for fault in one.faults) or text["hall_ok"]
        values = {
            "hall_signal": _with_unit(one.rssi, "dBm"),
            "hall_round_trip": _with_unit(one.rtt_ms, "ms"),
            "hall_clock": _with_unit(one.clock_s, "s"),
            "hall_version": one.firmware,
            "hall_battery": _with_unit(one.battery_mv, "mV"),
            "hall_memory": _with_unit(one.heap and one.heap // 1000, "kB"),
            "hall_reader": text[_READER[one.reader]] if one.reader in _READER else one.reader,
        }
        # one under the other: eleven columns break on a console of 80 letters
        facts = ", ".join(f"{text[key]} {value}" for key, value in values.items() if value)
        box = "\n".join(filter(None, (one.box, one.name)))
        table.add_row(str(one.table or "–"), box, f"{fit}\n{facts}")
    return table


def _with_unit(value: int | None, unit: str) -> str:
    return "" if value is None else f"{value} {unit}"

"""The command `schiri box`: one box at a port, looked at and looked after."""

import json
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypedDict

import click

from card_tags.hmac import hmac_sha256
from firmware.app.link_frames import key_id
from host_tools.box import assigning
from host_tools.box.assigning import Given
from host_tools.box.backup import make_backup, put_matches, read_backup, store_matches
from host_tools.box.finding import Found, candidate_ports, greet, port_of_box
from host_tools.box.firmware.build import read_rom, temporary_build
from host_tools.box.firmware.signature import fields_for
from host_tools.box.link import BoxLink, open_link
from host_tools.box.updating import await_outcome, send_slot
from host_tools.cards.keys import load_keys
from host_tools.cards.public_keys import load_desk_key
from host_tools.commands.bringup import bench_report, bringup, certify
from host_tools.commands.enrolling import EnrolledLine, all_enrolled, enrol, revoke
from host_tools.commands.options import (
    BOX_PORT,
    DB,
    PORT,
    CommandReport,
    ask_password,
    echo_line,
    reports,
)
from host_tools.core.command_line import (
    FILE,
    KEY,
    PATH,
    PORT_NUMBER,
    asked_language,
    by_option,
    group,
    never_with,
    only_with,
    output_option,
    shared_option,
)
from host_tools.core.errors import Exit, Sentence, UserError
from host_tools.core.own_files import refuse_existing, write_output
from host_tools.core.texts import SOUNDS
from host_tools.games.loading import firmware_sources
from host_tools.sim.box_sounds import SILENCE_MS, Sound, as_wav, box_sounds, table
from host_tools.store import open_store

PARTS = ("flash", "display", "reader", "reset", "journal")
VERDICTS = {True: "selftest_good", False: "selftest_bad", None: "selftest_untested"}
SCREENS = ("found", "ssd1306", "sh1106")
YES_NO = {"yes": True, "no": False}


class BoxStatus(TypedDict):
    """docs/link.md: `status`, `health`, `log` and `hello`."""

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
    log: str
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


@contextmanager
def box_at(port: str) -> Iterator[BoxLink]:
    """The box at a port; its version is checked first."""
    with closing(open_link(port)) as link:
        link.hello()
        yield link


@group()
@BOX_PORT
@by_option(shared_option)
def box() -> None:
    """Look after a box: bring it up, look at it, set it, save it, update it."""


box.add_command(bringup)
box.add_command(bench_report)
box.add_command(certify)
box.add_command(enrol)
box.add_command(revoke)


@box.command("list")
@click.option(
    "--enrolled",
    is_flag=True,
    help="Instead, whose signature counts: fingerprint, since when, by whom enrolled, since when"
    " revoked.",
)
@DB
@only_with("--db", "--enrolled")
@reports
def list_boxes(
    enrolled: bool, db: str | None
) -> CommandReport[list[Found]] | CommandReport[list[EnrolledLine]]:
    """Find boxes by their USB id and say hello to each.

    \b
    schiri box list
    schiri box list --enrolled
    """
    if enrolled:
        return all_enrolled(db)
    found = [greet(port) for port in candidate_ports()]
    lines = [f"{one.port}  {one.box or '-'}  {one.name or one.trouble}" for one in found]
    return CommandReport(found, lines or [Sentence("box_no_pico")])


@box.command()
@PORT
@click.option(
    "--selftest", is_flag=True, help="Let it try its parts instead; exit code 1 if one fails."
)
@reports
def status(port: str, selftest: bool) -> CommandReport[BoxStatus] | CommandReport[SelfTest]:
    """Firmware, storage, clock, matches waiting, the health of the reader, and what the last crash
    left behind.

    \b
    schiri box status --port /dev/ttyACM0
    schiri box status --selftest
    """
    if selftest:
        return _tried(port)
    asked = ("status", "health", "log", "hello")
    with box_at(port) as link:
        found: Any = {}
        for one in asked:
            found |= link.request(one)
        # after the questions: what is shown is how far off the clock was until now
        link.request("time", unix=int(time.time()))
    # the number of the last request (docs/link.md), nothing of the box
    del found["id"]
    crash = found["log"] or Sentence("box_no_crash")
    return CommandReport(found, [*_status_lines(found), crash])


def _tried(port: str) -> CommandReport[SelfTest]:
    with box_at(port) as link:
        answer = link.request("selftest")
    parts: Any = {part: answer.get(part) for part in PARTS}
    # None is no fault: the reader's reset is not tried during a match
    bad = [part for part, good in parts.items() if good is False]
    error = UserError("selftest_fails", Exit.CHECK, ids=bad)
    lines = [
        Sentence("setting_line", name=part, detail=Sentence(VERDICTS[good]))
        for part, good in parts.items()
    ]
    return CommandReport(parts, lines, error if bad else None)


_UNITS = ("kB", "MB")


def _status_lines(found: dict[str, Any]) -> Iterator[str]:
    box, version = found["box"], found["firmware"]
    yield Sentence("box_status_name", box=box, name=found["name"], table=found["table"] or "-")
    if found["key"] is None:
        yield Sentence("box_status_no_key", version=version)
    else:
        yield Sentence("box_status_firmware", version=version, key=found["key"])
    yield Sentence("box_status_matches", count=found["matches"], waiting=found["waiting"])
    free = found["free_bytes"] // 1024
    many = free >= 10_000
    yield Sentence("box_status_free", free=free // 1024 if many else free, unit=_UNITS[many])
    yield _clock_line(found["unix"])
    # only from an interpreter that can be asked (firmware/app/inspecting.py)
    if "heap_largest" in found:
        free, largest = found["heap_free"] // 1024, found["heap_largest"] // 1024
        yield Sentence("box_status_heap", free=free, largest=largest)
    for name, count in found["reader"]:
        yield f"  {name} {count}"


def _clock_line(unix: int | None) -> str:
    if unix is None:
        return Sentence("box_clock_unset")
    return Sentence("box_clock_off", seconds=f"{unix - int(time.time()):+d}")


@box.command("set")
@PORT
@click.option("--name", help="Up to 24 characters, shown when the box is idle.")
@click.option("--table", type=int, help="Number of the table, 0 for none.")
@click.option("--language", type=click.Choice(["de", "en"]), help="Of its screen.")
@click.option("--volume", type=int, help="0 silent, 1 quiet, 2 medium, 3 loud.")
@click.option("--sealed-only", type=click.Choice(list(YES_NO)), help="Refuse unsealed cards.")
@click.option("--screen", type=click.Choice(SCREENS), help="Their controller; default: asked.")
@click.option("--screen-fast", type=click.Choice(list(YES_NO)), help="Try 1 MHz on its bus.")
@click.option("--keep-alive", type=click.Choice(list(YES_NO)), help="Carrier board: pulse.")
@click.option(
    "--key",
    type=KEY,
    is_flag=False,
    flag_value="",  # the newest
    metavar="[NAME]",
    help="Give it a league key, so that it knows the sealed cards of the league; without NAME the"
    " newest. A box that has a key takes another one only if this laptop still has the old one.",
)
@reports
def set_settings(
    port: str,
    sealed_only: str | None,
    screen: str | None,
    screen_fast: str | None,
    keep_alive: str | None,
    key: str | None,
    **changes: str | int | None,
) -> CommandReport[BoxSettings]:
    """Change settings of the box; without options, show them.

    \b
    schiri box set --port /dev/ttyACM0 --name "Table 3"
    schiri box set --table 3 --key
    """
    wanted: dict[str, object] = {k: v for k, v in changes.items() if v is not None}
    answers = {"sealed_only": sealed_only, "screen_fast": screen_fast, "keep_alive": keep_alive}
    for name, answer in answers.items():
        if answer is not None:
            wanted[name] = YES_NO[answer]
    if screen is not None:
        wanted["screen"] = SCREENS.index(screen)
    lines: list[str] = []
    with box_at(port) as link:
        if key is not None:
            lines.append(Sentence("box_league_key", name=_give_key(link, key or None)))
        settings = link.request("settings", set=wanted)["settings"]
    lines += [f"{name}: {settings[name]}" for name in sorted(settings)]
    return CommandReport(settings, lines)


def _give_key(link: BoxLink, name: str | None) -> str:
    """The league key called `name`, else the newest; returns its name."""
    ring = load_keys()
    new = ring.find(name)
    # docs/link.md, `key`: the id of the key that it has, never the key
    has = link.request("hello")["key"]
    old = next((k.secret for k in ring.keys if key_id(k.secret) == has), None)
    if has is not None and old is None:
        raise UserError("box_other_key", key=has)
    proof = {} if old is None else {"proof": hmac_sha256(old, new.secret).hex()}
    link.request("key", key=new.secret.hex(), **proof)
    return new.name


_AIR = ("why", "connects", "refused", "skipped", "rssi")  # docs/link.md, request `hall`
_WHY = {
    "connecting": "box_why_connecting",
    # status of the radio, firmware/drivers/radio.py
    "wifi_failed": "box_why_wifi",
    "wifi_timeout": "box_why_wifi",
    "wifi_silent": "box_why_silent",
    "wifi_not_found": "box_why_no_network",
    "wifi_password": "box_why_password",
    "timeout": "box_why_no_broker",
    "lost": "box_why_no_broker",
    "protocol": "box_why_version",
    # return codes of CONNACK (MQTT 3.1.1, 3.2.2.3): 1 version, 4 and 5 login
    "refused_1": "box_why_version",
    "refused_4": "box_why_login",
    "refused_5": "box_why_login",
    # the broker's 0x80 in SUBACK: this user may not listen there
    "not_allowed": "box_why_login",
}


@box.command("hall")
@PORT
@click.option("--wifi", help="Name of the boxes' own network.")
@click.option(
    "--password",
    # a command line is seen by everybody on this machine, and kept by the shell
    envvar="SCHIRI_WIFI_PASSWORD",
    help="Its password; better in SCHIRI_WIFI_PASSWORD. Default: asked for.",
)
@click.option("--broker", help="Address of the broker, numeric: 192.168.1.10.")
@click.option("--broker-port", type=PORT_NUMBER, help="The broker's port; usual: 1883.")
@click.option("--leave", is_flag=True, help="Forget the hall, password and all.")
@reports
@never_with("--leave", "--wifi", "--password", "--broker", "--broker-port")
@only_with("--password", "--wifi")
def set_hall(
    port: str,
    wifi: str | None,
    password: str | None,
    broker: str | None,
    broker_port: int | None,
    leave: bool,
) -> CommandReport[BoxHall]:
    """Tell a box with Wi-Fi how to reach its hall; it starts anew. Without options, show it.

    schiri box hall --wifi Boxes --broker 192.168.1.10
    """
    wanted: dict[str, object] = {"wifi": wifi, "broker": broker, "port": broker_port}
    if leave:
        # docs/link.md: an empty name takes it out, and the box forgets the rest
        wanted = {"wifi": ""}
    elif wifi is not None and password is None:
        password = ask_password()
    if wifi is not None:
        wanted["wifi_password"] = password
    changes = {name: value for name, value in wanted.items() if value is not None}
    with box_at(port) as link:
        if changes.get("wifi"):
            from host_tools.hall.passwords import login_of_box

            hello = link.hello()
            login = login_of_box(str(hello["box"]), str(hello.get("key") or ""))
            changes["mqtt_password"] = login.password
        answer = link.request("hall", **({"set": changes} if changes else {}))
    # an answer to `set` has neither air nor radio: the box restarts after it
    known, counts = answer["hall"], answer.get("air")
    lines: list[object] = [
        Sentence("setting_line", name=name, detail=_plain(known[name])) for name in sorted(known)
    ]
    if not changes:  # else it starts anew
        lines.append(air_line(known, counts))
    air = counts and dict(zip(_AIR, counts, strict=False))
    # a board without a radio refuses a change, so whoever took one has it
    hall: Any = {"radio": True, **known, "air": air}
    return CommandReport(hall, lines)


def air_line(known: dict[str, Any], counts: list[Any] | None) -> Sentence:
    """Is the box in its hall, and if not, why? What it answers to `hall`."""
    if not known.get("radio", True):
        return Sentence("box_air_no_radio")
    if not known["wifi"]:
        return Sentence("box_air_nowhere")
    if counts is None:
        return Sentence("box_air_off")
    air = dict(zip(_AIR, counts, strict=False))
    fields = {name: _plain(air.get(name)) for name in _AIR[1:]}
    if not air["why"]:
        return Sentence("box_air_up", **fields)
    why = _WHY.get(air["why"], "box_why_refused")
    where = f"{known['broker']}:{known['port']}"
    return Sentence("box_air_down", why=Sentence(why, code=air["why"], where=where), **fields)


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return Sentence("answer_yes" if value else "answer_no")
    return "-" if value is None else str(value)


@box.command()
@PORT
@click.option("--withdraw", is_flag=True, help="Take back what it was given.")
@reports
def assign(port: str, withdraw: bool) -> CommandReport[Given]:
    """What match the box was given, who is there, and how far it is.

    \b
    schiri box assign --port /dev/ttyACM0
    schiri box assign --port /dev/ttyACM0 --withdraw

    A match is given with `schiri tournament give`.
    """
    with box_at(port) as link:
        given = assigning.ask(link)
        if withdraw:
            given = assigning.withdraw(link, str(link.hello()["box"]), time.time())
    nothing = Sentence("box_given_nothing")
    lines = [Sentence("box_given", detail=given.assigned or nothing, state=given.state)]
    if given.here:
        lines.append(Sentence("box_given_here", names=", ".join(given.here)))
    if given.plays is not None:
        rest = "" if given.clock is None else Sentence("box_given_left", seconds=given.clock)
        match = given.plays or Sentence("box_given_nobody")
        lines.append(Sentence("box_given_plays", detail=match, rest=rest))
    return CommandReport(given, lines)


@box.command()
@PORT
@output_option("The file.", required=True)
def backup(port: str, output: Path) -> None:
    """Write settings and unconfirmed matches to a file; the box keeps them.

    schiri box backup -o box-3.json --port /dev/ttyACM0
    """
    refuse_existing(output)
    with box_at(port) as link:
        content = make_backup(link)
    write_output(output, json.dumps(content, indent=1).encode())
    echo_line(Sentence("box_backed_up", count=len(content["matches"]), file=output))


@box.command()
@click.argument("file", type=PATH)
@click.option("--port", help="Box that shall get settings and matches back.")
@DB
def restore(file: Path, port: str | None, db: str | None) -> None:
    """Bring back FILE: matches into the store, and with --port all of it onto its box.

    schiri box restore box-3.json --port /dev/ttyACM0
    """
    content = read_backup(file)
    # before any box is asked: without one the matches are safe at the desk all the same
    with closing(open_store(db)) as store:
        stored = store_matches(content, store)
    new = sum(one.new for one in stored)
    echo_line(Sentence("box_restored", new=new, before=len(stored) - new))
    if port is not None:
        with box_at(port) as link:
            # a spare box may have the settings of another; matches go back to their own only
            link.request("settings", set=content["settings"])
            echo_line(Sentence("box_has_settings"))
            count = put_matches(link, content)
        echo_line(Sentence("box_has_matches", count=count))


@box.command()
@PORT
@click.option(
    "--from",
    "file",
    type=FILE,
    help="A built firmware (build/box.romfs of `make firmware`); default: build it now.",
)
@click.option("--older", is_flag=True, help="Also an older firmware than the one that runs.")
def update(port: str, file: Path | None, older: bool) -> None:
    """Give the box a new firmware; if that does not come up, the box goes back by itself.

    A box that this laptop has enrolled gets it with this laptop's signature. One that another has
    enrolled takes a file that was signed there: `schiri firmware --sign FILE`.

    schiri box update --port /dev/ttyACM0
    """
    if file is None:
        with temporary_build(firmware_sources()) as built:
            rom = built.rom
    else:
        rom = read_rom(file)
    copying = Sentence("copying").said(asked_language())
    signed = partial(fields_for, rom=rom, desk=load_desk_key(), beside=file, older=older)
    with box_at(port) as link, click.progressbar(length=len(rom), label=copying) as bar:
        slot = send_slot(link, rom, bar.update, signed)
    echo_line(Sentence("box_tries"))
    # the restart ends the line over USB: each look opens the port anew
    outcome = await_outcome(lambda: open_link(port), slot)
    if not outcome.came_up:
        raise UserError("update_not_up", Exit.CHECK, version=outcome.firmware)
    echo_line(Sentence("box_runs", version=outcome.firmware, slot=outcome.slot))


@box.command("sounds")
@click.option("--play", is_flag=True, help="Play them on the box, all or some.")
# not PORT, which fails where no box is plugged in: the table needs none
@click.option("--port", help="Its port; plays too. Default: the only box there is.")
@click.option(
    "--only",
    metavar="NAME",
    type=click.Choice([one.name for one in box_sounds()]),
    multiple=True,
    help="Only this sound; again for another.",
)
@click.option("--seat", type=click.IntRange(1, 8), help="What a seat hears when it wins.")
@output_option("Save them as a WAV file instead, to be heard without a box.")
@never_with("--output", "--play", "--port")
@reports
def sounds(
    play: bool,
    port: str | None,
    only: tuple[str, ...],
    seat: int | None,
    output: Path | None,
) -> CommandReport[list[BoxSound]]:
    """What the box plays and what it means, as a table; with --play on a box, with -o as a file.

    schiri box sounds --play --only tie
    """
    lang = asked_language()
    # -1 is nobody's: 0 is the seat of all sounds that belong to none
    chosen = [one for one in box_sounds() if one.name in only or one.seat == (seat or -1)]
    chosen = chosen or box_sounds()
    data: Any = [{**one.data(), "meaning": one.meaning(lang)} for one in chosen]
    if output is not None:
        write_output(output, as_wav(chosen))
        return CommandReport(data, [SOUNDS[lang]["saved"].format(file=output)])
    if not play and port is None:
        return CommandReport(data, table(lang, chosen))
    volume = _play(port_of_box(port), chosen)
    words = SOUNDS[lang]
    said = words["played"].format(names=", ".join(one.name for one in chosen))
    return CommandReport(data, [said] if volume else [words["silent"]])


def _play(port: str, chosen: list[Sound]) -> int:
    """Each to its end; returns the volume that the box is set to."""
    volume = 0
    with box_at(port) as link:
        for one in chosen:
            volume = link.request("sound", number=one.number)["volume"]
            # the box plays on by itself; only another request would cut this one off
            if one is not chosen[-1]:
                time.sleep((one.ms + SILENCE_MS) / 1000)
    return volume

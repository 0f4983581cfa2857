"""`schiri box enrol`, `list --enrolled` and `revoke`: whose signature counts, and since when."""

import json
import time
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import click

from host_tools.box.bringup.report import is_intact
from host_tools.box.finding import port_of_box
from host_tools.box.link import BoxLink, BoxRefusal, open_link
from host_tools.cards.keys import load_keys
from host_tools.cards.public_keys import EnrolledKey, SigningKey, fingerprint, key_id, read_public
from host_tools.commands.options import BY, DB, CommandReport, as_data, reports
from host_tools.commands.tournament.common import logged_in
from host_tools.core.command_line import FILE, FOLDER, asked_language, command, never_with
from host_tools.core.errors import Exit, Sentence, UserError, in_words
from host_tools.core.own_files import read_input
from host_tools.store import open_store

if TYPE_CHECKING:
    from host_tools.store.store import Store

MAKING_S, MAKING_TRIES = 0.2, 50


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
    proved: int


@dataclass(frozen=True)
class Offered:
    """The key that a box or its report shows."""

    box: str
    public: bytes


@command("enrol")
@click.option("--port", help="Its port. Default: the only box there is.")
@click.option("--report", type=FILE, help="The report of its bring-up instead of the box itself.")
@click.option(
    "--new-key", is_flag=True, help="Let the box make a new key first; the old one goes."
)
@click.option("--yes", is_flag=True, help="Somebody has compared the fingerprints: do not ask.")
@BY
@DB
@reports
@never_with("--report", "--port", "--new-key")
def enrol(
    port: str | None, report: Path | None, new_key: bool, yes: bool, by: str | None, db: str | None
) -> CommandReport[NewlyEnrolled]:
    """Enrol the key of a box: from now on its results count only with its signature.

    The box shows the fingerprint of its key on its screen, and that of the desk: both must be as
    they stand here. A box whose flash was erased has a new key; what it signed before stays good.
    Results that came before the box was enrolled are looked at again: with its signature they
    are verified now.

    \b
    schiri box enrol --port /dev/ttyACM0
    schiri box enrol --port /dev/ttyACM0 --new-key
    """
    with closing(open_store(db)) as store:
        desk = store.enrolled.desk()
        if report is not None:
            offered = _of_report(report)
            # the box is elsewhere: it can neither show the desk's fingerprint nor learn its key
            _compare(offered, None, yes)
        else:
            with closing(open_link(port_of_box(port))) as link:
                offered = _offer(link, desk, new_key)
                _compare(offered, desk, yes)
        new = store.enrolled.enrol(offered.box, offered.public, by or logged_in())
        (line,) = [key for key in store.enrolled.of(offered.box) if key.public == offered.public]
        proved = store.judge_again(offered.box)
    said = "box_enrolled" if new else "box_enrolled_before"
    lines = [Sentence(said, box=offered.box, fingerprint=line.fingerprint)]
    if proved:
        lines.append(Sentence("enrol_proved", count=proved))
    return CommandReport({**listed(line), "new": new, "proved": proved}, lines)


def _offer(link: BoxLink, desk: SigningKey, new_key: bool) -> Offered:
    """What the box calls its key, once it knows the desk's; docs/link.md, `key_enrol`. What it
    played before would come too late for the key of before.
    """
    box = str(link.hello()["box"])
    if waiting := link.request("status")["waiting"]:
        raise UserError("enrol_waiting", count=waiting, box=box)
    public = _key_of(link)
    if new_key:
        _make_another(link, public)
        public = _key_of(link)
    answer = link.request("key_enrol", desk=desk.public.hex(), name=desk.name)
    # the box may have made another key meanwhile, which nobody has compared
    if read_public(answer.get("public")) != public or answer.get("desk") != desk.id:
        raise UserError("box_other_public", Exit.CHECK, box=box)
    return Offered(box, public)


def _make_another(link: BoxLink, public: bytes) -> None:
    """Let the box make a new key; it finishes what it is signing before."""
    for left in reversed(range(MAKING_TRIES)):
        try:
            link.request("key_make", old=key_id(public))
            return
        except BoxRefusal as refusal:
            # the one refusal that passes by itself, once the match has its signature
            if refusal.reason != "unsigned" or not left:
                raise
        time.sleep(MAKING_S)


def _key_of(link: BoxLink) -> bytes:
    """Its public key; a box that has just begun, or shall have another one, is still making it."""
    for _ in range(MAKING_TRIES):
        answer = link.request("key_public")
        if answer.get("weak"):
            raise UserError("box_weak", Exit.CHECK)
        if answer.get("made"):
            return read_public(answer.get("public"))
        time.sleep(MAKING_S)
    raise UserError("box_makes_no_key", Exit.SYSTEM)


def _of_report(path: Path) -> Offered:
    """The key in a report of `schiri box bringup`. Raises UserError for one that was changed."""
    try:
        said: dict[str, Any] = json.loads(read_input(path))
        intact = is_intact(said, load_keys())
    # any JSON may stand there, a list or a report without a digest
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise UserError("report_none", path=path) from error
    if not intact:
        raise UserError("report_changed", Exit.CHECK, path=path)
    # a new box may not have made one yet
    if not said.get("public"):
        raise UserError("report_no_key", path=path)
    return Offered(str(said.get("box")), read_public(said["public"]))


def _compare(offered: Offered, desk: SigningKey | None, yes: bool) -> None:
    """A person says that the box shows the same. Raises UserError if it does not."""
    shown = {"box": offered.box, "fingerprint": fingerprint(offered.public)}
    lines = [Sentence("enrol_box", **shown)]
    if desk is not None:
        lines.append(Sentence("enrol_desk", fingerprint=fingerprint(desk.public)))
    for line in lines:
        click.echo(in_words(line, asked_language()), err=True)
    question = Sentence("enrol_same").said(asked_language())
    if not yes and not click.confirm(question, err=True):
        raise UserError("enrol_differs", Exit.CHECK, box=offered.box)


def all_enrolled(db: str | None) -> CommandReport[list[EnrolledLine]]:
    """Of every box and desk, also what was revoked."""
    with closing(open_store(db, reads=True)) as store:
        found = store.enrolled.all().keys
    lines = [_line(key) for key in found]
    return CommandReport([listed(key) for key in found], lines or [Sentence("box_keys_none")])


def listed(key: EnrolledKey) -> EnrolledLine:
    """A line of the list for programs."""
    return as_data(EnrolledLine, key, public=key.public.hex())


def _line(key: EnrolledKey) -> Sentence:
    whose = key.box or Sentence("a_desk")
    fields = {"fingerprint": key.fingerprint, "detail": whose, "since": minute_of(key.since)}
    if key.revoked is None:
        return Sentence("box_key_line", **fields, by=key.by)
    return Sentence("box_key_revoked_line", **fields, by=key.by, until=minute_of(key.revoked))


def minute_of(unix: int) -> str:
    """The minute on this laptop's clock."""
    return datetime.fromtimestamp(unix).astimezone().strftime("%Y-%m-%d %H:%M")


@command("revoke")
@click.argument("key")
@click.option("--yes", is_flag=True, help="Do not ask: it cannot be taken back.")
@click.option(
    "--hall",
    type=FOLDER,
    help="What `schiri hall setup` has written: Mosquitto's users are there.",
)
@BY
@DB
@reports
def revoke(
    key: str, yes: bool, hall: Path | None, by: str | None, db: str | None
) -> CommandReport[EnrolledLine]:
    """Revoke the KEY with this fingerprint, of a box that is lost or was opened, or of a desk:
    what it signs from now on is contested, what came before stays. A box without another key is
    locked out of the hall's broker too.

    \b
    schiri box revoke '3f2a 90c1 7d04 55be'
    schiri box revoke '3f2a 90c1 7d04 55be' --hall hall
    """
    # `reads`, although it writes: a mistyped database would be made, and know no key
    with closing(open_store(db, reads=True)) as store:
        if not yes:
            _sure(store, key)
        gone = store.enrolled.revoke(key, by or logged_in())
        keys = store.enrolled.of(gone.box)
    lines = [Sentence("box_key_revoked", fingerprint=gone.fingerprint)]
    # who has replaced a key and revokes the old one means the key, not the box: it may stay
    if gone.box and keys[-1].revoked is not None:
        lines += _locked_out(gone.box, hall)
    return CommandReport(listed(gone), lines)


def _locked_out(box: str, hall: Path | None) -> list[Sentence]:
    """Its password at the broker counts no more."""
    from host_tools.hall.passwords import lock_out

    lock_out(box)
    if hall is None:
        return [Sentence("box_locked_out", box=box)]
    from host_tools.hall.mosquitto import drop_user

    drop_user(hall, box)
    return [Sentence("box_no_user", box=box, path=hall)]


def _sure(store: "Store", name: str) -> None:
    # fingerprints are shown, and copied, in groups of four
    known = store.enrolled.all().find(name.replace(" ", "").lower())
    # else `revoke` says why not: there is nothing to be sure of
    if known is not None and known.revoked is None:
        click.echo(in_words(_line(known), asked_language()), err=True)
        click.confirm(Sentence("revoke_sure").said(asked_language()), abort=True, err=True)

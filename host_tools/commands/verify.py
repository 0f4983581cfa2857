"""`schiri verify`: what is proved by a journal, an exported tournament or a
link, and what not; by the keys of a published list, or by what this desk has enrolled.
"""

import hashlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from host_tools.cards.check_links import PAGE, PAPER, SLIP, SignedClaim, read_link, slip_in
from host_tools.cards.public_keys import EnrolledKey, KeyList, grouped, load_desk_key, read_list
from host_tools.cards.public_keys import verify as verify_signature
from host_tools.cards.seen_lists import check_newest, first_seen, remember_export
from host_tools.commands.options import DB, CommandReport, reports
from host_tools.core.command_line import FILE, asked_language, command
from host_tools.core.errors import Exit, Sentence, UserError, in_words, recognised
from host_tools.core.own_files import read_input
from host_tools.store import open_store
from host_tools.store.journal.reading import JournalFile, read_journal
from host_tools.store.journal.verdict import VERIFIED, Verdict, judge

if TYPE_CHECKING:  # the database is loaded only when it is asked
    from host_tools.tournament.verifying import ProvedExport

_PROVES = {PAPER: "paper_proves", SLIP: "slip_proves"}
_ID_DIGITS = 16
_FAULTS_SHOWN = 20
MOST_LINES = 100_000
"""Of a journal; the longest match has some thousands."""
# each line of a log begins so; one of a journal with its CRC
_LOG = b'{"seq":'


class Fingerprint(click.ParamType[str]):
    """The id of a key as people compare it, in groups or not."""

    name = "fingerprint"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = "".join(value.split()).lower()
        if len(text) != _ID_DIGITS or set(text) - set("0123456789abcdef"):
            raise UserError("fingerprint_bad", text=value)
        return text


_KEYS = click.option(
    "--keys",
    type=FILE,
    help="The list that the league publishes, as keys.json. Default: what your database knows.",
)
_DESK = click.option(
    "--desk",
    "pinned",
    type=Fingerprint(),
    help="The fingerprint of the league's desk, as you have compared it: no other list counts.",
)


def key_list_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """By whose list of keys a command checks."""
    return _KEYS(_DESK(function))


def keys_known(path: Path | None, db: str | None = None, pinned: str | None = None) -> KeyList:
    """The list by which a command checks; `pinned`: the key of the desk that must have signed it.
    Raises UserError.
    """
    if path is None:
        return _own_list(db, pinned)
    found = read_list(read_input(path))
    _kept(lambda: check_newest(found, pinned))
    return found


def _own_list(db: str | None, pinned: str | None) -> KeyList:
    """What the database knows, by the word of this laptop's desk."""
    with closing(open_store(db, reads=True)) as store:
        known = store.enrolled.all()
    desk = load_desk_key()
    signer = desk.id if desk and known.find(desk.id) else ""
    if pinned and signer != pinned:
        about = {"fingerprint": grouped(signer), "wanted": grouped(pinned)}
        raise UserError("key_list_pinned", Exit.CHECK, **about)
    return KeyList(known.league, known.keys, signer)


def _kept(remember: Callable[[], None]) -> None:
    """What cannot be remembered holds all the same, with a word about it."""
    try:
        remember()
    except UserError as error:
        if error.sentence.key != "file_unwritable":
            raise
        click.echo(in_words(error.sentence, asked_language()), err=True)


def check_export(path: Path, raw: bytes, keys: KeyList) -> "ProvedExport":
    """What an export proves, and remember that it does. Raises UserError."""
    from host_tools.tournament.verifying import verify_export

    found = verify_export(path, raw, keys, first_seen)
    _kept(lambda: remember_export(found.signer, found.end))
    return found


def proof_lines(found: "ProvedExport") -> list[Sentence]:
    """What is proved and what not, and what the results rest on."""
    whose = {"league": found.league, "fingerprint": grouped(found.signer)}
    counts = {"count": len(found.by_box), "rest": len(found.by_desk)}
    proves = Sentence("export_proves", name=found.tournament, **whose)
    rules = [Sentence("export_rules", matches=found.other_rules)] if found.other_rules else []
    return [proves, Sentence("export_rests", **counts), *rules]


@dataclass(frozen=True)
class CheckedClaim:
    """What was looked at. `kind`: journal, export, slip, paper or list; `key`: the id of the key
    that is said to have signed it, "" without one; `box`: whose key that is, "" for a desk's;
    `desk`: the key of the desk whose list was used; `says`: what was signed, as far as that is
    text; `verdict`: the key of the sentence, as the page has it; `holds`, else `reason`.
    """

    kind: str
    key: str
    box: str
    league: str
    desk: str
    says: list[str]
    holds: bool
    reason: str
    verdict: str
    sentence: str


@command()
@click.argument("what")
@key_list_options
@DB
@reports
def verify(
    what: str, keys: Path | None, pinned: str | None, db: str | None
) -> CommandReport[CheckedClaim]:
    """Check WHAT: a journal file, an exported tournament (`--format proof`), or the link of a
    slip, certificate or result list. Says in one sentence what that proves and what not, and by
    which desk's list; exit code 1 if nothing is proved, or if another desk was seen before under
    the league's name: compare the fingerprint with what the league has on show, and give it.

    \b
    schiri verify m000001.end --keys keys.json
    schiri verify cup.proof --keys keys.json --desk '0123 4567 89ab cdef'
    schiri verify 'https://league.example/verify#cM…' --keys keys.json
    """
    path = None if PAGE in what else Path(what)
    # before the list: a file that cannot be read needs none
    raw = read_input(path) if path else b""
    known, lang = keys_known(keys, db, pinned), asked_language()
    if path is None:
        found = check_link(what, known, lang)
    elif raw.startswith(_LOG):
        found = of_export(check_export(path, raw, known), known, lang)
    elif raw.startswith(b"{"):
        found = check_list(raw)
    else:
        # the page refuses the same (verify.js)
        if raw.count(b"\n") > MOST_LINES:
            raise UserError("file_large", path=path)
        found = check_journal(raw, known, lang, None if keys else _received(raw, db))
    error = None if found.holds else UserError(found.sentence, Exit.CHECK)
    # what does not hold is told once, by the error
    told = [found.sentence] if found.holds else []
    return CommandReport(found, [*found.says, by_list(known), *told], error)


def by_list(keys: KeyList) -> Sentence:
    """Whose list was used."""
    if not keys.signer:
        return Sentence("by_own_list")
    return Sentence("by_list", league=keys.league, fingerprint=grouped(keys.signer))


def check_link(link: str, keys: KeyList, lang: str) -> CheckedClaim:
    """What the link of a slip or paper proves. Raises UserError for one that is none."""
    claim = read_link(link)
    key = keys.find(claim.key)
    about = {"fingerprint": grouped(claim.key), "league": keys.league}
    # boxes sign slips, desks paper: else a stolen box could make certificates
    if key is None or (key.box == "") != (claim.kind == PAPER):
        return _checked(claim, keys, lang, None, Sentence("claim_unknown", **about))
    if not verify_signature(key.public, claim.kind, claim.payload, claim.signature):
        return _checked(claim, keys, lang, None, Sentence("claim_wrong", **about))
    # no link has a time that could be trusted: whoever has the key can claim any
    if key.revoked is not None:
        return _checked(claim, keys, lang, key, Sentence("claim_revoked", **about))
    proved = Sentence(_PROVES[claim.kind], **about, box=key.box)
    return _checked(claim, keys, lang, key, proved, holds=True)


def _checked(
    claim: SignedClaim,
    keys: KeyList,
    lang: str,
    key: EnrolledKey | None,
    sentence: Sentence,
    holds: bool = False,
) -> CheckedClaim:
    """`key`: the one that has signed it."""
    says = [] if key is None else _claim_lines(claim, key.box, lang)
    signed = (claim.kind, claim.key, key.box if key else "")
    return _claim(signed, keys, says, sentence, "" if holds else str(sentence))


def _claim(
    signed: tuple[str, str, str],
    keys: KeyList,
    says: list[str],
    sentence: Sentence,
    reason: str = "",
) -> CheckedClaim:
    """`signed`: the kind, the key and whose box that is; `reason`: why it does not hold."""
    whose = (keys.league, keys.signer)
    return CheckedClaim(*signed, *whose, says, not reason, reason, sentence.key, sentence)


def _claim_lines(claim: SignedClaim, box: str, lang: str) -> list[str]:
    """What was signed. Raises UserError for what is no text."""
    if claim.kind == SLIP:
        from host_tools.games.box_words import proper_name  # few links are of slips
        from host_tools.tournament.slips import slip_lines

        slip: Any = slip_in(claim)
        # a signed slip does not name its box: it is the one whose key fits (FORMAT.md)
        return slip_lines(slip._replace(box_id=box), proper_name(slip.game, None, lang), lang)
    try:
        return claim.payload.decode().split("\n")
    except UnicodeDecodeError as error:
        raise UserError("link_none") from error


def of_export(found: "ProvedExport", keys: KeyList, lang: str) -> CheckedClaim:
    """What an export proves, as `check_export` found it."""
    sentence, *rest = proof_lines(found)
    says = [in_words(line, lang) for line in rest]
    return _claim(("export", found.signer, ""), keys, says, sentence)


def check_list(raw: bytes) -> CheckedClaim:
    """What a list of keys proves by itself. Raises UserError."""
    found = read_list(raw)
    about = {"league": found.league, "fingerprint": grouped(found.signer)}
    return _claim(("list", found.signer, ""), found, [], Sentence("list_proves", **about))


def check_journal(
    raw: bytes, keys: KeyList, lang: str, received: int | None = None
) -> CheckedClaim:
    """What a journal proves. `received`: when this desk got it: its own word, and a key that was
    revoked later does not undo it; None where only a published list speaks.
    """
    journal = read_journal(raw)
    verdict = judge(journal, keys.of, received)
    lines = [in_words(line, lang) for line in _journal_lines(journal, verdict)]
    name = (journal.seal and journal.seal.id) or ""
    match = {"box": journal.box, "number": journal.number}
    signed = ("journal", name, journal.box)
    if verdict.state == VERIFIED:
        about = {"fingerprint": grouped(name), "league": keys.league}
        by_rules = in_words(Sentence("journal_by_rules"), lang)
        sentence = Sentence("journal_proves", **match, **about)
        return _claim(signed, keys, [*lines, by_rules], sentence)
    detail = recognised(verdict.reason)
    sentence = Sentence("journal_proves_nothing", **match, status=verdict.state, detail=detail)
    return _claim(signed, keys, lines, sentence, verdict.reason)


def _received(raw: bytes, db: str | None) -> int | None:
    """When this desk got the journal (unix time); None if it has not."""
    digest = hashlib.sha256(raw).hexdigest()
    with closing(open_store(db, reads=True)) as store:
        times = (at.timestamp() for _, stored, at in store.digests() if stored == digest)
        return next(map(int, times), None)


def _journal_lines(read: JournalFile, verdict: Verdict) -> list[str]:
    why = Sentence("in_brackets", detail=recognised(verdict.reason)) if verdict.reason else ""
    match = {"box": read.box, "number": read.number, "count": read.records}
    faults = [
        Sentence("journal_fault_at", line=fault.line, detail=recognised(fault.text))
        # of noise every line is one
        for fault in read.faults[:_FAULTS_SHOWN]
    ]
    return [Sentence("journal_line", **match, status=verdict.state, detail=why), *faults]

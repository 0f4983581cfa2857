"""`schiri verify`: what is proved by a journal, an exported tournament or a
link, and what not; by the keys of a published list, or by what this desk has enrolled.
"""

import hashlib
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from host_tools.cards.check_links import PAGE, PAPER, SLIP, SignedClaim, read_link, slip_in
from host_tools.cards.public_keys import EnrolledKey, KeyList, grouped, read_list
from host_tools.cards.public_keys import verify as verify_signature
from host_tools.cards.seen_lists import check_newest
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
# each line of a log begins so; one of a journal with its CRC
_LOG = b'{"seq":'
KEY_LIST = click.option(
    "--keys",
    type=FILE,
    help="The list that the league publishes, as keys.json. Default: what your database knows.",
)


def keys_known(path: Path | None, db: str | None = None) -> KeyList:
    """Raises UserError."""
    if path is None:
        with closing(open_store(db, reads=True)) as store:
            return store.enrolled.all()
    found = read_list(read_input(path))
    try:
        check_newest(found)
    except UserError as error:
        if error.sentence.key != "file_unwritable":
            raise
        # what cannot be remembered holds all the same
        click.echo(in_words(error.sentence, asked_language()), err=True)
    return found


def proof_lines(found: "ProvedExport") -> list[Sentence]:
    """What is proved and what not, and what the results rest on."""
    whose = {"league": found.league, "fingerprint": grouped(found.signer)}
    counts = {"count": len(found.by_box), "rest": len(found.by_desk)}
    proves = Sentence("export_proves", name=found.tournament, **whose)
    return [proves, Sentence("export_rests", **counts)]


@dataclass(frozen=True)
class CheckedClaim:
    """What was looked at: `kind` journal, export, slip or paper; `key` the id of the key that is
    said to have signed it, "" without one; `box` whose key that is, "" for a desk's; `says`: what
    was signed, as far as that is text; `holds`, else `reason`.
    """

    kind: str
    key: str
    box: str
    league: str
    says: list[str]
    holds: bool
    reason: str


@command()
@click.argument("what")
@KEY_LIST
@DB
@reports
def verify(what: str, keys: Path | None, db: str | None) -> CommandReport[CheckedClaim]:
    """Check WHAT: a journal file, an exported tournament (`--format proof`), or the link of a
    slip, certificate or result list. Says in one sentence what that proves and what not; exit
    code 1 if nothing is proved.

    \b
    schiri verify m000001.end --keys keys.json
    schiri verify 'https://league.example/verify#cM…' --keys keys.json
    """
    if PAGE in what:
        found, sentence = _link(what, keys_known(keys, db))
    else:
        found, sentence = _file(Path(what), keys, db)
    error = None if found.holds else UserError(sentence, Exit.CHECK)
    # what does not hold is told once, by the error
    lines = [*found.says, *([sentence] if found.holds else [])]
    return CommandReport(found, lines, error)


def _link(link: str, keys: KeyList) -> tuple[CheckedClaim, Sentence]:
    claim = read_link(link)
    key = keys.find(claim.key)
    about = {"fingerprint": grouped(claim.key), "league": keys.league}
    # boxes sign slips, desks paper: else a stolen box could make certificates
    if key is None or (key.box == "") != (claim.kind == PAPER):
        return _checked(claim, keys, None, Sentence("claim_unknown", **about))
    if not verify_signature(key.public, claim.kind, claim.payload, claim.signature):
        return _checked(claim, keys, None, Sentence("claim_wrong", **about))
    # no link has a time that could be trusted: whoever has the key can claim any
    if key.revoked is not None:
        return _checked(claim, keys, key, Sentence("claim_revoked", **about))
    proved = Sentence(_PROVES[claim.kind], **about, box=key.box)
    return _checked(claim, keys, key, proved, holds=True)


def _checked(
    claim: SignedClaim,
    keys: KeyList,
    key: EnrolledKey | None,
    sentence: Sentence,
    holds: bool = False,
) -> tuple[CheckedClaim, Sentence]:
    """`key`: the one that has signed it."""
    says = [] if key is None else _claim_lines(claim, key.box)
    box, reason = key.box if key else "", "" if holds else str(sentence)
    found = CheckedClaim(claim.kind, claim.key, box, keys.league, says, holds, reason)
    return found, sentence


def _claim_lines(claim: SignedClaim, box: str) -> list[str]:
    """What was signed. Raises UserError for what is no text."""
    if claim.kind == SLIP:
        from host_tools.games.box_words import proper_name  # few links are of slips
        from host_tools.tournament.slips import slip_lines

        slip: Any = slip_in(claim)
        lang = asked_language()
        # a signed slip does not name its box: it is the one whose key fits (FORMAT.md)
        return slip_lines(slip._replace(box_id=box), proper_name(slip.game, None, lang), lang)
    try:
        return claim.payload.decode().split("\n")
    except UnicodeDecodeError as error:
        raise UserError("link_none") from error


def _file(path: Path, keys: Path | None, db: str | None) -> tuple[CheckedClaim, Sentence]:
    raw = read_input(path)
    if raw.startswith(_LOG):
        return _export(path, keys_known(keys, db))
    return _journal(raw, keys, db)


def _export(path: Path, keys: KeyList) -> tuple[CheckedClaim, Sentence]:
    from host_tools.tournament.verifying import verify_export

    found = verify_export(path, keys)
    sentence, counts = proof_lines(found)
    checked = CheckedClaim("export", found.signer, "", found.league, [counts], True, "")
    return checked, sentence


def _journal(raw: bytes, keys: Path | None, db: str | None) -> tuple[CheckedClaim, Sentence]:
    journal = read_journal(raw)
    if keys is None:
        # when it came is this desk's own word; a key that was revoked later does not undo it
        known, received = keys_known(None, db), _received(raw, db)
        verdict = judge(journal, known.of, received)
    else:
        known = keys_known(keys)
        # no time of receipt: that is the word of one desk
        verdict = judge(journal, known.of)
    lines = [in_words(line, asked_language()) for line in _journal_lines(journal, verdict)]
    name = (journal.seal and journal.seal.id) or ""
    holds = verdict.state == VERIFIED
    match = {"box": journal.box, "number": journal.number}
    if holds:
        about = {"fingerprint": grouped(name), "league": known.league}
        sentence = Sentence("journal_proves", **match, **about)
    else:
        reason = recognised(verdict.reason)
        sentence = Sentence("journal_proves_nothing", **match, status=verdict.state, detail=reason)
    found = CheckedClaim("journal", name, journal.box, known.league, lines, holds, verdict.reason)
    return found, sentence


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
        for fault in read.faults
    ]
    return [Sentence("journal_line", **match, status=verdict.state, detail=why), *faults]

"""Test vectors for everything that checks signatures: genuine products and what somebody made of
them. Each says by itself what is to come out, from what was changed; no verifier is asked.
"""

import base64
import hashlib
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from firmware.app.link_frames import CHAIN_START, read_record, write_record
from host_tools.cards.check_links import SignedClaim, paper_claim
from host_tools.cards.public_keys import (
    ORDER,
    EnrolledKey,
    KeyList,
    SigningKey,
    canonical,
    publish,
)
from host_tools.sim.tournament.day import simulate_day
from host_tools.sim.tournament.simulated_boxes import key_of
from host_tools.store.log_line import CHAIN_START as LOG_START
from host_tools.store.log_line import link as log_link
from host_tools.tournament.export import FORMATS
from tests.support.signed_journals import a_slip, played, sealed, signed

Json = dict[str, Any]
STRANGER, BOX, NEWER = (SigningKey(bytes(31) + bytes((n,))) for n in (21, 22, 23))
BOX_ID = "b0c5"
LINES = ["Cup", "A-1", "Ayşe Öztürk 20 : 12 Björn"]
EXPORT = "cup.proof"


@dataclass(frozen=True)
class Vector:
    """`data`: of a file, or a link as text; `keys`: the name of a list; `verdict`: the key of the
    sentence; `by_box`: results that boxes have signed, of an export; `page`: the verdict of the
    page where it is another, as it has no rules and does not fold the events.
    """

    name: str
    data: bytes | str
    keys: str
    verdict: str
    by_box: int = -1
    page: str = ""


class Generator:
    """Of one seed; `folder`: for the tournaments that are played for it."""

    def __init__(self, folder: Path, seed: int = 1) -> None:
        self.chance = random.Random(seed)
        self.all: list[Vector] = []
        self.exports, self.keys = [], KeyList("", ())
        for name, game in (("two", ""), ("several", "quartett")):
            with closing(simulate_day(str(folder / f"{name}.db"), 8, seed=1, game=game)[0]) as day:
                self.exports.append(FORMATS["proof"](day, "en"))
                self.keys, self.desk = day.store.enrolled.all(), day.store.enrolled.desk()
        self.journal = signed(played(str(folder / "box")), BOX)
        self.bare = played(str(folder / "bare"))
        self.lists = {name: publish(made, signer) for name, made, signer in self._lists()}

    def vectors(self) -> Iterator[Vector]:
        """All of them."""
        for made in (self._papers, self._slips, self._journals, self._exports, self._key_lists):
            yield from made()

    # -- lists ------------------------------------------------------------------------------------

    def _lists(self) -> Iterator[tuple[str, KeyList, SigningKey]]:
        box = EnrolledKey(BOX_ID, BOX.public, 100, "Anna")
        known = KeyList("Cup", (*self.keys.keys, box))
        yield "good", known, self.desk
        boxes = self._with(known, lambda key: replace(key, revoked=1) if key.box else key)
        yield "boxes revoked", boxes, self.desk
        other = EnrolledKey("", STRANGER.public, 100, "Cup")
        desk = self._with(known, lambda key: key if key.box else replace(key, revoked=key.since))
        yield "desk revoked", replace(desk, keys=(*desk.keys, other)), STRANGER
        yield "no boxes", replace(known, keys=known.of("")), self.desk
        newer = EnrolledKey(BOX_ID, NEWER.public, 200, "Anna")
        yield "box replaced", replace(known, keys=(*known.keys, newer)), self.desk
        yield "foreign", KeyList("Other", (other,)), STRANGER

    @staticmethod
    def _with(known: KeyList, change: Callable[[EnrolledKey], EnrolledKey]) -> KeyList:
        return replace(known, keys=tuple(map(change, known.keys)))

    # -- links ------------------------------------------------------------------------------------

    def _papers(self) -> Iterator[Vector]:
        for lines in (LINES, ["x"], ["Zoë\u2028İ", "", "\ufeff"]):
            claim = paper_claim(self.desk, lines)
            yield from self._claims("paper", claim, self.desk, "paper_proves")
        by_box = paper_claim(BOX, LINES)
        yield _good("paper by a box", by_box.link(""), "claim_unknown")
        bad = self.desk.sign("paper", b"\xff\xfe")
        nonsense = SignedClaim("paper", self.desk.id, bad, b"\xff\xfe")
        yield _good("paper of no text", nonsense.link(""), "link_none")
        yield Vector(
            "paper, desk revoked",
            paper_claim(self.desk, LINES).link(""),
            "desk revoked",
            "claim_revoked",
        )

    def _slips(self) -> Iterator[Vector]:
        claim = a_slip(BOX)
        yield from self._claims("slip", claim, BOX, "slip_proves")
        yield Vector("slip, box revoked", claim.link(""), "boxes revoked", "claim_revoked")
        yield Vector("slip, not enrolled", claim.link(""), "no boxes", "claim_unknown")
        by_desk = SignedClaim(
            "slip", self.desk.id, self.desk.sign("slip", claim.payload), claim.payload
        )
        yield _good("slip by the desk", by_desk.link(""), "claim_unknown")
        for size in range(len(claim.payload)):  # what a box signs may be anything
            cut = claim.payload[:size] or b"\0"
            made = SignedClaim("slip", BOX.id, BOX.sign("slip", cut), cut)
            yield _good(f"slip signed at {size}", made.link(""), "link_none")
        for more in (b"\0", b"s", claim.payload):
            longer = claim.payload + more
            made = SignedClaim("slip", BOX.id, BOX.sign("slip", longer), longer)
            yield _good("slip signed and longer", made.link(""), "link_none")

    def _claims(
        self, what: str, claim: SignedClaim, key: SigningKey, proves: str
    ) -> Iterator[Vector]:
        link = claim.link("https://cup.example")
        yield _good(what, link, proves)
        yield Vector(f"{what}, foreign list", link, "foreign", "claim_unknown")
        fragment = link.partition("#")[2]
        raw = base64.urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4))
        for at in self._places(len(raw), 40):
            verdict = "link_none" if at == 0 else "claim_unknown" if at < 9 else "claim_wrong"
            changed = self._flipped(raw, at)
            yield _good(f"{what} flipped at {at}", _fragment(changed), verdict)
        for size in (0, 1, 9, 72, 73, *self._places(len(raw), 6)):
            verdict = "link_none" if size <= 73 else "claim_wrong"
            yield _good(f"{what} cut to {size}", _fragment(raw[:size]), verdict)
        for letter in "+/=! %\n":
            yield Vector(
                f"{what} with {letter!r}",
                f"/verify#{fragment[:20]}{letter}{fragment[20:]}",
                "good",
                "link_none",
            )
        for other in ("journal", "export", "keys", "paper" if what == "slip" else "slip", ""):
            made = replace(claim, signature=key.sign(other, claim.payload))
            yield _good(f"{what} signed as {other}", made.link(""), "claim_wrong")
        yield from self._numbers(what, claim)

    def _numbers(self, what: str, claim: SignedClaim) -> Iterator[Vector]:
        r, s = (int.from_bytes(part) for part in (claim.signature[:32], claim.signature[32:]))
        for name, pair in {
            "r 0": (0, s),
            "s 0": (r, 0),
            "r n": (ORDER, s),
            "high s": (r, ORDER - s),
            "swapped": (s, r),
        }.items():
            made = replace(claim, signature=b"".join(one.to_bytes(32) for one in pair))
            yield _good(f"{what} with {name}", made.link(""), "claim_wrong")

    # -- journals ---------------------------------------------------------------------------------

    def _journals(self) -> Iterator[Vector]:
        raw, nothing = self.journal, "journal_proves_nothing"
        yield _good("journal", raw, "journal_proves")
        yield _good("journal without its last newline", raw[:-1], "journal_proves")
        for keys in ("boxes revoked", "no boxes", "box replaced", "foreign"):
            yield Vector(f"journal, {keys}", raw, keys, nothing)
        for at in self._places(len(raw), 150):
            # a first letter { would make another kind of file of it
            yield _good(f"journal flipped at {at}", self._flipped(raw, at or 1), nothing)
        for size in self._places(len(raw) - 1, 60):
            yield _good(f"journal cut to {size}", raw[:size], nothing)
        yield from self._shuffled(raw.splitlines(keepends=True))
        for name, changes in {
            "as a slip": {"sig": self._head_signed(BOX, "slip")},
            "by another key": {"sig": self._head_signed(NEWER, "journal")},
            "by another key, named": {"sig": self._head_signed(NEWER, "journal"), "id": NEWER.id},
            "in capitals": {"sig": self._head_signed(BOX, "journal").upper()},
            "by the desk": {"sig": self._head_signed(self.desk, "journal"), "id": self.desk.id},
            "of no hex": {"sig": "zz"},
            "for another record": {"count": 3},
            "of another head": {"head": "00" * 32},
        }.items():
            yield Vector(
                f"journal sealed {name}", signed(self.bare, BOX, **changes), "good", nothing
            )
        yield _good("journal without a signature", self.bare, nothing)
        yield Vector("journal without a signature, not enrolled", self.bare, "no boxes", nothing)
        yield _good("journal that was torn", self._torn(), "journal_proves")
        for number, line in enumerate(self.bare.splitlines()[1:-2], 1):
            changed = _rewritten(self.bare, {number: _other_answer})
            # a thief of the file: the old seal
            yield Vector(
                f"journal rewritten at {number}", _resealed(changed, self.journal), "good", nothing
            )
            if number < 6 and b'"do"' in line:
                # a thief of the box: a new one
                yield Vector(
                    f"journal against the rules at {number}",
                    signed(changed, BOX),
                    "good",
                    nothing,
                    page="journal_proves",
                )
        yield _good("nothing at all", b"", nothing)
        for size in (1, 10, 1000):
            yield _good(f"noise of {size}", b"#" + self.chance.randbytes(size), nothing)

    def _shuffled(self, lines: list[bytes]) -> Iterator[Vector]:
        nothing = "journal_proves_nothing"
        for at in self._places(len(lines), 15):
            without = b"".join(lines[:at] + lines[at + 1 :])
            yield _good(f"journal without line {at}", without, nothing)
            twice = b"".join(lines[: at + 1] + lines[at:])
            yield _good(f"journal with line {at} twice", twice, nothing)
            if at:
                swapped = [*lines[: at - 1], lines[at], lines[at - 1], *lines[at + 1 :]]
                yield _good(f"journal swapped at {at}", b"".join(swapped), nothing)
        yield _good("two journals in one", b"".join(lines) * 2, nothing)

    def _head_signed(self, key: SigningKey, purpose: str) -> str:
        last = read_record(self.bare.splitlines()[-2])
        assert last is not None
        return key.sign(purpose, last.chain + (last.seq + 1).to_bytes(4)).hex()

    def _torn(self) -> bytes:
        """The power went while line 3 was written; the box went on behind it."""
        lines = self.bare.splitlines(keepends=True)[:-1]
        records = [_payload(line) for line in lines]
        made, chain, number = b"", CHAIN_START, 0
        for at, payload in enumerate(records):
            if at == 2:
                made += lines[at][:20] + b"\n"
                line, chain = write_record(chain, number + 1, '{"note": "torn"}')
                made, number = made + line, number + 2
            line, chain = write_record(chain, number, payload)
            made, number = made + line, number + 1
        return signed(made + b"\n", BOX)

    # -- exports ----------------------------------------------------------------------------------

    def _exports(self) -> Iterator[Vector]:
        for data in self.exports:
            made = Export(data, self.desk)
            yield Vector("export", data, "good", "export_proves", by_box=made.by_box)
            for keys in ("boxes revoked", "no boxes"):
                yield Vector(f"export, {keys}", data, keys, "export_proves", by_box=0)
            yield Vector("export, desk revoked", data, "desk revoked", "export_revoked")
            yield Vector("export, foreign list", data, "foreign", "export_signer")
            yield from self._export_bytes(made)
            yield from self._signed_anew(made)
            yield from self._by_the_desk(made)
        yield Vector(
            "two exports in one", self.exports[0] + self.exports[1], "good", "log_changed"
        )

    def _export_bytes(self, made: "Export") -> Iterator[Vector]:
        data, lines = made.data, made.data.splitlines(keepends=True)
        starts = [sum(map(len, lines[:at])) for at in range(len(lines) + 1)]
        signature = range(starts[made.end + 1], starts[made.end + 2])
        for at in self._places(len(data), 90):
            # the last digits of a base64 may have bits that mean nothing; the first letters of the
            # file say what it is
            if at in signature or at < 8 or data[at + 1 : at + 4].startswith((b"=", b'"')):
                continue
            yield _good(f"export flipped at {at}", self._flipped(data, at), "log_changed")
        for size in self._places(len(data), 25):
            yield _good(f"export cut to {size}", data[: max(size, 8)], "log_changed")
        for at in self._places(len(lines), 12):
            if at not in (0, made.end + 1):
                without = b"".join(lines[:at] + lines[at + 1 :])
                yield _good(f"export without line {at}", without, "log_changed")
            twice = b"".join(lines[: at + 1] + lines[at:])
            yield _good(f"export with line {at} twice", twice, "log_changed")
        for at in self._places(64, 10):
            where = data.index(b'"signature":"') + 13 + 2 * at
            digit = b"0" if data[where : where + 1] != b"0" else b"1"
            changed = data[:where] + digit + data[where + 1 :]
            yield Vector(
                f"export with signature changed at {at}", changed, "good", "export_forged"
            )
        capital = data[: signature.start] + data[signature.start :].replace(
            made.signature.encode(), made.signature.upper().encode(), 1
        )
        yield _good("export with its signature in capitals", capital, "log_changed")

    def _signed_anew(self, made: "Export") -> Iterator[Vector]:
        for name, key in (("a stranger", STRANGER), ("a box", key_of("sim01"))):
            yield _good(f"export signed by {name}", made.made(key), "export_signer")
            claimed = made.made(key).replace(key.id.encode(), self.desk.id.encode(), 1)
            yield _good(f"export signed by {name}, claimed", claimed, "export_forged")
        for purpose in ("paper", "journal", "keys", "slip"):
            data = made.made(self.desk, purpose)
            yield _good(f"export signed as {purpose}", data, "export_forged")
        yield _good("export without a signature", made.unsigned(), "export_unsigned")

    def _by_the_desk(self, made: "Export") -> Iterator[Vector]:
        """What a desk that lies would sign."""
        for at in made.reports():
            other = made.changed(at, cards=lambda said: said["cards"][::-1])
            if other != made.data:
                # of several, and of a match that was voided since: the report is compared too
                yield _good(f"export with result {at} turned", other, "export_differs")
            forfeit = made.changed(at, kind=lambda _: "forfeit")
            yield _good(f"export with kind {at} changed", forfeit, "export_differs")
            box = made.changed(at, box=lambda _: "sim09")
            left = made.by_box - made.counts(at)
            yield Vector(f"export of box {at} changed", box, "good", "export_proves", by_box=left)
            for name, header in {
                "tournament": {"tournament": "another-cup"},
                "match": {"tournament_match": "Z-9"},
                "stage": {"stage": "final"},
                "table": {"table": 99},
                "box": {"box": "sim09"},
            }.items():
                data = made.with_header(at, header)
                yield Vector(
                    f"export with a journal of another {name} at {at}",
                    data,
                    "good",
                    "export_proves",
                    by_box=left,
                )
            named = made.with_header(at, made.own_names(at))
            yield Vector(
                f"export with all names at {at}",
                named,
                "good",
                "export_proves",
                by_box=made.by_box,
            )
            yield Vector(
                f"export without the place {at}", made.without_place(at), "good", "export_counts"
            )
        yield Vector(
            "export that counts more",
            made.counting(1),
            "good",
            "export_counts",
            page="export_proves",
        )

    # -- lists as what is checked -----------------------------------------------------------------

    def _key_lists(self) -> Iterator[Vector]:
        for name, data in self.lists.items():
            yield _good(f"list {name}", data, "list_proves")
            content = json.loads(data)
            for change, verdict in {
                "league": "key_list_forged",
                "issued": "key_list_contradicts",
                "signature": "key_list_forged",
                "signer": "key_list_signer",
                "format": "key_list_none",
                "keys": "key_list_none",
            }.items():
                changed = {**content, change: _other(content[change])}
                yield _good(f"list {name}: {change}", _as_list(changed), verdict)
            yield Vector(
                f"list {name}: more", _as_list({**content, "more": 1}), "good", "key_list_forged"
            )
            for size in self._places(len(data) - 3, 8):
                yield Vector(
                    f"list {name} cut to {size}", data[: max(1, size)], "good", "key_list_none"
                )
            yield from self._key_lines(name, content)

    def _key_lines(self, name: str, content: Json) -> Iterator[Vector]:
        for at, line in enumerate(content["keys"]):
            for change, value, verdict in (
                ("by", "Else", "key_list_forged"),
                ("id", "00" * 8, "key_list_contradicts"),
                ("public", STRANGER.public.hex(), "key_list_contradicts"),
                ("public", "04" + "11" * 64, "public_key_bad"),
                ("since", -1, "key_list_contradicts"),
                ("since", "1", "key_list_none"),
                ("box", "Sim01", "box_id_bad"),
                ("box", "sım01", "box_id_bad"),
                ("box", "sim 01", "box_id_bad"),
                ("revoked", "yes", "key_list_none"),
            ):
                lines = [{**one, change: value} if one is line else one for one in content["keys"]]
                yield Vector(
                    f"list {name}: {change} of {at}",
                    _as_list({**content, "keys": lines}),
                    "good",
                    verdict,
                )
            twice = {**content, "keys": [*content["keys"], line]}
            yield Vector(
                f"list {name}: {at} twice", _as_list(twice), "good", "key_list_contradicts"
            )
        signature = STRANGER.sign("keys", canonical({**content, "signer": STRANGER.id})).hex()
        stolen = {**content, "signer": STRANGER.id, "signature": signature}
        if not any(one["id"] == STRANGER.id for one in content["desk"]):
            yield _good(f"list {name} of a stranger", _as_list(stolen), "key_list_signer")

    # ---------------------------------------------------------------------------------------------

    def _places(self, size: int, count: int) -> list[int]:
        return sorted(self.chance.sample(range(size), min(size, count)))

    def _flipped(self, data: bytes, at: int) -> bytes:
        return data[:at] + bytes((data[at] ^ 1 << self.chance.randrange(8),)) + data[at + 1 :]


class Export:
    """An exported tournament that can be made anew, by whoever has a key."""

    def __init__(self, data: bytes, desk: SigningKey) -> None:
        self.data, self.desk = data, desk
        self.lines: list[Json] = [json.loads(line) for line in data.splitlines()]
        self.end = next(n for n, line in enumerate(self.lines) if "end" in line)
        self.signature: str = self.lines[self.end + 1]["signature"]
        self.raw = {
            one["journal"]: base64.b64decode(one["base64"]) for one in self.lines[self.end + 2 :]
        }
        places = self.lines[self.end]["reports"]
        self.place: dict[str, Json] = {place["journal"]: place for place in places}
        # one report of each match counts in these days, and all boxes are enrolled
        self.by_box = sum(place.get("counts", False) for place in places)

    def reports(self) -> list[int]:
        bodies = enumerate(line.get("body", {}) for line in self.lines)
        return [at for at, body in bodies if body.get("source") == "box"]

    def counts(self, at: int) -> bool:
        return bool(self.place[self.lines[at]["body"]["journal"]].get("counts"))

    def made(
        self, key: SigningKey, purpose: str = "export", lines: Sequence[Json] | None = None
    ) -> bytes:
        chain, made = LOG_START, []
        for line in (lines or self.lines)[: self.end + 1]:
            text = _compact({name: value for name, value in line.items() if name != "link"})
            chain = log_link(chain, text)
            made.append(f'{text[:-1]},"link":"{chain}"}}')
        signature = key.sign(purpose, bytes.fromhex(chain)).hex()
        made.append(_compact({"signer": key.id, "signature": signature}))
        made += [_compact(line) for line in (lines or self.lines)[self.end + 2 :]]
        return "\n".join([*made, ""]).encode()

    def unsigned(self) -> bytes:
        lines = [{**line} for line in self.lines]
        lines[self.end] = {"end": self.end}
        return b"".join(
            self.made(self.desk, lines=lines).splitlines(keepends=True)[: self.end + 1]
        )

    def changed(self, at: int, **changes: Callable[[Json], object]) -> bytes:
        lines = [{**line} for line in self.lines]
        body = lines[at]["body"]
        lines[at]["body"] = {**body, **{name: make(body) for name, make in changes.items()}}
        return self.made(self.desk, lines=lines)

    def without_place(self, at: int) -> bytes:
        journal = self.lines[at]["body"]["journal"]
        return self._ending(reports=[p for j, p in self.place.items() if j != journal])

    def counting(self, more: int) -> bytes:
        return self._ending(counted=self.lines[self.end]["counted"] + more)

    def _ending(self, **changes: object) -> bytes:
        lines = [{**line} for line in self.lines]
        lines[self.end] |= changes
        return self.made(self.desk, lines=lines)

    def own_names(self, at: int) -> Json:
        """What the header of the journal may say of its match, and all of it true."""
        body = self.lines[at]["body"]
        place = self.place[body["journal"]]
        last = self.lines[self.end]
        about = {"tournament_match": body["match"], "table": place["table"]}
        # games of several know no stage
        stage = {"stage": place["stage"]} if len(place["players"]) == 2 else {}
        return {**about, **stage, "tournament": last["tournament"]}

    def with_header(self, at: int, header: Json) -> bytes:
        """The journal of a report once more, with other words in its header, signed by its box."""
        body = self.lines[at]["body"]
        old: str = body["journal"]
        raw = _rewritten(self.raw[old], {0: lambda parts: [{**parts[0], **header}]})
        raw = signed(raw, key_of(body["box"]))
        new = hashlib.sha256(raw).hexdigest()
        text = base64.b64encode(raw).decode()
        lines = [json.loads(json.dumps(line).replace(old, new)) for line in self.lines]
        lines = [
            {**line, "base64": text} if line.get("journal") == new else line for line in lines
        ]
        return self.made(self.desk, lines=lines)


def _good(name: str, data: bytes | str, verdict: str, by_box: int = -1, page: str = "") -> Vector:
    """By the list that knows every key."""
    return Vector(name, data, "good", verdict, by_box, page)


# -- making ---------------------------------------------------------------------------------------


def _compact(line: Json) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def _as_list(content: Json) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode()


def _fragment(raw: bytes) -> str:
    return f"/verify#{base64.urlsafe_b64encode(raw).decode().rstrip('=')}"


def _other(value: object) -> object:
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return ("0" if value[0] != "0" else "1") + value[1:]
    return {}


def _payload(line: bytes) -> str:
    record = read_record(line.rstrip(b"\n"))
    assert record is not None
    return record.payload


def _rewritten(raw: bytes, changes: Mapping[int, Callable[[list[Json]], list[Json]]]) -> bytes:
    """A journal with other records, chained anew; its seal is the old one."""
    made, chain = b"", CHAIN_START
    lines = raw.splitlines(keepends=True)
    for number, line in enumerate(lines[:-1]):
        payload = _payload(line)
        if number in changes:
            parts = changes[number]([json.loads(part) for part in payload.split("\t")])
            payload = "\t".join(json.dumps(part, ensure_ascii=False) for part in parts)
        record = read_record(line.rstrip(b"\n"))
        assert record is not None
        written, chain = write_record(chain, record.seq, payload)
        made += written
    return made + lines[-1]


def _other_answer(parts: list[Json]) -> list[Json]:
    return [*parts[:-1], {**parts[-1], "more": 1}]


def _resealed(raw: bytes, genuine: bytes) -> bytes:
    """With the head that its records have now, and the signature of the genuine one."""
    seal = json.loads(_payload(genuine.splitlines()[-1]))["seal"]
    lines = raw.splitlines(keepends=True)
    last = read_record(lines[-2].rstrip(b"\n"))
    assert last is not None
    return b"".join(lines[:-1]) + sealed(
        last.chain, last.seq + 1, {**seal, "head": last.chain.hex()}
    )

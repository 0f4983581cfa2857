"""An exported tournament that anybody can check with public keys alone."""

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from host_tools.cards.public_keys import EnrolledKey, KeyList, SigningKey, publish, read_list
from host_tools.cli import schiri
from host_tools.core import places
from host_tools.core.errors import Exit, UserError
from host_tools.sim.tournament.day import simulate_day
from host_tools.sim.tournament.simulated_boxes import key_of
from host_tools.store.log_line import CHAIN_START, link
from host_tools.tournament.export import FORMATS
from host_tools.tournament.log_file import read_log
from host_tools.tournament.service import TournamentService
from host_tools.tournament.verifying import verify_export

THIEF = SigningKey(bytes(31) + b"\x0b")
PROOF = Path("cup.proof")


class Day:
    """A day that is over: what its desk exported, and what its league published."""

    def __init__(self, folder: Path) -> None:
        with closing(simulate_day(str(folder / "day.db"), 8, seed=1)[0]) as service:
            self.proof = FORMATS["proof"](service, "en")
            self.published = service.store.enrolled.published()
            self.desk, self.box = service.store.enrolled.desk(), key_of("sim01")
            self.counted = [m.id for m in service.state.matches.values() if m.counts]
        self.keys = read_list(self.published)
        self.folder = folder

    def written(self, data: bytes) -> Path:
        path = self.folder / "other.proof"
        path.write_bytes(data)
        return path

    def why(self, data: bytes, keys: KeyList | None = None) -> str:
        with pytest.raises(UserError) as refused:
            verify_export(self.folder / "other.proof", data, keys or self.keys)
        assert refused.value.exit_code == Exit.CHECK
        return refused.value.sentence.key


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Day]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("day")
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        yield Day(folder)


def test_from_drawing_to_champion_with_public_keys_alone(day: Day) -> None:
    found = verify_export(PROOF, day.proof, day.keys)
    assert found.signer == day.desk.id
    assert found.without_journal == []
    assert sorted(found.by_box + found.by_desk) == sorted(day.counted)
    # five that a box reported as they count; two more were corrected, the others came on paper
    assert sorted(found.by_box) == ["A-1", "B-1", "B-4", "B-5", "K2-2"]


def test_the_command_says_what_it_proves_and_what_not(day: Day, tmp_path: Path) -> None:
    keys = tmp_path / "keys.json"
    keys.write_bytes(day.published)
    words = ["tournament", "verify", "--export", str(day.written(day.proof)), "--keys", str(keys)]
    done = CliRunner().invoke(schiri, [*words, "--lang", "en"])
    assert done.exit_code == 0, done.output
    first = done.stdout.splitlines()[0]
    assert first.startswith("This proves that the desk")
    assert first.endswith("not that what people entered there is true.")
    found = json.loads(CliRunner().invoke(schiri, [*words, "--json"]).stdout)
    assert found["signer"] == day.desk.id
    assert not places.database().exists()  # nothing but the two files


def resigned(
    data: bytes, desk: SigningKey, change: Callable[[list[dict[str, Any]]], None]
) -> bytes:
    """The file made anew from its events, with all links, by whoever has this key."""
    lines = [json.loads(line) for line in data.splitlines()]
    end = next(n for n, line in enumerate(lines) if "end" in line)
    change(lines)
    chain, made = CHAIN_START, []
    for line in lines[: end + 1]:
        text = json.dumps(
            {k: v for k, v in line.items() if k != "link"},
            ensure_ascii=False,
            separators=(",", ":"),
        )
        chain = link(chain, text)
        made.append(f'{text[:-1]},"link":"{chain}"}}')
    signature = desk.sign("export", bytes.fromhex(chain)).hex()
    rest = [{"signer": desk.id, "signature": signature}, *lines[end + 2 :]]
    made += [json.dumps(line, separators=(",", ":")) for line in rest]
    return "\n".join([*made, ""]).encode()


def nothing(_lines: list[dict[str, Any]]) -> None:
    """As it is."""


def other_result(lines: list[dict[str, Any]]) -> None:
    """The first result of a box is turned."""
    said = next(line["body"] for line in lines if line.get("body", {}).get("source") == "box")
    said["cards"] = said["cards"][::-1]


def long_ago(lines: list[dict[str, Any]]) -> None:
    """Every event is of 1970, as whoever has a revoked key would write it."""
    for line in lines:
        if "at" in line:
            line["at"] = "1970-01-01T00:00:01+00:00"


def test_the_desk_itself_can_sign_it_again(day: Day) -> None:
    """Else what follows would be refused for another reason."""
    assert resigned(day.proof, day.desk, nothing) == day.proof


def test_a_file_that_somebody_else_signed_anew_is_refused(day: Day) -> None:
    assert day.why(resigned(day.proof, THIEF, nothing)) == "export_signer"
    claimed = resigned(day.proof, THIEF, nothing).replace(THIEF.id.encode(), day.desk.id.encode())
    assert day.why(claimed) == "export_forged"
    assert day.why(resigned(day.proof, day.box, nothing)) == "export_signer"


def test_the_desk_cannot_tell_otherwise_than_its_boxes(day: Day) -> None:
    assert day.why(resigned(day.proof, day.desk, other_result)) == "export_differs"


def test_another_journal_in_the_place_of_one(day: Day) -> None:
    lines = day.proof.splitlines(keepends=True)
    last = json.loads(lines[-1])
    raw = base64.b64decode(last["base64"])
    for changes in (
        {"base64": base64.b64encode(raw + b" ").decode()},
        {"journal": "0" * 64},
        {"base64": "!"},
        {"more": 1},
    ):
        other = json.dumps({**last, **changes}, separators=(",", ":")).encode() + b"\n"
        assert day.why(b"".join(lines[:-1]) + other) == "log_changed"
    assert day.why(b"".join([*lines[:-1], lines[-2]])) == "log_changed"  # one twice


def test_a_stripped_or_shortened_file_is_refused(day: Day) -> None:
    lines = day.proof.splitlines(keepends=True)
    end = next(n for n, line in enumerate(lines) if b'"end":' in line)
    journals = json.loads(lines[end])["journals"]
    assert day.why(b"".join(lines[: end + 1])) == "log_changed"  # signature and journals
    assert day.why(b"".join(lines[: end + 2])) == "log_changed"  # all journals
    assert day.why(b"".join(lines[:-1])) == "log_changed"  # one journal
    assert day.why(b"".join(lines[:end] + lines[end + 1 :])) == "log_changed"
    plain = b"".join(lines[: end + 1]).replace(b',"journals":%d' % journals, b"")
    assert day.why(plain) == "log_changed"
    # made anew as a log without a signature
    chain = json.loads(lines[end - 1])["link"]
    text = f'{{"end":{end}}}'
    unsigned = b"".join(lines[:end]) + f'{text[:-1]},"link":"{link(chain, text)}"}}\n'.encode()
    assert len(read_log(day.written(unsigned)).events) == end
    assert day.why(unsigned) == "export_unsigned"


def test_no_byte_of_it_can_be_changed_or_cut_off(day: Day) -> None:
    """Spread over the whole of it; 997 is a prime, so that every bit of a byte gets its turn."""
    data, tried = day.proof, 0
    for at in range(0, len(data), 997):
        for other in (data[:at] + bytes((data[at] ^ 1 << at % 8,)) + data[at + 1 :], data[:at]):
            tried += 1
            with pytest.raises(UserError):
                verify_export(PROOF, other, day.keys)
    assert tried > 200


def test_a_revoked_desk_signs_nothing_more(day: Day) -> None:
    keys = [replace(key, revoked=500) if key.id == day.desk.id else key for key in day.keys.keys]
    revoked = KeyList("Cup", tuple(keys))
    assert day.why(day.proof, revoked) == "export_revoked"
    # old times, a new signature: no time in the file counts
    assert day.why(resigned(day.proof, day.desk, long_ago), revoked) == "export_revoked"
    end = json.loads(next(x for x in day.proof.splitlines() if x.startswith(b'{"end"')))["link"]

    def seen(at: int) -> Callable[[str, str], int | None]:
        return lambda *what: at if what == (day.desk.id, end) else None

    assert verify_export(PROOF, day.proof, revoked, seen(499)).by_box
    for data, at in ((day.proof, 500), (resigned(day.proof, day.desk, long_ago), 499)):
        with pytest.raises(UserError) as refused:
            verify_export(PROOF, data, revoked, seen(at))
        assert refused.value.sentence.key == "export_revoked"


def test_the_wrong_list(day: Day) -> None:
    """Of another league: it knows neither this desk nor its boxes."""
    other = read_list(publish(KeyList("X", (_line(THIEF),)), THIEF))
    assert day.why(day.proof, other) == "export_signer"


def test_a_box_that_is_not_enrolled_leaves_the_word_of_the_desk(day: Day) -> None:
    only = KeyList("Cup", day.keys.of(""))
    found = verify_export(PROOF, day.proof, only)
    assert found.by_box == []
    assert sorted(found.by_desk) == sorted(day.counted)


def test_it_can_be_restored_too(day: Day, tmp_path: Path) -> None:
    events = read_log(day.written(day.proof)).events
    with closing(TournamentService.restore(str(tmp_path / "x.db"), events)) as service:
        assert service.last_seq() == len(events)


def _line(key: SigningKey) -> EnrolledKey:
    return EnrolledKey("", key.public, 1, "X")

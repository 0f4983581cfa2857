"""What version 0.1 wrote still reads and replays byte for byte, whatever the house looks like now.

`v0_1/` was written once, by commit 2f07645, and is never written again: the journals of a whole
match of every game as a box kept them, the SHA-256 of the transcripts inside them, tags of every
kind (kind, unsealed bytes, bytes sealed with the keys of tests/tags/examples.py), link frames, and
a simulated day of eight players as database, log, export and table.
"""

import gzip
import hashlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from card_tags import codec
from firmware.app.link_frames import read_frame, write_frame
from host_tools import cli

WRITTEN = Path(__file__).parent / "v0_1"
LINK = ',"link":"' + 64 * "0" + '"}'
"""What every line of an exported log ends in since then."""
JOURNALS = sorted((WRITTEN / "journals").glob("*.end"))
TAGS = [line.split() for line in (WRITTEN / "tags.txt").read_text("utf-8").splitlines()]
FRAMES = (WRITTEN / "frames.txt").read_bytes().splitlines(keepends=True)


def schiri(*arguments: str, stdin: bytes = b"") -> bytes:
    """What the command prints; it must end with 0."""
    ran = CliRunner().invoke(cli.schiri, arguments, input=stdin, catch_exceptions=False)
    assert ran.exit_code == 0, ran.stdout[-500:] + ran.stderr
    return ran.stdout_bytes


@pytest.fixture
def day(tmp_path: Path) -> str:
    """The database of the day, as `--db` takes it."""
    path = tmp_path / "day.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(gzip.decompress((WRITTEN / "day.sql.gz").read_bytes()).decode())
    return str(path)


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_the_transcript_inside_a_journal_is_the_same(path: Path) -> None:
    sums = dict(
        reversed(line.split())
        for line in (WRITTEN / "transcripts.sha256").read_text().splitlines()
    )
    transcript = schiri("journal", "transcript", str(path))
    assert hashlib.sha256(transcript).hexdigest() == sums[path.name]


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_a_journal_replays_to_the_answers_of_its_box(path: Path) -> None:
    schiri("journal", "verify", str(path))
    transcript = schiri("journal", "transcript", str(path))
    schiri("replay", "--check", "-", stdin=transcript)


@pytest.mark.parametrize("row", TAGS, ids=lambda row: row[0])
def test_a_tag_reads_and_is_written_as_before(row: list[str]) -> None:
    kind, *written = row
    for text in written:
        tag = codec.decode(bytes.fromhex(text))
        assert tag.kind == kind
        assert codec.encode(tag).hex() == text


@pytest.mark.parametrize("line", FRAMES)
def test_a_link_frame_reads_and_is_written_as_before(line: bytes) -> None:
    assert write_frame(read_frame(line)) == line


def old_columns(groups: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Without what a Swiss and tables of several have come to add; a group has nothing there."""
    for row in (row for rows in groups.values() for row in rows):
        assert [row.pop(name) for name in ("buchholz", "median", "firsts")] == [0, 0, 0]
    return groups


def test_a_database_verifies_and_ranks_as_before(day: str) -> None:
    schiri("tournament", "verify", "--db", day)
    table = json.loads(schiri("tournament", "standings", "--json", "--db", day))
    before = json.loads((WRITTEN / "day.standings.json").read_text("utf-8"))
    assert old_columns(table["groups"]) == before["groups"]


def test_a_log_is_restored_and_written_again_the_same_and_with_its_proof(tmp_path: Path) -> None:
    database = str(tmp_path / "again.sqlite")
    log = WRITTEN / "day.log.ndjson"
    schiri("tournament", "restore", str(log), "--db", database)
    schiri("tournament", "verify", "--db", database)
    *lines, _ = schiri("tournament", "export", "--format", "log", "--db", database).splitlines()
    assert [line[: -len(LINK)] + b"}" for line in lines] == log.read_bytes().splitlines()


def test_an_exported_file_is_read(tmp_path: Path) -> None:
    before = json.loads((WRITTEN / "day.standings.json").read_text("utf-8"))
    ranked = schiri("tournament", "standings", str(WRITTEN / "day.json"), "--json")
    assert old_columns(json.loads(ranked)["groups"]) == before["groups"]

"""What version 0.1 wrote still reads and replays byte for byte, whatever the house looks like now.

`v0_1/` was written once, by commit 2f07645, and is never written again: the journals of a whole
match of every game as a box kept them, the SHA-256 of the transcripts inside them, tags of every
kind (kind, unsealed bytes, bytes sealed with the keys of tests/tags/examples.py), and link frames.
"""

import hashlib
from pathlib import Path

import pytest
from click.testing import CliRunner

from card_tags import codec
from firmware.app.link_frames import read_frame, write_frame
from host_tools import cli

WRITTEN = Path(__file__).parent / "v0_1"
JOURNALS = sorted((WRITTEN / "journals").glob("*.end"))
TAGS = [line.split() for line in (WRITTEN / "tags.txt").read_text("utf-8").splitlines()]
FRAMES = (WRITTEN / "frames.txt").read_bytes().splitlines(keepends=True)


def schiri(*arguments: str, stdin: bytes = b"") -> bytes:
    """What the command prints; it must end with 0."""
    ran = CliRunner().invoke(cli.schiri, arguments, input=stdin, catch_exceptions=False)
    assert ran.exit_code == 0, ran.stdout[-500:] + ran.stderr
    return ran.stdout_bytes


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

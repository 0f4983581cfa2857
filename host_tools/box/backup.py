"""One file with the settings of a box and the matches that no desk has confirmed."""

import base64
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware.app.link_frames import MAX_REQUEST
from host_tools.box.link import BoxLink, LinkLost
from host_tools.box.sync import BoxMatch, fetch_lines, list_matches
from host_tools.core.errors import UserError
from host_tools.core.own_files import read_input

if TYPE_CHECKING:
    from host_tools.store.store import Store, Stored

FORMAT = 1
PIECE = (MAX_REQUEST - 300) // 4 * 3  # bytes that fit into one request in base64, with its fields


@dataclass(frozen=True)
class Kept:
    """A match in a backup; `state` is run, end or aside."""

    number: int
    state: str
    journal: bytes


def make_backup(link: BoxLink) -> dict[str, Any]:
    """Settings and unconfirmed matches, also one that is still being played. Raises UserError."""
    hello = link.hello()
    waiting = [entry for entry in list_matches(link) if entry.state != "ok"]
    return {
        "schiri_backup": FORMAT,
        "box": hello["box"],
        "settings": link.request("settings")["settings"],
        "matches": [
            {
                "match": entry.number,
                "state": entry.state,
                "journal": _packed(_fetch(link, entry)),
            }
            for entry in waiting
        ],
    }


def _fetch(link: BoxLink, entry: BoxMatch) -> bytes:
    raw = b"".join(part for part, _ in fetch_lines(link, entry.number, 0))
    # one that is being played grows while it is fetched
    if entry.state != "run" and len(raw) != entry.size:
        raise LinkLost("match_torn", number=entry.number)
    return raw


def _packed(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


def read_backup(path: Path) -> dict[str, Any]:
    """Read and check a backup. Raises UserError naming the file."""
    try:
        backup = json.loads(read_input(path))
        if backup["schiri_backup"] != FORMAT:
            raise UserError("backup_newer", path=path)
        settings = dict(backup["settings"])
        matches = [_unpacked(entry) for entry in backup["matches"]]
    except (ValueError, KeyError, TypeError) as error:
        raise UserError("backup_none", path=path) from error
    return {"box": backup.get("box"), "settings": settings, "matches": matches}


def _unpacked(entry: dict[str, Any]) -> Kept:
    """ValueError, KeyError or TypeError for an entry that is none."""
    # without `validate` letters that are not of base64 would be passed over
    return Kept(
        int(entry["match"]), str(entry["state"]), base64.b64decode(entry["journal"], validate=True)
    )


def store_matches(backup: dict[str, Any], store: "Store") -> "list[Stored]":
    """Put the matches of a backup into the desk's store, checked like those of a sync."""
    return [store.add(kept.journal) for kept in backup["matches"]]


def put_matches(link: BoxLink, backup: dict[str, Any]) -> int:
    """Bring the matches back onto their own box; returns how many are there now.

    Raises UserError if it is another box: a journal belongs to the box that sealed it.
    """
    box = link.hello()["box"]
    if backup["matches"] and box != backup["box"]:
        raise UserError("backup_other_box", other=backup["box"], box=box)
    for kept in backup["matches"]:
        _put(link, kept)
    return len(backup["matches"])


def _put(link: BoxLink, kept: Kept) -> None:
    size, digest = len(kept.journal), hashlib.sha256(kept.journal).hexdigest()
    sent, done = 0, False
    while not done:
        reply = link.request(
            "restore",
            match=kept.number,
            state=kept.state,
            size=size,
            sha256=digest,
            offset=sent,
            data=_packed(kept.journal[sent : sent + PIECE]),
        )
        # the box says what it has: after a lost answer no piece is written twice
        sent, done = int(reply["have"]), bool(reply["done"])

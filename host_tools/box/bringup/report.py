"""What bring-up found, in sentences, as data, and as a page that can be attached to an issue."""

import hashlib
import hmac
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hardware.twin.harness import Wire
from host_tools.box.bringup.faults import Fault
from host_tools.box.bringup.measuring import Findings
from host_tools.cards.keys import LeagueKey
from host_tools.core.own_files import write_whole
from host_tools.core.texts import BRINGUP

NOTES = ("address", "controller")  # what the box has dealt with by itself
_SHOWN = 3
FORMAT = 1


def sentences(found: Sequence[Fault], language: str) -> list[str]:
    """The likeliest first: a single wire or module before two that changed places."""
    words = BRINGUP[language]
    ranked = sorted(found, key=lambda fault: fault.kind == "swapped")
    lines = [sentence(fault, language) for fault in ranked[:_SHOWN]]
    lines[1:] = [words["or"] + line for line in lines[1:]]
    if len(ranked) > _SHOWN:
        lines.append(words["more"].format(count=len(ranked) - _SHOWN))
    return lines


def sentence(fault: Fault, language: str) -> str:
    """One fault in words."""
    wires = ", ".join(_wire(wire, language) for wire in fault.wires)
    return BRINGUP[language][fault.kind].format(wires=wires, module=fault.module)


def _wire(wire: Wire, language: str) -> str:
    one, other = (" ".join(spot) for spot in wire)
    return BRINGUP[language]["wire"].format(one=one, other=other)


def is_good(found: Sequence[Fault]) -> bool:
    """Nothing is left to do."""
    return not found or any(fault.kind in NOTES for fault in found)


def make_report(
    hello: dict[str, Any], revision: str, findings: Findings, found: Sequence[Fault]
) -> dict[str, Any]:
    """Plain data. `signs` is what was compared, `parts` what the box told."""
    signs = {
        name: sorted(value) if isinstance(value, frozenset) else value
        for name, value in findings.signs.items()
    }
    return {
        "schiri_bringup": FORMAT,
        "box": hello.get("box"),
        "firmware": hello.get("firmware"),
        "revision": revision,
        "good": is_good(found),
        "signs": signs,
        "parts": findings.parts,
        "faults": [
            {"kind": fault.kind, "wires": fault.wires, "module": fault.module} for fault in found
        ],
    }


def sign(report: dict[str, Any], key: LeagueKey | None) -> dict[str, Any]:
    """The report with its digest, and with a league key's HMAC if there is one. The digest shows a
    slip of copying; only the HMAC shows who made it, to those who have the key.
    """
    data = canonical(report)
    signed = {**report, "sha256": hashlib.sha256(data).hexdigest()}
    if key is not None:
        signed["key"] = key.name
        signed["hmac"] = hmac.new(key.secret, data, hashlib.sha256).hexdigest()
    return signed


def canonical(report: dict[str, Any]) -> bytes:
    """The bytes that are signed: without the signature, keys in order."""
    bare = {name: value for name, value in report.items() if name not in ("sha256", "key", "hmac")}
    return json.dumps(bare, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def write_report(path: Path, report: dict[str, Any], said: Sequence[str], language: str) -> Path:
    """`path` as JSON and the page beside it; returns where the page is. Raises OSError."""
    write_whole(path, (json.dumps(report, indent=1, ensure_ascii=False) + "\n").encode())
    page = path.with_suffix(".md")
    write_whole(page, _page(report, said, language).encode())
    return page


def _page(report: dict[str, Any], said: Sequence[str], language: str) -> str:
    words = BRINGUP[language]
    lines = [
        f"# {words['title'].format(box=report['box'])}",
        "",
        f"{words['firmware']} {report['firmware']}, {words['revision']} {report['revision']}",
        "",
        *(f"* {line}" for line in said),
        "",
        f"## {words['measured']}",
        "",
        "| | |",
        "|---|---|",
        *(f"| {name} | {json.dumps(value)} |" for name, value in report["signs"].items()),
        "",
        f"{words['signed']}: `{report['sha256']}`",
    ]
    if "hmac" in report:
        lines.append(f"{words['sealed'].format(key=report['key'])}: `{report['hmac']}`")
    return "\n".join(lines) + "\n"

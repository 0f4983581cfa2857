"""What bring-up found, in sentences, as data, and as a page that can be attached to an issue."""

import hashlib
import hmac
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hardware.twin.harness import NORTH, READER, SOUTH, STRIP, SWITCHES, Wire
from host_tools.box.bringup.diagnosis import Diagnosis
from host_tools.box.bringup.faults import WiringFault
from host_tools.box.bringup.measuring import Findings
from host_tools.cards.keys import KeyRing, LeagueKey
from host_tools.core.own_files import write_whole
from host_tools.core.texts import BRINGUP

_PARTS = {
    "tone": "part_tone",
    "card": "part_card",
    "field": "part_field",
    "line": "part_line",
    "supply": "part_supply",
    "ohms": "part_ohms",
    "apart": "part_apart",
}
_SHOWN = 3  # tests/host/bringup_faults.py counts what so many sentences name
FORMAT = 2
# what is measured next, with a multimeter, by the part that is looked at
_NEXT = {
    READER: "next_reader",
    SOUTH: "next_screen",
    NORTH: "next_screen",
    STRIP: "next_strip",
    **dict.fromkeys(SWITCHES, "next_strip"),
}


def sentences(found: Diagnosis, measured: dict[str, Any], language: str) -> list[str]:
    """What is wrong, the likeliest first, what was not tried, and what to measure next."""
    words = BRINGUP[language]
    if found.is_good:
        return [words["verdict_good"], *_notes(found, language)]
    lines = [] if measured.get("alive", True) else [words["dead"]]
    if found.lost:
        lines.append(words["lost"].format(part=found.lost))
    for number, alike in enumerate(found.causes):
        reported = _alike(alike, language)
        lines += [words["besides"] + reported[0] if number else reported[0], *reported[1:]]
    if found.is_unknown:
        lines.append(words["unknown"])
        lines += [
            words["strange"].format(sign=name, value=_plain(measured.get(name)))
            for name in found.strange
        ]
    if found.unasked and not found.lost:
        parts = ", ".join(words[_PARTS[name]] for name in found.unasked)
        lines.append(words["unasked"].format(parts=parts))
    return [*lines, *_notes(found, language), *_steps(found, language)]


def headline(found: Diagnosis, measured: dict[str, Any], language: str) -> str:
    """The one sentence for who reads only the error."""
    lines = sentences(found, measured, language)
    # the first line only says that the box is dead, the second what would explain it
    return lines[1] if not measured.get("alive", True) and len(lines) > 1 else lines[0]


def _alike(alike: Sequence[WiringFault], language: str) -> list[str]:
    """Faults that look the same."""
    words = BRINGUP[language]
    reported = list(dict.fromkeys(sentence(fault, language) for fault in alike))
    lines = reported[:1] + [words["or"] + line for line in reported[1:_SHOWN]]
    if len(reported) > _SHOWN:
        lines.append(words["more"].format(count=len(reported) - _SHOWN))
    return lines


def _notes(found: Diagnosis, language: str) -> list[str]:
    return [sentence(note, language) for note in found.notes]


def _steps(found: Diagnosis, language: str) -> list[str]:
    """What to measure next, once for each part."""
    words = BRINGUP[language]
    modules = [
        module for fault in found.all_faults()[:_SHOWN] for module in _modules_of(fault)
    ] or [name for name in (SOUTH, NORTH, READER, STRIP) if _is_strange(found, name)]
    steps: dict[str, str] = {}
    for module in modules or [""]:
        steps.setdefault(_NEXT.get(module, "next_supply"), module)
    return [words[key].format(module=module) for key, module in steps.items()]


def _modules_of(fault: WiringFault) -> list[str]:
    if fault.module or not fault.wires:
        return [fault.module]
    ends = [spot[0] for wire in fault.wires for spot in wire]
    return [end for end in ends if end in _NEXT][:1]


def _is_strange(found: Diagnosis, module: str) -> bool:
    about = {READER: ("reader", "reset", "field", "line", "card"), STRIP: ("button", "tone")}
    return any(
        module in name or name.startswith(about.get(module, (module,))) for name in found.strange
    )


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def sentence(fault: WiringFault, language: str) -> str:
    """One fault in words."""
    wires = ", ".join(_wire(wire, language) for wire in fault.wires)
    return BRINGUP[language][fault.kind].format(wires=wires, module=fault.module)


def _wire(wire: Wire, language: str) -> str:
    one, other = (" ".join(spot) for spot in wire)
    return BRINGUP[language]["wire"].format(one=one, other=other)


def make_report(
    hello: dict[str, Any], revision: str, findings: Findings, found: Diagnosis
) -> dict[str, Any]:
    """Plain data. `signs` is what was compared, `parts` what the box told; `causes` are the faults
    that together explain it, each with all that look the same.
    """
    return {
        "schiri_bringup": FORMAT,
        "box": hello.get("box"),
        "public": hello.get("public"),
        "firmware": hello.get("firmware"),
        "revision": revision,
        "good": found.is_good,
        "signs": findings.signs,
        "parts": findings.parts,
        "causes": [[_data(fault) for fault in alike] for alike in found.causes],
        "strange": found.strange,
        "unasked": found.unasked,
        "notes": [_data(note) for note in found.notes],
        "lost": found.lost,
    }


def _data(fault: WiringFault) -> dict[str, Any]:
    return {"kind": fault.kind, "wires": fault.wires, "module": fault.module}


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
    # the file may be indented or its fields sorted anew: these bytes stay the same
    return json.dumps(bare, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def is_intact(report: dict[str, Any], ring: KeyRing) -> bool:
    """Whether a report is as `sign` left it; its HMAC is looked at where its league key is here.
    Raises KeyError for one that was never signed.
    """
    data = canonical(report)
    key = next((key for key in ring.keys if key.name == report.get("key")), None)
    if key is not None:
        made = hmac.new(key.secret, data, hashlib.sha256).hexdigest()
        if not hmac.compare_digest(made, str(report["hmac"])):
            return False
    return bool(hashlib.sha256(data).hexdigest() == report["sha256"])


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

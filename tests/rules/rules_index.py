"""Makes docs/rules.md: every rule id with its sentence, modules and transcripts.

`python -m tests.rules.rules_index` writes it; test_rules_index.py fails when it is out of date.
"""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/rules.md"

# Prefix -> (heading, number of rules); 0: the prefix itself is the id.
PARTS = {
    "TR": ("Trumpf", 14),
    "GA": ("Gastro Quartett", 0),
    "KN": ("Kneipen-Quartett", 5),
    "SW": ("Swiss championship", 9),
    "CL": ("Clock", 7),
    "QU": ("Quartett", 7),
    "CB": ("Café International, board", 14),
    "CA": ("Café International, app", 4),
    "HA": ("Hattrick", 9),
}
# What the desk decides; SW-7b stands behind SW-7.
DESK = ("SW-7b", *(f"TO-{number}" for number in range(1, 6)))
_TABLE_HEAD = ("| id | rule | in | shown by |", "|---|---|---|---|")
_RANGE = re.compile(r"\b([A-Z]{2})-(\d+)\s+to\s+(?:\1-)?(\d+)\b")
_SINGLE = re.compile(r"\b[A-Z]{2}-\d+b?\b")


def ids_of(prefix: str) -> list[str]:
    """All rule ids of a part."""
    count = PARTS[prefix][1]
    return [f"{prefix}-{number}" for number in range(1, count + 1)] or [prefix]


def all_ids() -> list[str]:
    """All rule ids of the games."""
    return [rule for prefix in PARTS for rule in ids_of(prefix)]


def named_in(text: str) -> set[str]:
    """The ids that a module names, ranges such as `TR-3 to TR-11` included."""
    found = set(_SINGLE.findall(text))
    for prefix, first, last in _RANGE.findall(text):
        found.update(f"{prefix}-{number}" for number in range(int(first), int(last) + 1))
    if re.search(r"\bGA\b", text):
        found.add("GA")
    return found


def modules() -> dict[str, list[str]]:
    """Rule id -> the modules of the rules that name it; of the clock's, app and pages as well; of
    the desk's, those of the tournament.
    """
    found: dict[str, list[str]] = {rule: [] for rule in all_ids()}
    for path in rule_modules():
        for rule in named_in(path.read_text("utf-8")):
            found.setdefault(rule, []).append(_place(path))
    firmware = ROOT / "firmware"
    for path in sorted([*(firmware / "app").rglob("*.py"), *firmware.glob("games/*/*page.py")]):
        for rule in named_in(path.read_text("utf-8")) & set(ids_of("CL")):
            found[rule].append(_place(path))
    for path in sorted((ROOT / "host_tools/tournament").rglob("*.py")):
        for rule in DESK:
            if rule in named_in(path.read_text("utf-8")):
                found.setdefault(rule, []).append(path.relative_to(ROOT).as_posix())
    return found


def rule_modules() -> list[Path]:
    """The core of all games and what each game adds to it, without the pages."""
    folders = ((ROOT / "firmware" / name).rglob("*.py") for name in ("rules", "games"))
    return sorted(
        path for folder in folders for path in folder if not path.name.endswith("page.py")
    )


def _place(path: Path) -> str:
    return path.relative_to(ROOT / "firmware").as_posix()


def transcripts() -> dict[str, list[Path]]:
    """Rule id -> the transcripts whose header lists it under `rules`; for the clock also the
    scripts of a whole box that name it, for the desk's the tests.
    """
    found: dict[str, list[Path]] = {rule: [] for rule in all_ids()}
    for path in sorted((ROOT / "tests/transcripts").rglob("*.ndjson")):
        header = json.loads(path.open(encoding="utf-8").readline())
        for rule in header.get("rules", []):
            found.setdefault(rule, []).append(path)
    for path in sorted((ROOT / "tests/app/scripts").glob("*.txt")):
        for rule in named_in(path.read_text("utf-8")) & set(ids_of("CL")):
            found[rule].append(path)
    # the desk's rules are shown by tests, which name them
    for path in sorted((ROOT / "tests/host/tournament").glob("test_*.py")):
        for rule in DESK:
            if rule in named_in(path.read_text("utf-8")):
                found.setdefault(rule, []).append(path)
    return found


def sentences() -> dict[str, dict[str, Any]]:
    """Rule id -> `rule` and, for a ruling of ours, `why`, from docs/rules/*.toml."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted((ROOT / "docs/rules").glob("*.toml")):
        found.update(tomllib.loads(path.read_text("utf-8")))
    return found


def page() -> str:
    """The text of docs/rules.md."""
    lines = [
        "# The rules, where they live and what shows them",
        "",
        "Made by `python -m tests.rules.rules_index`; a test fails when it is out of date.",
        "*Ruling*: the leaflets are silent or unclear; the reason is given.",
    ]
    where, shown, told = modules(), transcripts(), sentences()
    groups = {f"{prefix}: {heading}": ids_of(prefix) for prefix, (heading, _) in PARTS.items()}
    swiss = groups["SW: Swiss championship"]
    swiss.insert(swiss.index("SW-7") + 1, "SW-7b")
    groups["TO: Tournament"] = [rule for rule in DESK if rule.startswith("TO")]
    for heading, rules in groups.items():
        lines += ["", f"## {heading}", "", *_TABLE_HEAD]
        for rule in rules:
            said = told.get(rule, {})
            text = said.get("rule", "")
            if "why" in said:
                text += f" *Ruling:* {said['why']}"
            places = " ".join(f"`{name}`" for name in where[rule])
            links = " ".join(_link(path) for path in shown[rule])
            lines.append(f"| {rule} | {text} | {places} | {links} |")
    return "\n".join(lines) + "\n"


def _link(path: Path) -> str:
    return f"[{path.stem}](../{path.relative_to(ROOT).as_posix()})"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

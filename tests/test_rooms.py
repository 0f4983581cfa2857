"""The house has rooms (docs/ARCHITECTURE.md):

this walks every import and fails on an arrow that is not drawn.
"""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = ("firmware", "card_tags", "host_tools", "hardware")

# room -> prefixes of our own modules it may import (itself is always allowed)
ALLOWED = {
    "firmware.rules": (),
    "firmware.drivers": (),
    "firmware.boards": (),
    "firmware.app": ("firmware.rules", "card_tags"),
    "firmware.main": ("firmware", "card_tags"),
    "card_tags": (),
    "hardware": ("card_tags", "firmware"),
    "host_tools": ("card_tags", "firmware", "hardware"),
}
# the box's own modules have two doors only: everything else gets clock, pins and buses handed in
DEVICE_MODULES = {"machine", "time", "rp2"}
DEVICE_DOORS = ("firmware.main", "firmware.boards")


def modules() -> list[str]:
    return sorted(
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for top in OURS
        for path in (ROOT / top).rglob("*.py")
    )


def imports(module: str) -> set[str]:
    path = ROOT / (module.replace(".", "/") + ".py")
    package = module.split(".")[:-1]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found.add(base)
            found.update(f"{base}.{alias.name}" for alias in node.names)
    return found


def room_of(module: str) -> str:
    return max((room for room in ALLOWED if within(module, room)), key=len, default=module)


def within(module: str, room: str) -> bool:
    return module == room or module.startswith(room + ".")


@pytest.mark.parametrize("module", modules())
def test_imports_follow_the_drawn_arrows(module: str) -> None:
    room = room_of(module)
    allowed = (room, *ALLOWED.get(room, ()))
    ours = {name for name in imports(module) if name.split(".")[0] in OURS}
    strangers = {
        name for name in ours - set(OURS) if not any(within(name, door) for door in allowed)
    }
    assert not strangers, f"{module} reaches into {sorted(strangers)}; {room} may import {allowed}"


@pytest.mark.parametrize("module", [m for m in modules() if m.split(".")[0] == "firmware"])
def test_only_main_and_the_board_touch_the_device_modules(module: str) -> None:
    if any(within(module, door) for door in DEVICE_DOORS):
        return
    assert not imports(module) & DEVICE_MODULES


def test_a_forbidden_arrow_is_seen() -> None:
    assert room_of("firmware.rules.trumpf") == "firmware.rules"
    assert not within("firmware.application", "firmware.app")

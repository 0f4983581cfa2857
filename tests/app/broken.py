"""A copy of the firmware in which any module can be made to raise at any of its calls."""

import ast
import shutil
from pathlib import Path

from hardware.twin.node import ROOT

MAIN = "firmware.main"
PACKAGES = ("firmware", "card_tags")


class Broken(RuntimeError):
    """What the chosen module raises."""


class Plan:
    """Module `module` raises in its call number `at` of a boot, in so many boots. `calls` counts
    the calls of every module in this boot, from the call of `turns` on: before it there is nobody
    who could catch anything. Then the loader takes the other slot, or main.py ends, and no
    watchdog runs yet.
    """

    def __init__(self) -> None:
        self.break_at("", 0, 0)

    def break_at(self, module: str, at: int, times: int) -> None:
        self.module, self.at, self.times = module, at, times
        self.calls: dict[str, int] = {}
        self._begun = False

    def boot(self) -> None:
        self.calls = {}
        self._begun = False

    def call(self, module: str) -> None:
        if not self._begun:
            self._begun = module == MAIN
            return
        number = self.calls[module] = self.calls.get(module, 0) + 1
        if module == self.module and number == self.at and self.times:
            self.times -= 1
            raise Broken(f"call {number} of {module}")


plan = Plan()
"""The firmware's files import this very one: only what is the box's is loaded anew at a boot."""


def sources(folder: Path) -> Path:
    """The firmware, with a look at the plan in every function."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package)
        for path in (folder / package).rglob("*.py"):
            name = path.relative_to(folder).with_suffix("").as_posix().replace("/", ".")
            path.write_text(_breakable(path.read_text(encoding="utf8"), name), encoding="utf8")
    return folder


def _breakable(text: str, name: str) -> str:
    tree = ast.parse(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    look = f"__import__({__name__!r}, None, None, ('plan',)).plan.call({name!r})"
    for function in functions:
        function.body[:0] = ast.parse(look).body
    return ast.unparse(ast.fix_missing_locations(tree))

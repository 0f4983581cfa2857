"""`schiri verify` and the page that checks: one verdict and one sentence for every test vector."""

import base64
import difflib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from host_tools.cards.public_keys import KeyList, read_list
from host_tools.commands.verify import check_journal, check_link, check_list, of_export
from host_tools.core.errors import UserError
from host_tools.tournament.verifying import verify_export
from tests.support.vectors import EXPORT, Generator, Vector

from .desk_hall import DeskHall

AT_ONCE = 100
"""Vectors of one call into the page."""
# what a person does with a file or a link, without the file dialogue: the lists are read before
RUN = """async ({lists, bases, vectors}) => {
  const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const read = {};
  for (const [name, text] of Object.entries(lists)) read[name] = await readList(text);
  const origin = bases.map(bytesOf);
  const found = [];
  for (const one of vectors) {
    localStorage.clear();
    show([]);
    known = read[one.keys];
    const before = one.base < 0 ? new Uint8Array() : origin[one.base];
    const piece = (part) => typeof part === "string" ? bytesOf(part) : before.subarray(...part);
    const bytes = joined(...one.parts.map(piece));
    const place = document.getElementById("verdict");
    place.dataset.state = place.className = place.textContent = "";
    try {
      const asked = one.link === null ? questionOf(one.name, bytes) : () => checkLink(one.link);
      await guarded(asked ?? (async () => {
        await takeList(looseText(bytes), true);
        verdict("list", {}, "half");
      }));
    } catch (error) {
      place.textContent = `${error.stack}`;
    }
    const shown = [...document.querySelectorAll("#signed li")].map((item) => item.textContent);
    found.push([place.dataset.state, place.className, place.textContent, shown]);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def generator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Generator]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("vectors")
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        made = Generator(folder)
        # made here: tests have another folder of keys
        made.all = list(made.vectors())
        yield made


def by_command(vector: Vector, keys: KeyList, lang: str) -> tuple[str, str, bool, list[str]]:
    """Verdict, sentence, whether it holds, and what else is said."""
    try:
        if isinstance(vector.data, str):
            found = check_link(vector.data, keys, lang)
        elif vector.data.startswith(b'{"seq":'):
            export = verify_export(Path(EXPORT), vector.data, keys)
            found = of_export(export, keys, lang)
        elif vector.data.startswith(b"{"):
            found = check_list(vector.data)
        else:
            found = check_journal(vector.data, keys, lang)
    except UserError as error:
        return error.sentence.key, error.sentence.said(lang), False, []
    said: Any = found.sentence
    return found.verdict, said.said(lang), found.holds, found.says


def by_page(
    page: Page, generator: Generator, vectors: Sequence[Vector]
) -> list[tuple[str, str, str, list[str]]]:
    """State, colour, sentence, and the lines above."""
    lists = {name: data.decode() for name, data in generator.lists.items()}
    bases = [base64.b64encode(data).decode() for data in generator.exports]
    found: list[Any] = []
    for start in range(0, len(vectors), AT_ONCE):
        batch = [
            as_edits(vector, generator.exports) for vector in vectors[start : start + AT_ONCE]
        ]
        found += page.evaluate(RUN, {"lists": lists, "bases": bases, "vectors": batch})
    return found


def as_edits(vector: Vector, bases: Sequence[bytes]) -> dict[str, Any]:
    """For the page: what it has is not sent once more. A part is a range of a base, or base64."""
    asked: dict[str, Any] = {
        "name": EXPORT,
        "keys": vector.keys,
        "link": None,
        "base": -1,
        "parts": [],
    }
    if isinstance(vector.data, str):
        return {**asked, "link": vector.data.partition("#")[2]}
    base = next((n for n, data in enumerate(bases) if vector.data[:150] == data[:150]), -1)
    lines = vector.data.splitlines(keepends=True)
    ours = bases[base].splitlines(keepends=True) if base >= 0 else []
    starts = [0]
    for line in ours:
        starts.append(starts[-1] + len(line))
    parts: list[object] = []
    matcher = difflib.SequenceMatcher(None, ours, lines, autojunk=False)
    for what, i1, i2, j1, j2 in matcher.get_opcodes():
        if what == "equal":
            parts.append([starts[i1], starts[i2]])
        elif j1 < j2:
            parts.append(base64.b64encode(b"".join(lines[j1:j2])).decode())
    return {**asked, "base": base, "parts": parts}


def disagreements(
    page: Page, generator: Generator, vectors: Sequence[Vector], lang: str
) -> list[object]:
    """What either of the two says otherwise than the vector or the other one."""
    keys = {name: read_list(data) for name, data in generator.lists.items()}
    wrong: list[object] = []
    for vector, there in zip(vectors, by_page(page, generator, vectors), strict=True):
        here = by_command(vector, keys[vector.keys], lang)
        state, colour, sentence, lines = there
        of_page = (vector.page or vector.verdict).replace("list_proves", "list")
        alike = sentence == here[1] or vector.page or state == "list"
        # a good word of the page is for what it has checked to its end
        fits = colour == "bad" if not here[2] else colour in ("good", "half")
        fits = fits or bool(vector.page and colour == "half")
        counts = vector.by_box < 0 or all(
            said[:1] and said[0].startswith(f"{vector.by_box} ") for said in (here[3], lines)
        )
        if (here[0], state) != (vector.verdict, of_page) or not (alike and fits and counts):
            wrong.append((vector.name, vector.keys, vector.verdict, vector.by_box, here, there))
    return wrong


def check(
    page: Page, hall: DeskHall, generator: Generator, vectors: list[Vector], lang: str
) -> None:
    page.goto(f"{hall.base}/verify?lang={lang}")
    page.wait_for_selector("#verdict[data-state]")
    assert disagreements(page, generator, vectors, lang) == []


def test_one_of_each_kind(chromium: Page, hall: DeskHall, generator: Generator) -> None:
    kinds = {re.sub(r"[0-9]+", "", vector.name): vector for vector in generator.all}
    assert len(kinds) > 100
    check(chromium, hall, generator, list(kinds.values()), "de")


@pytest.mark.long
def test_all_of_them(chromium: Page, hall: DeskHall, generator: Generator) -> None:
    assert len(generator.all) > 1000
    check(chromium, hall, generator, generator.all, "en")

"""`make docs`: lay the pages of the repository and what they link to in build/pages; call MkDocs.

The pages keep their folders, so their links hold; MkDocs knows no page outside its own folder.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "build" / "pages"
WORKER = ROOT / "node_modules" / "iframe-worker" / "shim" / "index.js"
QUIET = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
LINK = re.compile(r"\]\((?!\w+:|#|/)([^)#\s]+)(#[^)\s]*)?\)")

# page of the reference: folders or modules whose docstrings it shows
REFERENCE = {
    "rules": ("firmware/rules",),
    "card_tags": ("card_tags",),
    "tournament": ("host_tools/tournament",),
    "store": ("host_tools/store",),
    "link": ("host_tools/box/link",),
}


def in_nav(config: str) -> list[str]:
    """Pages that the navigation of mkdocs.yml names, in its order."""
    return re.findall(r"(\S+\.md)\s*$", config.partition("\nnav:\n")[2], re.MULTILINE)


def modules(name: str) -> list[str]:
    """A module, or the modules of a package, with those of its packages."""
    path = ROOT / name
    if not path.is_dir():
        return [name.replace("/", ".")]
    found = [each for each in sorted(path.rglob("*.py")) if "migrations" not in each.parts]
    named = (str(each.relative_to(ROOT).with_suffix("")) for each in found)
    return [each.replace("/", ".").removesuffix(".__init__") for each in named]


def lay(page: Path, laid: set[Path]) -> None:
    """Copy a file, and all it links to; a link to a folder leads to the README in it."""
    if page in laid:
        return
    laid.add(page)
    target = PAGES / page.relative_to(ROOT)
    target.parent.mkdir(parents=True, exist_ok=True)
    if page.suffix != ".md":
        shutil.copyfile(page, target)
        return

    def follow(link: re.Match[str]) -> str:
        path = (page.parent / link[1]).resolve()
        address = link[1]
        if path.is_dir():
            list_folder(path, laid)
            path, address = path / "README.md", address.rstrip("/") + "/README.md"
        if path.is_file() and path.is_relative_to(ROOT):
            lay(path, laid)
        return f"]({address}{link[2] or ''})"

    target.write_text(LINK.sub(follow, page.read_text("utf8")), "utf8")


def list_folder(folder: Path, laid: set[Path]) -> None:
    """A page with what a folder holds, where it has no README of its own."""
    page = folder / "README.md"
    if page.exists() or page in laid:
        return
    laid.add(page)
    found = [each for each in sorted(folder.iterdir()) if each.name[0] not in "._"]
    for each in found:
        if each.suffix == ".md":
            lay(each, laid)
    lines = [f"- [{e.stem}]({e.name})" if e.suffix == ".md" else f"- `{e.name}`" for e in found]
    target = PAGES / page.relative_to(ROOT)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join([f"# {folder.name}", "", *lines, ""]), "utf8")


def main() -> int:
    """Lay the pages and build the site; a dead link fails."""
    shutil.rmtree(PAGES, ignore_errors=True)
    laid: set[Path] = set()
    for name in in_nav((ROOT / "mkdocs.yml").read_text("utf8")):
        if not name.startswith("reference/"):
            lay(ROOT / name, laid)
    (PAGES / "assets").mkdir()
    shutil.copyfile(WORKER, PAGES / "assets" / "iframe-worker.js")
    (PAGES / "reference").mkdir()
    for name, packages in REFERENCE.items():
        parts = [f"::: {each}" for package in packages for each in modules(package)]
        text = "\n\n".join([f"# {name}", *parts, ""])
        (PAGES / "reference" / f"{name}.md").write_text(text, "utf8")
    # MkDocs 1.6 is locked; Material's word on what comes after it is no fault of a page
    mkdocs = [str(Path(sys.executable).parent / "mkdocs"), "build", "--strict"]
    return subprocess.run(mkdocs, cwd=ROOT, check=False, env=QUIET).returncode


if __name__ == "__main__":
    sys.exit(main())

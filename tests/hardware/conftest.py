"""The printed parts, built once for all tests of a worker."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest
import trimesh

from hardware.build import facts
from hardware.case import dimensions, openscad
from hardware.case.sizes import Size
from hardware.guide import Facts
from hardware.revision import REV2

Sections = dict[str, dict[str, float]]
Sizes = dict[str, dict[str, Size]]


@pytest.fixture
def ledger() -> Sizes:
    """The sizes of the parts in use; a test may change its copy."""
    return dimensions.load_sizes()


@pytest.fixture
def d() -> Sections:
    """The dimensions as committed; a test may change its copy."""
    return dimensions.load()


@pytest.fixture
def known() -> Facts:
    """What the guide's tables are made from."""
    return facts()


@pytest.fixture(scope="session")
def printed(
    tmp_path_factory: pytest.TempPathFactory, needs: Callable[[str], str]
) -> Mapping[str, trimesh.Trimesh]:
    """Base, lid and caps of revision 1 as meshes."""
    return built(tmp_path_factory.mktemp("case"), dimensions.load(), needs)


@pytest.fixture(scope="session")
def printed2(
    tmp_path_factory: pytest.TempPathFactory, needs: Callable[[str], str]
) -> Mapping[str, trimesh.Trimesh]:
    """The same of revision 2."""
    d = dimensions.load(REV2.dimensions)
    return built(tmp_path_factory.mktemp("case"), d, needs)


def built(
    folder: Path, d: Sections, needs: Callable[[str], str], parts: Iterable[str] = openscad.PRINTED
) -> dict[str, trimesh.Trimesh]:
    needs("openscad")
    source = openscad.place_sources(folder, d)
    return {part: openscad.build(part, source) for part in parts}


@pytest.fixture
def build_changed(
    tmp_path: Path, needs: Callable[[str], str]
) -> Callable[[str, Sections], trimesh.Trimesh]:
    """Build one part anew with other dimensions."""
    return lambda part, changed: built(tmp_path, changed, needs, [part])[part]

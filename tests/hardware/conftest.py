"""The printed parts, built once for all tests and workers: OpenSCAD takes seconds for each."""

import fcntl
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import trimesh

from hardware.build import facts
from hardware.case import dimensions, mesh_checks, openscad
from hardware.case.sizes import Size
from hardware.guide import Facts

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
    tmp_path_factory: pytest.TempPathFactory, worker_id: str, needs: Callable[[str], str]
) -> Mapping[str, trimesh.Trimesh]:
    """Base, lid and caps as meshes. Workers share one folder and wait for who builds first."""
    needs("openscad")
    shared = tmp_path_factory.getbasetemp()
    if worker_id != "master":
        shared = shared.parent
    folder = shared / "case"
    with (shared / "case.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        source = openscad.place_sources(folder, dimensions.load())
        for part in openscad.PRINTED:
            if not (folder / f"{part}.stl").exists():
                openscad.build_stl(part, source)
    return {p: mesh_checks.load_mesh(folder / f"{p}.stl") for p in openscad.PRINTED}


@pytest.fixture
def build_changed(
    tmp_path: Path, needs: Callable[[str], str]
) -> Callable[[str, Sections], trimesh.Trimesh]:
    """Build one part anew with other dimensions."""
    needs("openscad")

    def build(part: str, changed: Sections) -> trimesh.Trimesh:
        source = openscad.place_sources(tmp_path / "changed", changed)
        return mesh_checks.load_mesh(openscad.build_stl(part, source))

    return build

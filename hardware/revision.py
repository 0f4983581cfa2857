"""The revisions of the box: each whole in its folder; the code beside them is shared."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_BOARDS = ROOT / "firmware" / "boards"


@dataclass(frozen=True)
class Revision:
    """Where one revision keeps its data: `name` is its folder, `pins` its board file."""

    name: str
    pins: str

    @property
    def folder(self) -> Path:
        """Everything that belongs to this revision alone."""
        return ROOT / "hardware" / self.name

    @property
    def bom(self) -> Path:
        """The parts list."""
        return self.folder / "bom.csv"

    @property
    def wiring(self) -> Path:
        """The harness, for WireViz."""
        return self.folder / "wiring.yml"

    @property
    def dimensions(self) -> Path:
        """Every dimension of the case."""
        return self.folder / "case" / "dimensions.toml"

    @property
    def pictures(self) -> Path:
        """What `make hardware` draws for the guide."""
        return self.folder / "pictures"

    @property
    def board_file(self) -> Path:
        """The firmware's pins for this revision."""
        return _BOARDS / self.pins

    @property
    def out(self) -> Path:
        """Products: STL files, fabrication files. Not committed."""
        return ROOT / "build" / "hardware" / self.name


REV1 = Revision("rev1", "pico.py")
REV2 = Revision("rev2", "carrier.py")
REVISIONS = (REV1, REV2)

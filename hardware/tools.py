"""Programs outside Python that `make hardware` needs, and one clear sentence if one is missing."""

import shutil

# program -> (Debian package, what it is for)
PROGRAMS = {
    "openscad": ("openscad", "builds the case"),
    "xvfb-run": ("xvfb xauth", "lets OpenSCAD draw without a screen"),
    "dot": ("graphviz", "draws the wiring"),
    "kicad-cli": ("kicad (9 or newer, from backports)", "makes and checks the carrier board"),
}


class ToolMissing(Exception):
    """A program is not installed; the message says which and how to get it."""


class ToolFailed(Exception):
    """A program ran and failed; the message says at what."""


def find_tool(name: str) -> str:
    """Path of a program. Raises ToolMissing."""
    path = shutil.which(name)
    if path is None:
        package, purpose = PROGRAMS[name]
        raise ToolMissing(
            f"{name} is missing; it {purpose}. On Debian or Ubuntu: apt install {package}"
        )
    return path

"""Programs outside Python that `make hardware` needs, and one clear sentence if one is missing."""

import shutil

# what it is for; which package it is in stands in requirements/system.txt
PROGRAMS = {
    "openscad": "builds the case",
    "xvfb-run": "lets OpenSCAD draw without a screen",
    "dot": "draws the wiring",
    "chromium-headless-shell": "prints the guides",
    "kicad-cli": "makes and checks the carrier board",
}


class ToolMissing(Exception):
    """A program is not installed; the message says which and how to get it."""


class ToolFailed(Exception):
    """A program ran and failed; the message says at what."""


def find_tool(name: str) -> str:
    """Path of a program. Raises ToolMissing."""
    path = shutil.which(name)
    if path is None:
        raise ToolMissing(
            f"{name} is missing; it {PROGRAMS[name]}. On Debian or Ubuntu: sudo make system"
        )
    return path

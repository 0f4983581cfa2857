"""Marks a PNG with the digest of what it was drawn from, so that a stale picture is noticed.

Pictures of OpenSCAD depend on the machine's OpenGL, so their bytes cannot be compared.
"""

from pathlib import Path

_KEY = "source"


def copy_stamped(drawn: Path, target: Path, digest: str) -> None:
    """Copy a PNG with the digest in a text chunk."""
    from PIL import Image, PngImagePlugin

    note = PngImagePlugin.PngInfo()
    note.add_text(_KEY, digest)
    with Image.open(drawn) as picture:
        picture.convert("RGB").save(target, optimize=True, pnginfo=note)


def read_stamp(picture: Path) -> str:
    """The digest inside a PNG, or an empty text."""
    from PIL import Image

    with Image.open(picture) as image:
        return str(image.info.get(_KEY, ""))

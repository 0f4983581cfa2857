"""What is on the screen as a value: what pages return, and `Canvas` alone draws."""

from collections import namedtuple

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NamedTuple

    ViewPart = tuple[Any, ...]  # of the picture: canvas.py
    WrappedText = str | list[Sequence[str]]  # or names and numbers
    Wording = WrappedText | tuple[Any, ...]  # ready, or a key of the texts and its values

    class View(NamedTuple):
        """What a page shows. `title`: in the top bar, left of the clock; `parts`: below it, from
        `canvas.TOP` down; `standing`: in a match the last line says how it stands.
        """

        title: str
        parts: "Sequence[ViewPart]"
        standing: bool

    class NewsItem(NamedTuple):
        """What a message says. `icon` is a name of `fonts/icons.py` ("": only the sound);
        `lines` are wrapped; `rule` is a rule id or "".
        `large`: above the lines a verdict in large letters, each with small words that stand
        before it; where the first has none stands the picture.
        """

        icon: str
        heading: "Wording"
        lines: "Sequence[Wording]"
        sound: int
        rule: str
        large: "Sequence[tuple[Sequence[str], str]]"

else:
    View = namedtuple("View", ("title", "parts", "standing"))
    NewsItem = namedtuple("NewsItem", ("icon", "heading", "lines", "sound", "rule", "large"))

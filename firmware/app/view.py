"""What is on the screen as a value: what pages return, and `Canvas` alone draws."""

from collections import namedtuple

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NamedTuple

    Part = tuple[Any, ...]  # of the picture: canvas.py
    Sentence = str | list[Sequence[str]]  # or names and numbers
    Text = Sentence | tuple[Any, ...]  # ready, or a key of the texts and the values that it takes

    class View(NamedTuple):
        """What a page shows. `title`: in the top bar, left of the clock; `parts`: below it, from
        `canvas.TOP` down; `standing`: in a match the last line says how it stands.
        """

        title: str
        parts: "Sequence[Part]"
        standing: bool

    class News(NamedTuple):
        """What a message says. `icon` is a name of `fonts/icons.py` ("": only the sound);
        `lines` are wrapped; `rule` is a rule id or "".
        `large`: above the lines a verdict in large letters, each with small words that stand
        before it; where the first has none stands the picture.
        """

        icon: str
        heading: "Text"
        lines: "Sequence[Text]"
        sound: int
        rule: str
        large: "Sequence[tuple[Sequence[str], str]]"

else:
    View = namedtuple("View", ("title", "parts", "standing"))
    News = namedtuple("News", ("icon", "heading", "lines", "sound", "rule", "large"))

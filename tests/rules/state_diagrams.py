"""Makes docs/rules/phases.md: which command may come in which phase of a game and where it leads,
drawn from the tables of the rules.

`python -m tests.rules.state_diagrams` writes it; test_state_diagrams.py fails when it is out of
date, and when play goes a way that no table has or never goes one that a table has.
"""

from pathlib import Path

from firmware.games.cafe.rules import Cafe
from firmware.games.hattrick.rules import Hattrick
from firmware.games.quartett.rules import Quartett
from firmware.games.trumpf.rules import Trumpf
from firmware.rules.match import Match

PAGE = Path(__file__).parents[2] / "docs/rules/phases.md"
Arrow = tuple[int, str, int]  # phase, command, phase

# Heading, game, and what each phase is called; the last one is the end.
GAMES: tuple[tuple[str, type[Match], tuple[str, ...]], ...] = (
    (
        "Trumpf",
        Trumpf,
        ("not begun", "first card", "further cards", "call", "jury decides", "over"),
    ),
    ("Quartett", Quartett, ("not begun", "question", "answer", "last quartets", "over")),
    (
        "Café",
        Cafe,
        ("not begun", "turn", "second guest", "table card", "guests left over", "over"),
    ),
    ("Hattrick", Hattrick, ("not begun", "card", "over")),
)
INTRODUCTION = """# The phases of the games

Made by `python -m tests.rules.state_diagrams` from the `TABLE` of each game; matches at random go
no other way.

Behind a phase stands what it awaits. A command that has no arrow out of a phase is refused
`not_now` there; what stands in brackets is a condition besides. `tick`, `pause`, `resume` and
`undo` are the same in every game and not drawn. Time alone may bring a match of Trumpf back to
the first card of a round, or end it (SW-4)."""


def arrows(game: type[Match]) -> list[Arrow]:
    """Every way that a game's table allows."""
    return [
        (phase, do, target)
        for do, (_, _, _, _, leads) in game.TABLE.items()
        for phase, bits in enumerate(leads)
        for target in range(len(game.AWAITED))
        if bits >> target & 1
    ]


def label(game: type[Match], do: str) -> str:
    """A command with its condition, as UML writes it."""
    when = game.TABLE[do][3]
    return do if when is None else f"{do} [{when.__name__.strip('_').replace('_', ' ')}]"


def diagram(game: type[Match], names: tuple[str, ...]) -> list[str]:
    """The arrows as Mermaid, those between the same two phases as one."""
    lines = ["```mermaid", "stateDiagram-v2"]
    awaited = zip(names, game.AWAITED, strict=True)
    lines += [f'    state "{name} ({do})" as p{p}' for p, (name, do) in enumerate(awaited)]
    lines.append("    [*] --> p0")
    ways: dict[tuple[int, int], list[str]] = {}
    for phase, do, target in arrows(game):
        ways.setdefault((phase, target), []).append(label(game, do))
    for (phase, target), dos in sorted(ways.items()):
        lines.append(f"    p{phase} --> p{target}: {', '.join(dos)}")
    return [*lines, f"    p{len(names) - 1} --> [*]", "```"]


def page() -> str:
    """The text of docs/rules/phases.md."""
    lines = [INTRODUCTION]
    for heading, game, names in GAMES:
        lines += ["", f"## {heading}", "", *diagram(game, names)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

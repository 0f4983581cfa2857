"""Worst cases of every fit: chains of sizes that all err to one side, and what they must leave.

A chain that breaks is told with all its members, so that one sees which size to change.
"""

from dataclasses import dataclass

from hardware.case.dimensions import Sections, carrier_of, derive
from hardware.case.sizes import FIRM, Ledger, Size

_EVER = float("inf")


@dataclass(frozen=True)
class Member:
    """One size of a chain, with its sign (+ or -) and the times it counts."""

    label: str
    factor: float
    size: Size


@dataclass(frozen=True)
class Stack:
    """A chain of sizes. What it leaves must lie between `at_least` and `at_most` (mm)."""

    name: str
    name_de: str
    members: tuple[Member, ...]
    at_least: float
    at_most: float = _EVER

    @property
    def nominal(self) -> float:
        """What is left if nothing is off."""
        return sum(member.factor * member.size.mm for member in self.members)

    @property
    def least(self) -> float:
        """What is left if everything errs to the tight side."""
        return sum(min(m.factor * m.size.low, m.factor * m.size.high) for m in self.members)

    @property
    def most(self) -> float:
        """What is left if everything errs to the loose side."""
        return sum(max(m.factor * m.size.low, m.factor * m.size.high) for m in self.members)

    @property
    def margin(self) -> float:
        """How far the worst case stays from the limit; below 0 the fit breaks."""
        return min(self.least - self.at_least, self.at_most - self.most)

    def sentence(self) -> str:
        """The chain as one reads it: sign, label, size and span of each member."""
        return " ".join(
            f"{'+' if m.factor > 0 else '-'} "
            f"{'' if abs(m.factor) == 1 else f'{abs(m.factor):g} x '}"
            f"{m.label} {m.size.mm:g} ({m.size.low:g} to {m.size.high:g})"
            for m in self.members
        ).removeprefix("+ ")


def check_stacks(d: Sections, ledger: Ledger) -> list[str]:
    """Sentences; none if every fit holds in the worst case and no member is a guess."""
    faults = []
    for stack in stacks(d, ledger):
        faults += [
            f"{stack.name}: {member.label} is from memory; measure it and write the number and "
            "measured_by into parts.toml."
            for member in stack.members
            if member.size.basis == "memory"
        ]
        if stack.margin < -1e-9:
            limit = f"at least {stack.at_least:g}"
            limit += f" and at most {stack.at_most:g}" if stack.at_most != _EVER else ""
            faults.append(
                f"{stack.name}: {stack.least:.2f} to {stack.most:.2f} mm in the worst case, "
                f"{limit} is needed: {stack.sentence()}."
            )
    return faults


def to_measure(ledger: Ledger) -> list[tuple[str, Size]]:
    """What a builder should put a caliper to before printing: sizes that rest on no drawing."""
    return [
        (f"{section}.{name}", size)
        for section, sizes in ledger.items()
        for name, size in sizes.items()
        if size.basis not in FIRM
    ]


class _Chains:
    """Builds members from the ledger (bought) and from the dimensions (printed)."""

    def __init__(self, d: Sections, ledger: Ledger) -> None:
        self._d, self._ledger, self._print = d, ledger, d["print"]

    def bought(self, name: str, factor: float = 1) -> Member:
        """A size of a part; its nominal is what the case is drawn for."""
        section, key = name.split(".")
        return Member(name, factor, self._ledger[section][key])

    def printed(self, name: str, error: str, factor: float = 1) -> Member:
        """A size that the printer makes, off by `error` of [print]."""
        section, key = name.split(".")
        return self.made(name, self._d[section][key], error, factor)

    def made(self, label: str, mm: float, error: str, factor: float = 1) -> Member:
        """A size that follows from others, off by `error` of [print], or exact."""
        tol = self._print[error] if error else 0.0
        return Member(label, factor, Size(mm, mm - tol, mm + tol, "range", "the printer's error"))


def stacks(d: Sections, ledger: Ledger) -> list[Stack]:
    """Every chain that decides whether the box goes together."""
    chains = _Chains(d, ledger)
    found = [
        *_caps(d, chains),
        *_screens(d, chains),
        *_reader(d, chains),
        *_openings(d, chains),
        *_screws(d, chains),
    ]
    return found + (_strip(chains) if "strip" in d else _board(d, chains))


def _caps(d: Sections, c: _Chains) -> list[Stack]:
    cap, switch = d["cap"], d["switch"]
    # what the base's columns are drawn for, from nominal sizes; then everything errs
    drawn = (
        d["case"]["inside_z"] - cap["play_z"] - cap["flange_t"] + cap["socket_depth"]
        - switch["height"] - d[carrier_of(d)]["board_t"]
    )  # fmt: skip
    play = [
        c.printed("case.inside_z", "tall"),
        c.made("height of the ledge", drawn, "height", -1),
        c.bought(f"{carrier_of(d)}.board_t", -1),
        c.bought("switch.lift", -1),
        c.bought("switch.height", -1),
        c.printed("cap.socket_depth", "height"),
        c.printed("cap.flange_t", "height", -1),
    ]
    loose = [Member(m.label, -m.factor, m.size) for m in play]
    return [
        Stack("play of a cap under the lid", "Spiel der Kappe unter dem Deckel", tuple(play), 0.0),
        Stack(
            "a cap above the lid, to be pressed home",
            "Kappe über dem Deckel, bis zum Klick",
            (c.printed("cap.rise", "height"), *loose, c.bought("switch.travel", -1)),
            0.2,
        ),
        Stack(
            "JURY below the top of its ring",
            "JURY unter der Kante ihres Rings",
            (c.printed("cap.ring", "height"), c.printed("cap.jury_rise", "height", -1), *play),
            0.3,
        ),
        Stack(
            "a finger's way down to JURY, from the lid",
            "Weg des Fingers zu JURY, ab Deckel",
            (*play, c.printed("cap.jury_rise", "height", -1)),
            -_EVER,
            2.6,
        ),
        Stack(
            "cap in its hole",
            "Kappe in ihrem Loch",
            (c.printed("cap.hole", "size"), c.printed("cap.diameter", "size", -1)),
            0.2,
        ),
        Stack(
            "cap above the switch's body when it clicks",
            "Kappe über dem Taster beim Klick",
            (
                c.bought("switch.height"),
                c.bought("switch.body_z", -1),
                c.printed("cap.socket_depth", "height", -1),
                c.bought("switch.travel", -1),
            ),
            0.0,
        ),
        Stack(
            "plunger inside the cap's socket, sideways",
            "Stößel im Sitz der Kappe, seitlich",
            (
                c.printed("cap.socket", "size", 0.5),
                c.bought("switch.plunger", -0.5 if "strip" in d else -0.7072),
                c.printed("cap.hole", "size", -0.5),
                c.printed("cap.diameter", "size", 0.5),
                *_off_axis(d, c),
            ),
            0.0,
        ),
    ]


def _off_axis(d: Sections, c: _Chains) -> list[Member]:
    """How far a switch can be from the middle of its hole in the lid."""
    lid = c.made("the lid on its tongue", d["case"]["tongue_play"], "size", -1)
    if "strip" in d:
        return [lid, c.printed("seat.fit", "size", -1), c.bought("strip.hole_off", -1)]
    return [lid, c.printed("board.screw_play", "size", -1)]


def _screens(d: Sections, c: _Chains) -> list[Stack]:
    screen, limits = d["screen"], d["limits"]
    drawn = d["case"]["inside_z"] - screen["gap"] - screen["glass_t"] - screen["board_t"]
    gap = [
        c.printed("case.inside_z", "tall"),
        c.made("height of the ledge", drawn, "height", -1),
        c.bought("screen.board_t", -1),
        c.bought("screen.glass_t", -1),
    ]
    # the player's look falls by `slope` for each mm along the table
    slope = limits["eye_height"] / (limits["eye_distance"] - screen["lit_y"] / 2)
    window = Member(
        "look past screen.margin_near",
        1,
        Size(*(slope * screen["margin_near"],) * 3, "range", "line of sight"),
    )
    upper = Member(
        "look past margin_near and bevel",
        1,
        Size(*(slope * (screen["margin_near"] + screen["bevel"]),) * 3, "range", "line of sight"),
    )
    down = [Member(m.label, -m.factor, m.size) for m in gap]
    off = c.bought("screen.lit_off").size
    reach = max(off.high - off.mm, off.mm - off.low)
    asked = Member("picture off its drawn place", -1, Size(0, 0, reach, off.basis, off.source))
    return [
        Stack("air over the screen's glass", "Luft über dem Glas der Anzeige", tuple(gap), 0.0),
        Stack(
            "last row seen past the window's lower edge",
            "letzte Zeile über die untere Fensterkante",
            (window, *down, c.printed("screen.edge", "height", -1)),
            0.0,
        ),
        Stack(
            "last row seen past the window's upper edge",
            "letzte Zeile über die obere Fensterkante",
            (upper, *down, c.printed("case.lid", "height", -1)),
            0.0,
        ),
        Stack(
            "the screen slides until its picture is in the window",
            "die Anzeige gleitet, bis ihr Bild im Fenster steht",
            (c.printed("screen.slide", "size"), asked),
            0.0,
        ),
        Stack(
            "screen in its seat, across",
            "Anzeige im Sitz, quer",
            _in_seat(d, c, "screen", "board_x"),
            0.1,
        ),
        Stack(
            "window inside the glass, across",
            "Fenster innerhalb des Glases, quer",
            (
                c.bought("screen.glass_x", 0.5),
                c.bought("screen.lit_x", -0.5),
                c.printed("screen.margin_x", "size", -1),
                c.printed("seat.fit", "size", -0.5),
            ),
            -0.3,
        ),
    ]


def _in_seat(d: Sections, c: _Chains, section: str, name: str) -> tuple[Member, ...]:
    """The room that a board has between two rims, drawn for its nominal size."""
    room = d[section][name] + 2 * d["seat"]["fit"]
    return (
        c.made(f"room for {section}.{name}", room, "size"),
        c.bought(f"{section}.{name}", -1),
    )


def _reader(d: Sections, c: _Chains) -> list[Stack]:
    drawn = d["case"]["inside_z"] - d["reader"]["gap"] - d["reader"]["board_t"]
    air = (
        c.printed("case.inside_z", "tall"),
        c.made("height of the ledge", drawn, "height", -1),
        c.bought("reader.board_t", -1),
    )
    return [
        Stack(
            "air over the tails of the reader's header",
            "Luft über den Stiftenden am Leser",
            (*air, c.bought("reader.tails", -1)),
            0.1,
        ),
        Stack(
            "card above the antenna",
            "Karte über der Antenne",
            (
                *air,
                c.printed("case.lid", "height"),
                c.printed("card.depth", "height", -1),
            ),
            0.0,
            d["limits"]["antenna_to_card"],
        ),
        *(
            Stack(
                f"reader in its seat, {axis}",
                f"Leser im Sitz, {achse}",
                _in_seat(d, c, "reader", name),
                0.1,
            )
            for axis, achse, name in (("across", "quer", "board_x"), ("along", "längs", "board_y"))
        ),
        Stack(
            "card in the landing field",
            "Karte im Landefeld",
            (
                c.made(
                    "width of the field", d["card"]["sleeve_x"] + 2 * d["card"]["play"], "size"
                ),
                c.bought("card.sleeve_x", -1),
            ),
            0.5,
        ),
    ]


def _openings(d: Sections, c: _Chains) -> list[Stack]:
    found = [
        Stack(
            "the cable's plug in its opening, across",
            "Kabelstecker in der Öffnung, quer",
            (
                c.printed("plug.slot_x", "size", 0.5),
                c.bought("plug.shell_x", -0.5),
                c.made("the Pico on its screws", 0.2, "", -1),
            ),
            0.0,
        ),
        Stack(
            "the cable's plug in its opening, in height",
            "Kabelstecker in der Öffnung, in der Höhe",
            (c.printed("plug.slot_z", "size", 0.5), c.bought("plug.shell_z", -0.5), *_usb_z(d, c)),
            0.0,
        ),
    ]
    if not d["case"]["battery"]:
        return found
    return [
        *found,
        Stack(
            "the rocker switch in its opening",
            "Wippschalter in der Öffnung",
            (c.printed("rocker.slot_y", "size"), c.bought("rocker.body_y", -1)),
            0.0,
        ),
    ]


def _usb_z(d: Sections, c: _Chains) -> tuple[Member, ...]:
    """How far the socket's middle can be from the opening's, which is drawn for nominal sizes."""
    pico = d["pico"]
    drawn = pico["usb_z"] + pico["board_t"]
    members = [
        c.made("the opening's middle", drawn, "", 1),
        c.bought("pico.board_t", -1),
        c.bought("pico.usb_z", -1),
    ]
    if "strip" in d:
        return (*members, c.made("the posts' error", 0.0, "height", -1))
    return (
        *members,
        c.made("the board's ledges", 0.0, "height", -1),
        c.bought("board.board_t", -1),
        c.made("the board's drawn thickness", d["board"]["board_t"], ""),
        c.bought("board.socket", -1),
        c.made("the socket's drawn height", d["board"]["socket"], ""),
    )


def _screws(d: Sections, c: _Chains) -> list[Stack]:
    return [
        Stack(
            "lid screw through its hole",
            "Deckelschraube im Durchgang",
            (c.printed("screws.passage", "size"), c.bought("screws.m3", -1)),
            0.1,
        ),
        Stack(
            "lid screw cuts into its post",
            "Deckelschraube schneidet im Pfosten",
            (c.bought("screws.m3"), c.printed("screws.pilot", "size", -1)),
            -0.1,
            0.7,
        ),
        Stack(
            "wall of a post beside its screw",
            "Wand eines Pfostens neben der Schraube",
            (c.printed("screws.post", "size", 0.5), c.bought("screws.m3", -0.5)),
            1.5,
        ),
        Stack(
            "screw head in its sink",
            "Schraubenkopf in der Senkung",
            (c.printed("screws.sink", "size"), c.bought("screws.head", -1)),
            0.0,
        ),
    ]


def _strip(c: _Chains) -> list[Stack]:
    """What only the hand-wired box has: perfboard, and a Pico on posts."""
    return [
        Stack(
            "strip in its seat, along",
            "Streifen im Sitz, längs",
            (
                c.made("twice seat.fit", 2 * c.printed("seat.fit", "").size.mm, "size"),
                c.bought("strip.board_y", -1),
                c.made("the strip's drawn length", c.bought("strip.board_y").size.mm, ""),
            ),
            0.1,
        ),
        Stack(
            "a switch's legs spread to three holes, each side",
            "Beine des Tasters auf drei Löcher, je Seite",
            (c.bought("strip.pitch", 1.5), c.bought("switch.legs_x", -0.5)),
            -0.1,
            0.7,
        ),
        Stack(
            "the same along, each side",
            "dieselben längs, je Seite",
            (c.bought("strip.pitch", 1), c.bought("switch.legs_y", -0.5)),
            -0.1,
            0.7,
        ),
        Stack(
            "the Pico's holes over its posts, along",
            "Löcher des Pico über den Pfosten, längs",
            (
                c.bought("pico.hole"),
                c.bought("screws.m2", -1),
                c.bought("pico.hole_x", -0.5),
                c.made("the posts' distance, half", c.bought("pico.hole_x").size.mm / 2, "size"),
            ),
            -0.25,  # M2 into plastic gives way by that much
        ),
    ]


def _board(d: Sections, c: _Chains) -> list[Stack]:
    """What only the carrier board has."""
    return [
        Stack(
            "the board's holes over its posts",
            "Löcher der Platine über den Pfosten",
            (
                c.bought("board.hole"),
                c.bought("screws.m3", -1),
                c.made("the posts' distance", 0.0, "size", -1),
            ),
            -0.0,
        ),
        Stack(
            "air below the Pico",
            "Luft unter dem Pico",
            (
                c.made("height of the ledge", derive(d)["buttons_z"], "height"),
                c.bought("board.socket", -1),
                c.bought("pico.board_t", -1),
                c.made("the socket of the Pico", 3.0, "", -1),
            ),
            2.0,
        ),
    ]

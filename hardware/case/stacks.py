"""Worst cases of every fit: chains of sizes that all err to one side, and what they must leave.

A chain that breaks is told with all its members, so that one sees which size to change.
"""

from dataclasses import dataclass
from math import fsum

from hardware.case.dimensions import Sections, carrier_of, derive
from hardware.case.sizes import FIRM, Size, SizeTable

_EVER = float("inf")
# fsum: from Python 3.12 on `sum` rounds otherwise, and a guide had another last digit


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
        return fsum(member.factor * member.size.mm for member in self.members)

    @property
    def least(self) -> float:
        """What is left if everything errs to the tight side."""
        return fsum(min(m.factor * m.size.low, m.factor * m.size.high) for m in self.members)

    @property
    def most(self) -> float:
        """What is left if everything errs to the loose side."""
        return fsum(max(m.factor * m.size.low, m.factor * m.size.high) for m in self.members)

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


def check_stacks(d: Sections, ledger: SizeTable) -> list[str]:
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


def to_measure(ledger: SizeTable) -> list[tuple[str, Size]]:
    """What a builder should put a caliper to before printing: sizes that rest on no drawing."""
    return [
        (f"{section}.{name}", size)
        for section, sizes in ledger.items()
        for name, size in sizes.items()
        if size.basis not in FIRM
    ]


class _Chains:
    """Builds members from the ledger (bought) and from the dimensions (printed)."""

    def __init__(self, d: Sections, ledger: SizeTable) -> None:
        self._d, self._ledger, self._print = d, ledger, d["print"]

    def chain(self, *terms: str | Member) -> tuple[Member, ...]:
        """Members from words such as "-0.5*switch.plunger" (bought) or "cap.hole:size" (printed).

        What stands after the colon is the error of [print]; nothing there means exact.
        """
        members: list[Member] = []
        for term in terms:
            members += [term] if isinstance(term, Member) else map(self._member, term.split())
        return tuple(members)

    def _member(self, word: str) -> Member:
        factor, _, name = word.rpartition("*")
        sign = -1 if word.startswith("-") else 1
        times = sign * abs(float(factor)) if factor else sign
        name, printed, error = name.removeprefix("-").partition(":")
        section, key = name.split(".")
        if printed:
            return self.made(name, self._d[section][key], error, times)
        return Member(name, times, self._ledger[section][key])

    def made(self, label: str, mm: float, error: str, factor: float = 1) -> Member:
        """A size that follows from others, off by `error` of [print], or exact."""
        tol = self._print[error] if error else 0.0
        return Member(label, factor, Size(mm, mm - tol, mm + tol, "range", "the printer's error"))

    def ledge(self, mm: float) -> Member:
        """What the columns under a board are drawn for, from nominal sizes; then it errs."""
        return self.made("height of the ledge", mm, "height", -1)


def stacks(d: Sections, ledger: SizeTable) -> list[Stack]:
    """Every chain that decides whether the box goes together."""
    c = _Chains(d, ledger)
    fixed = [*_caps(d, c), *_screens(d, c), *_reader(d, c), *_openings(d, c), *_screws(c)]
    return fixed + (_strip(c) if "strip" in d else _board(d, c))


def _turned(members: tuple[Member, ...]) -> tuple[Member, ...]:
    """The same chain, seen from its other end."""
    return tuple(Member(m.label, -m.factor, m.size) for m in members)


def _caps(d: Sections, c: _Chains) -> list[Stack]:
    carrier, cap = carrier_of(d), d["cap"]
    above = cap["play_z"] + cap["flange_t"] - cap["socket_depth"]
    below = d["switch"]["height"] + d[carrier]["board_t"]
    play = c.chain(
        "case.inside_z:tall",
        c.ledge(d["case"]["inside_z"] - above - below),
        f"-{carrier}.board_t -switch.lift -switch.height cap.socket_depth:height",
        "-cap.flange_t:height",
    )
    home = c.chain("cap.rise:height", *_turned(play), "-switch.travel")
    below_ring = c.chain("cap.ring:height -cap.jury_rise:height", *play)
    finger = c.chain(*play, "-cap.jury_rise:height")
    hole = c.chain("cap.hole:size -cap.diameter:size")
    click = c.chain("switch.height -switch.body_z -cap.socket_depth:height -switch.travel")
    # half a square plunger of the carrier's switches reaches 0.7072 of its side into a corner
    side = 0.5 if "strip" in d else 0.7072
    sideways = c.chain(
        f"0.5*cap.socket:size -{side}*switch.plunger -0.5*cap.hole:size 0.5*cap.diameter:size",
        *_off_axis(d, c),
    )
    return [
        Stack("play of a cap under the lid", "Spiel der Kappe unter dem Deckel", play, 0.0),
        Stack("a cap above the lid, to be pressed home", "Kappe über dem Deckel, bis zum Klick",
              home, 0.2),
        Stack("JURY below the top of its ring", "JURY unter der Kante ihres Rings",
              below_ring, 0.3),
        Stack("a finger's way down to JURY, from the lid", "Weg des Fingers zu JURY, ab Deckel",
              finger, -_EVER, 2.6),
        Stack("cap in its hole", "Kappe in ihrem Loch", hole, 0.2),
        Stack("cap above the switch's body when it clicks", "Kappe über dem Taster beim Klick",
              click, 0.0),
        Stack("plunger inside the cap's socket, sideways", "Stößel im Sitz der Kappe, seitlich",
              sideways, 0.0),
    ]  # fmt: skip


def _off_axis(d: Sections, c: _Chains) -> tuple[Member, ...]:
    """How far a switch can be from the middle of its hole in the lid."""
    lid = c.made("the lid on its tongue", d["case"]["tongue_play"], "size", -1)
    if "strip" in d:
        return c.chain(lid, "-seat.fit:size -strip.hole_off")
    return c.chain(lid, "-board.screw_play:size")


def _screens(d: Sections, c: _Chains) -> list[Stack]:
    screen, inside = d["screen"], d["case"]["inside_z"]
    ledge = c.ledge(inside - screen["gap"] - screen["glass_t"] - screen["board_t"])
    gap = c.chain("case.inside_z:tall", ledge, "-screen.board_t -screen.glass_t")
    window = _look(d, "look past screen.margin_near", screen["margin_near"])
    upper = _look(d, "look past margin_near and bevel", screen["margin_near"] + screen["bevel"])
    lower_edge = c.chain(window, *_turned(gap), "-screen.edge:height")
    upper_edge = c.chain(upper, *_turned(gap), "-case.lid:height")
    across = c.chain(
        "0.5*screen.glass_x -0.5*screen.lit_x -screen.margin_x:size -0.5*seat.fit:size"
    )
    return [
        Stack("air over the screen's glass", "Luft über dem Glas der Anzeige", gap, 0.0),
        Stack("last row seen past the window's lower edge",
              "letzte Zeile über die untere Fensterkante", lower_edge, 0.0),
        Stack("last row seen past the window's upper edge",
              "letzte Zeile über die obere Fensterkante", upper_edge, 0.0),
        Stack("the screen slides until its picture is in the window",
              "die Anzeige gleitet, bis ihr Bild im Fenster steht",
              c.chain(_room_along(d, c), "-0.5*screen.board_y", _picture_off(d, c)), 0.0),
        Stack("screen in its seat, across", "Anzeige im Sitz, quer",
              _in_seat(d, c, "screen", "board_x"), 0.1),
        Stack("window inside the glass, across", "Fenster innerhalb des Glases, quer",
              across, -0.3),
    ]  # fmt: skip


def _look(d: Sections, label: str, past: float) -> Member:
    """How far a player's look falls on its way past something (mm)."""
    limits = d["limits"]
    slope = limits["eye_height"] / (limits["eye_distance"] - d["screen"]["lit_y"] / 2)
    return Member(label, 1, Size(*(slope * past,) * 3, "range", "line of sight"))


def _room_along(d: Sections, c: _Chains) -> Member:
    """Half of what a screen has between its rims, drawn for its nominal size."""
    half = d["screen"]["board_y"] / 2 + d["screen"]["slide"] + d["seat"]["fit"]
    return c.made("half the room along", half, "size")


def _picture_off(d: Sections, c: _Chains) -> Member:
    """How far the picture may be from where it is drawn, either way."""
    off, drawn = c.chain("screen.lit_off")[0].size, d["screen"]["lit_off"]
    reach = max(off.high - drawn, drawn - off.low)
    return Member("picture off its drawn place", -1, Size(0, 0, reach, off.basis, off.source))


def _in_seat(d: Sections, c: _Chains, section: str, name: str) -> tuple[Member, ...]:
    """The room that a board has between two rims, drawn for its nominal size."""
    room = d[section][name] + 2 * d["seat"]["fit"]
    return c.chain(c.made(f"room for {section}.{name}", room, "size"), f"-{section}.{name}")


def _reader(d: Sections, c: _Chains) -> list[Stack]:
    ledge = c.ledge(d["case"]["inside_z"] - d["reader"]["gap"] - d["reader"]["board_t"])
    air = c.chain("case.inside_z:tall", ledge, "-reader.board_t")
    card = c.chain(*air, "case.lid:height -card.depth:height")
    field = c.made("width of the field", d["card"]["sleeve_x"] + 2 * d["card"]["play"], "size")
    return [
        Stack("air over the tails of the reader's header", "Luft über den Stiftenden am Leser",
              c.chain(*air, "-reader.tails"), 0.1),
        Stack("card above the antenna", "Karte über der Antenne", card, 0.0,
              d["limits"]["antenna_to_card"]),
        Stack("reader in its seat, across", "Leser im Sitz, quer",
              _in_seat(d, c, "reader", "board_x"), 0.1),
        Stack("reader in its seat, along", "Leser im Sitz, längs",
              _in_seat(d, c, "reader", "board_y"), 0.1),
        Stack("card in the landing field", "Karte im Landefeld",
              c.chain(field, "-card.sleeve_x"), 0.5),
    ]  # fmt: skip


def _openings(d: Sections, c: _Chains) -> list[Stack]:
    play = c.made("the Pico on its screws", 0.2, "", -1)
    across = c.chain("0.5*plug.slot_x:size -0.5*plug.shell_x", play)
    high = c.chain("0.5*plug.slot_z:size -0.5*plug.shell_z", *_usb_z(d, c))
    found = [
        Stack("the cable's plug in its opening, across", "Kabelstecker in der Öffnung, quer",
              across, 0.0),
        Stack("the cable's plug in its opening, in height",
              "Kabelstecker in der Öffnung, in der Höhe", high, 0.0),
    ]  # fmt: skip
    if d["case"]["battery"]:
        rocker = c.chain("rocker.slot_y:size -rocker.body_y")
        words = ("the rocker switch in its opening", "Wippschalter in der Öffnung")
        found.append(Stack(*words, rocker, 0.0))
    return found


def _usb_z(d: Sections, c: _Chains) -> tuple[Member, ...]:
    """How far the socket's middle can be from the opening's, which is drawn for nominal sizes."""
    drawn = c.made("the opening's middle", d["pico"]["usb_z"] + d["pico"]["board_t"], "")
    pico = c.chain(drawn, "-pico.board_t -pico.usb_z")
    if "strip" in d:
        return (*pico, c.made("the posts' error", 0.0, "height", -1))
    board = d["board"]
    return c.chain(
        *pico,
        c.made("the board's ledges", 0.0, "height", -1),
        "-board.board_t",
        c.made("the board's drawn thickness", board["board_t"], ""),
        "-board.socket",
        c.made("the socket's drawn height", board["socket"], ""),
    )


def _screws(c: _Chains) -> list[Stack]:
    return [
        Stack("lid screw through its hole", "Deckelschraube im Durchgang",
              c.chain("screws.passage:size -screws.m3"), 0.1),
        Stack("lid screw cuts into its post", "Deckelschraube schneidet im Pfosten",
              c.chain("screws.m3 -screws.pilot:size"), -0.1, 0.7),
        Stack("wall of a post beside its screw", "Wand eines Pfostens neben der Schraube",
              c.chain("0.5*screws.post:size -0.5*screws.m3"), 1.5),
        Stack("screw head in its sink", "Schraubenkopf in der Senkung",
              c.chain("screws.sink:size -screws.head"), 0.0),
    ]  # fmt: skip


def _strip(c: _Chains) -> list[Stack]:
    """What only the hand-wired box has: perfboard, and a Pico on posts."""
    fit, long, posts = (
        c.chain(name)[0].size.mm for name in ("seat.fit:", "strip.board_y", "pico.hole_x")
    )
    along = c.chain(
        c.made("twice seat.fit", 2 * fit, "size"),
        "-strip.board_y",
        c.made("the strip's drawn length", long, ""),
    )
    play = c.made("the Pico on its screws", 0.2, "", -1)
    over_posts = c.chain(
        "pico.hole -screws.m2 -0.5*pico.hole_x",
        c.made("the posts' distance, half", posts / 2, "size"),
    )
    return [
        Stack("strip in its seat, along", "Streifen im Sitz, längs", along, 0.1),
        Stack("a switch's legs spread to three holes, each side",
              "Beine des Tasters auf drei Löcher, je Seite",
              c.chain("1.5*strip.pitch -0.5*switch.legs_x"), -0.1, 0.7),
        Stack("the same along, each side", "dieselben längs, je Seite",
              c.chain("strip.pitch -0.5*switch.legs_y"), -0.1, 0.7),
        # M2 into plastic gives way by 0.25
        Stack("the Pico's holes over its posts, along", "Löcher des Pico über den Pfosten, längs",
              over_posts, -0.25),
        Stack("a pin's joint beside the Pico's post", "Lötstelle eines Stifts neben dem Pfosten",
              c.chain("pico.row -0.5*pico.pad -0.5*pico.hole_y -pico.post_flat:size", play), 0.0),
        # the header's plastic gives way by 0.05
        Stack("an M2 head beside the header", "M2-Kopf neben der Stiftleiste",
              c.chain("pico.row -0.5*pico.plastic -0.5*pico.hole_y -0.5*screws.m2_head",
                      "-0.5*pico.hole 0.5*screws.m2"), -0.05),
        Stack("air below the Pico's joints", "Luft unter den Lötstellen des Pico",
              c.chain("pico.stand:height -pico.tails"), 0.3),
    ]  # fmt: skip


def _board(d: Sections, c: _Chains) -> list[Stack]:
    """What only the carrier board has."""
    holes = c.chain(
        c.made("board.hole", d["board"]["hole"], ""),
        "board.hole_error -screws.m3",
        c.made("the posts' distance", 0.0, "size", -1),
    )
    below = c.chain(
        c.made("height of the ledge", derive(d)["buttons_z"], "height"),
        "-board.socket -pico.board_t",
        c.made("the socket of the Pico", 3.0, "", -1),
    )
    east = c.chain("case.gap_east:size -board.edge_error -board.screw_play:")
    return [
        Stack("the board's holes over its posts", "Löcher der Platine über den Pfosten",
              holes, 0.0),
        Stack("the board beside the east wall", "Platine neben der Ostwand", east, 0.1),
        Stack("air below the Pico", "Luft unter dem Pico", below, 2.0),
    ]  # fmt: skip

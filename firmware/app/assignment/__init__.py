"""What a desk gave this box: its next match, or a sentence. Loaded when a desk asks, or when
something given is on the flash; a box without a desk holds none of it.

Requests `assign` and `notice` (docs/link.md). What was given outlives a power cut; it never
changes a match that runs.
"""

import json

from micropython import const

from firmware.app import sounds
from firmware.app.link import RequestError
from firmware.app.link_frames import trade_quotes
from firmware.app.slots import TwoFiles
from firmware.rules.game import FIELD, header_of, rows_of

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from firmware.app.seams import BoxApp
    from firmware.rules.game import Preset

FILE = "assigned"
_LONGEST_NOTICE = const(60)  # letters
_PUT_OFF_MS = const(120000)  # then the match given is offered again
_STAGES = ("group", "ko", "final", None)


class Desk:
    """`given`: the assignment as its JSON has it, or None; `here`: a bit for each seat."""

    def __init__(self, app: "BoxApp") -> None:
        self.app = app
        self._file = TwoFiles(app.journal.flash, FILE)
        self.given: "dict[str, Any] | None" = None
        self.issued = 0
        self.here = 0
        self._before = 0  # number of the newest match that is known not to follow it
        self._played = 0  # number of the match that follows it
        self._put_off_ms: "int | None" = None
        self._load()
        link = app.hardware.link
        if link is not None:
            link.handlers["assign"] = self._assign
            link.handlers["notice"] = self._notice

    # -- what is kept --

    def _load(self) -> None:
        stored = self._file.load()
        if stored is None:
            return
        self.issued, self.here, self._before, self.given = json.loads(stored)
        for entry in self.app.journal.entries():
            if entry.number > self._before and self._follows(self._header_of(entry.number)):
                self._played = entry.number
        if self.app.session is None:
            self._before = self._newest()

    def _newest(self) -> int:
        """The number of the newest match on the flash, 0 if there is none."""
        numbers = [entry.number for entry in self.app.journal.entries()]
        return numbers[-1] if numbers else 0

    def _header_of(self, number: int) -> "dict[str, Any]":
        lines: "Any" = self.app.journal.lines(number)
        try:
            record = next(lines).record
        finally:
            lines.close()
        return {} if record is None else json.loads(record.payload.split("\t")[0])

    def _keep(self) -> None:
        """Raises OSError: then what was kept before stays."""
        self._file.store(json.dumps([self.issued, self.here, self._before, self.given]))

    def _follows(self, header: "dict[str, Any]") -> bool:
        return self.given is not None and header.get("assignment") == self.issued

    # -- what the desk asks --

    def _assign(self, request: "dict[str, Any]") -> "dict[str, Any]":
        if "assignment" in request:
            wanted = self._signed(request, "assignment")
            if wanted["issued"] > self.issued:
                self._take(wanted)
        self.show_notice()
        return self.answer()

    def _notice(self, request: "dict[str, Any]") -> "dict[str, Any]":
        laptop = self.app.laptop
        if "notice" in request:
            wanted = self._signed(request, "notice")
            if laptop.notice is None or wanted["id"] > laptop.notice[0]:
                text = wanted["text"][:_LONGEST_NOTICE]
                laptop.notice = (int(wanted["id"]), text, wanted.get("until"), "waiting")
        self.show_notice()
        return self.answer()

    def _signed(self, request: "dict[str, Any]", field: str) -> "dict[str, Any]":
        """What the desk of this box has signed, for this box or for all."""
        if not self.app.is_enrolled():
            raise RequestError("not_enrolled", "enrol this box first: schiri box enrol")
        if self.app.signing.proven is not request:  # type: ignore[union-attr]
            raise RequestError("bad_signature", "the desk of this box has not signed it")
        wanted: "dict[str, Any]" = json.loads(trade_quotes(request[field]))
        if wanted["box"] not in ("all", self.app.journal.box):
            raise RequestError("other_box", "it is for box %s" % wanted["box"])
        return wanted

    def _take(self, wanted: "dict[str, Any]") -> None:
        """Keep it instead of what was given before; shown at once while no match is open."""
        given = wanted if wanted["id"] is not None else None
        if given is not None:
            self._check(given)
        old = self.issued, self.here, self._before, self.given
        self.issued, self.here, self.given = wanted["issued"], 0, given
        self._before = self._newest()
        try:
            self._keep()
        except OSError:
            self.issued, self.here, self._before, self.given = old
            raise
        self._played = 0
        self.app.laptop.put_off = False
        if at_menu(self.app):
            self.app.show_menu()
            self.app.sound(sounds.NOTICE)

    def _check(self, given: "dict[str, Any]") -> None:
        """Raises RequestError for a match that this box cannot play."""
        app = self.app
        if self._preset(given) is None:
            what = given["preset"] or given["game"]
            raise RequestError("bad_assignment", "no %s for %d" % (what, len(given["seats"])))
        if given["stage"] not in _STAGES:
            raise RequestError("bad_assignment", "no stage %s" % given["stage"])
        self._check_options(given)
        if len(given["id"].split("/")) != 2:
            raise RequestError("bad_assignment", "the id is a tournament and a match")
        for seat in given["seats"]:
            if type(seat["id"]) is not str or type(seat["name"]) is not str:
                raise RequestError("bad_assignment", "a seat has an id and a name")
        from firmware.app import decks

        found = decks.stored_ids(app.storage, "decks")
        if given["deck"] is None:
            return
        if given["deck"] not in found:
            raise RequestError("no_deck", ", ".join(found))
        facts = decks.facts_of(app.storage, given["deck"])
        if decks.most_seats(app.games.row(given["game"]), facts) < len(given["seats"]):
            raise RequestError("bad_assignment", "%(game)s is not played with %(deck)s" % given)

    def _check_options(self, given: "dict[str, Any]") -> None:
        """Raises RequestError for a row that the game's menu does not have, or a choice that is
        none of it.
        """
        options = given.get("options") or {}
        if type(options) is not dict:
            raise RequestError("bad_assignment", "options are an object")
        rows = {}
        for row in rows_of(self.app.games.row(given["game"]), given["preset"]):
            if row.way != FIELD:
                rows[row.name] = row.choices
        for name in sorted(options):
            choice = options[name]
            if name not in rows:
                text = "%s has no option %s" % (given["preset"] or given["game"], name)
                raise RequestError("bad_assignment", text)
            if type(choice) not in (str, int) or choice not in rows[name]:
                offered = ", ".join([str(one) for one in rows[name]])
                raise RequestError("bad_assignment", "%s is one of %s" % (name, offered))

    def _preset(self, given: "dict[str, Any]") -> "Preset | None":
        """The rules of the match, if this box has them for so many seats."""
        games, seats = self.app.games, len(given["seats"])
        if given["game"] in games.names():
            for preset in games.row(given["game"]).presets:
                if preset.name == given["preset"] and preset.fewest <= seats <= preset.most:
                    return preset
        return None

    # -- what is so --

    def state(self) -> str:
        """none, waiting, shown, here, running, ended or other (docs/link.md)."""
        given, session = self.given, self.app.session
        if given is None:
            return "none"
        if session is not None:
            if self._follows(session.header):
                return "running"
            if self._played:
                return "ended"
            return "other" if self.app.journal.number > self._before else "waiting"
        if self._played:
            return "ended"
        if not at_menu(self.app):
            return "waiting"
        return "here" if self.all_here() else "shown"

    def answer(self) -> "dict[str, Any]":
        """The fields of an answer (docs/link.md)."""
        given, session, notice = self.given, self.app.session, self.app.laptop.notice
        seats = self.seats()
        left_ms = -1 if session is None else session.left_ms()
        return {
            "assigned": None if given is None else given["id"],
            "issued": self.issued,
            "state": self.state(),
            "here": [seats[at]["id"] for at in range(len(seats)) if self.here >> at & 1],
            "match": self._played,
            "plays": None if session is None else played_id(session.header),
            "clock": None if left_ms < 0 else (left_ms + 999) // 1000,
            "ticking": session is not None and session.runs(),
            "t_s": 0 if session is None else session.t_ms // 1000,
            "notice": None if notice is None else notice[0],
            "notice_state": None if notice is None else notice[3],
        }

    def seats(self) -> "list[dict[str, str]]":
        """The players by seat, each with `id` and `name`."""
        return [] if self.given is None else self.given["seats"]

    def is_event(self, name: str) -> bool:
        """Whether a badge of this event may be of the match given: it says the tournament's name
        or id. The desk tells a name from which the id does not follow.
        """
        given: "Any" = self.given
        tournament: str = given["id"].split("/")[0]
        return _id_of(name) == tournament or bool(name == given.get("event"))

    def all_here(self) -> bool:
        """True if every player has tapped a badge or pressed OK."""
        return self.given is not None and self.here == (1 << len(self.seats())) - 1

    def arrive(self, seat: int, there: bool = True) -> None:
        """Somebody is here, or not after all; kept over a power cut. Raises OSError."""
        bit = 1 << seat
        self.here = self.here | bit if there else self.here & ~bit
        self._keep()

    def put_off(self) -> None:
        """The players want the menu; the match is offered again after two minutes there."""
        self.app.laptop.put_off = True
        self.app.show_menu()

    def come_back(self, now_ms: int) -> None:
        """The menu is on the screen although a match is given."""
        if self._put_off_ms is None:
            self._put_off_ms = now_ms
        elif self.app.clock.ticks_diff(now_ms, self._put_off_ms) >= _PUT_OFF_MS:
            self.app.laptop.put_off = False
            self.app.show_menu()

    def left_to_start_s(self) -> "int | None":
        """Seconds of SW-7's two minutes that are left; None if nobody waits for them any more."""
        given, link = self.given, self.app.hardware.link
        if given is None or given["start_by"] is None or self.all_here():
            return None
        return None if link.unix is None else max(given["start_by"] - link.unix, 0)

    # -- the match --

    def header(self, deck: object) -> "dict[str, Any]":
        """The transcript header of the match given; its result names the match of the desk."""
        given: "Any" = self.given
        tournament, number = given["id"].split("/")
        game = self.app.games.row(given["game"])
        preset: "Any" = self._preset(given)
        header = header_of(game, preset, len(given["seats"]), given.get("options") or {})
        if given["stage"] is not None:
            header["stage"] = given["stage"]
        if deck is not None:
            header["deck"] = deck
        if given["clock_s"] is not None:
            header["clock_ms"] = given["clock_s"] * 1000
        header["names"] = [seat["name"] for seat in given["seats"]]
        header["players"] = [seat["id"] or None for seat in given["seats"]]
        header["tournament"], header["tournament_match"] = tournament, number
        header["assignment"] = self.issued
        table = given["table"] or self.app.settings.get("table")
        if table:
            header["table"] = table
        return header

    # -- what is shown --

    def show(self) -> None:
        """At the menu: the page of the match given, and on top of it what the desk says."""
        app = self.app
        offered = self.given is not None and not self._played and not app.laptop.put_off
        if at_menu(app) and offered:
            from firmware.app.assignment.page import MatchPage

            app.open(MatchPage(app, self))
        self.show_notice()

    def show_notice(self) -> None:
        """What the desk says, at the menu or in a pause of a match, if nobody has seen it yet."""
        app, session = self.app, self.app.session
        if app.laptop.notice is None or app.laptop.notice[3] != "waiting":
            return
        if at_menu(app) or (session is not None and session.paused()):
            from firmware.app.assignment.page import show_notice

            show_notice(app)


def at_menu(app: "BoxApp") -> bool:
    """True while no match is open and nothing else has to be decided first."""
    return app.session is None and app.has_pages() and app.pages[0].IS_MENU


def played_id(header: "dict[str, Any]") -> str:
    """The id of the assignment that a match follows, "" for a match that follows none."""
    if "assignment" not in header:
        return ""
    return "%s/%s" % (header.get("tournament"), header.get("tournament_match"))


def _id_of(name: str) -> str:
    """The id that a desk makes of a tournament's name in ASCII; a box has no tables of letters."""
    kept = [char if "a" <= char <= "z" or "0" <= char <= "9" else " " for char in name.lower()]
    return "-".join("".join(kept).split())

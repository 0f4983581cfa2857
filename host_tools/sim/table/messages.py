"""What a page may ask of a table: one typed message each; all else is refused as malformed."""

from typing import Literal

import msgspec

from host_tools.core.refusal import Refusal

LONGEST_MESSAGE = 4096


class Message(msgspec.Struct, tag_field="do", forbid_unknown_fields=True):
    """The base: `do` names the message."""


class Tap(Message, tag="tap"):
    """Lay a thing on the box and take it away once the box has spoken."""

    code: str


class Lay(Message, tag="lay"):
    """Lay a thing on the box and leave it there."""

    code: str


class Lift(Message, tag="lift"):
    """Take everything, or one thing, off the box."""

    code: str = ""


class Button(Message, tag="button"):
    """A button goes down or up."""

    button: Literal["up", "down", "ok", "jury"]
    down: bool


class Choose(Message, tag="choose"):
    """Fingers choose these items of the lists on the screen, one after the other."""

    labels: list[str]


class Arbiter(Message, tag="arbiter"):
    """Fingers press JURY and choose this action, then what it asks for: a seat, a card, why."""

    action: str
    seat: int = 0
    card: str = ""
    why: str = ""


class Power(Message, tag="power"):
    """The power switch."""

    on: bool


class Cable(Message, tag="cable"):
    """The USB cable, in or out."""

    plugged: bool


class Speed(Message, tag="speed"):
    """How fast time runs: 0 paused, 1 real, 10, 1000 as fast as it goes."""

    speed: Literal[0, 1, 10, 1000]


class Auto(Message, tag="auto"):
    """A seat is played by the simple player, or not."""

    seat: int
    on: bool


class Trick(Message, tag="trick"):
    """An item of the menu for training; without a card, the one that the seat would play next."""

    name: str
    seat: int = 0
    card: str = ""


class Start(Message, tag="start"):
    """Hands choose this match in the box's menu and open it."""

    game: str
    preset: str = ""
    deck: str = ""
    seats: int = 2
    auto: list[int] = []
    names: list[str] = []


class Quartet(Message, tag="quartet"):
    """Lay four cards of a letter: a seat's own, whoever's turn it is (QU-5)."""

    seat: int
    group: str


class Rematch(Message, tag="rematch"):
    """The match that has just ended, once more: same game, seats and names."""


class Restart(Message, tag="restart"):
    """Boot again after a crash."""


class Usb(Message, tag="usb"):
    """Bytes for the box's serial line, in hex."""

    hex: str


AnyMessage = (
    Tap
    | Lay
    | Lift
    | Button
    | Choose
    | Arbiter
    | Power
    | Cable
    | Speed
    | Auto
    | Trick
    | Start
    | Quartet
    | Rematch
    | Restart
    | Usb
)
_DECODER: msgspec.json.Decoder[AnyMessage] = msgspec.json.Decoder(AnyMessage)


class BadMessage(Refusal):
    """What the page asks makes no sense. `status` is HTTP's."""

    status = 400


class NotAllowed(BadMessage):
    """Somebody else may do that, or later."""

    status = 403


class NotThere(BadMessage):
    """There is no such thing (any more)."""

    status = 404


class TooLong(BadMessage):
    """More bytes than anybody needs."""

    status = 413


def read_message(raw: bytes) -> AnyMessage:
    """The message in a request's body. Raises BadMessage with a sentence."""
    if len(raw) > LONGEST_MESSAGE:
        raise TooLong("play_too_long", limit=LONGEST_MESSAGE)
    try:
        return _DECODER.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadMessage("play_malformed", reason=str(error)) from error

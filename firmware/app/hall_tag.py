"""A hall tag on the reader: the box asks, and joins that hall by a restart."""

from micropython import const

from card_tags.hall import password_of

from . import sounds
from .chooser import Chooser
from .link import RequestError
from .settings import BadSetting

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from card_tags.hall import Hall

    from .seams import BoxApp


def offer(app: "BoxApp", hall: "Hall", uid: bytes) -> None:
    """Ask whether the box shall join; only a tag that the league sealed gets so far."""
    key = app.settings.key()
    if key is None or app.unsealed:
        app.message("SEAL", app.say("reader"), (app.say("tag_unsealed"),), sounds.REFUSED)
        return
    try:
        password = password_of(hall, uid, key)
    except UnicodeError:
        app.message("TORN", app.say("reader"), (app.say("tag_malformed"),), sounds.UNREADABLE)
        return
    changes: "dict[str, object]" = {
        "wifi": hall.wifi,
        "wifi_password": password,
        "broker": hall.broker,
        "port": hall.port,
    }

    def chose(number: int) -> None:
        if number == 0:
            _join(app, changes)

    app.sound(sounds.ACCEPTED)
    app.open(Chooser(app, app.say("hall_join"), [hall.wifi, app.say("back")], chose))


def _join(app: "BoxApp", changes: "dict[str, object]") -> None:
    """What a laptop would do by the request `hall`; the restart need not wait for an answer."""
    link = app.hardware.link
    try:
        link.handlers["hall"]({"do": "hall", "set": changes})
    except (RequestError, BadSetting) as error:
        text = app.say("hall_no_radio") if error.args[0] == "no_radio" else str(error.args[1])
        app.message("STOP", app.say("refused"), (text,), sounds.REFUSED)
        return
    restart, link.when_sent = link.when_sent, None
    restart()

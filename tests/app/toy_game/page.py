"""One item to choose: clap."""

from firmware.app import sounds
from firmware.app.table import Table


class ClapsTable(Table):
    """OK claps."""

    NEWS = {"clapped": ("HAND", "news_clapped", sounds.ACCEPTED)}

    def choices(self) -> "list[str]":
        """To clap, until it is over."""
        return [self.app.say("claps_clap", self.app.seat_name(self.awaits.seat))]

    def pick(self, number: int) -> None:
        """Clap."""
        self.act("clap", ("seat", self.awaits.seat))

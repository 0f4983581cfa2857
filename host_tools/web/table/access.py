"""Which tables and replays a server has, and who may see them: the key in the link decides."""

from secrets import token_urlsafe

from starlette.requests import Request

from host_tools.sim.table.asking import HOST, MOST_SEATS, NotAllowed, NotThere
from host_tools.sim.table.play_table import PlayTable
from host_tools.sim.table.replays import Replay, read_replay
from host_tools.web.keyed import check_key, check_origin, is_key

MOST_REPLAYS = 20
_THIS_MACHINE = ("127.0.0.1", "localhost", "::1")


def new_key() -> str:
    """A key that opens everything."""
    return token_urlsafe(12)


class Access:
    """The tables and the replays of one server; `key` opens everything."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.key = new_key()
        self.network = ""
        """The address under which other devices reach this server; "" if none can."""
        self.tables: dict[int, PlayTable] = {}
        self.replays: dict[int, Replay] = {}

    def add_replay(self, data: bytes, name: str, lang: str = "") -> int:
        """Keep a transcript to look at; returns its number. Raises UserError."""
        replay = read_replay(data, name, lang or self.lang)
        number = max(self.replays, default=0) + 1
        self.replays[number] = replay
        if len(self.replays) > MOST_REPLAYS:
            del self.replays[min(self.replays)]  # the oldest, as numbers only grow
        return number

    def check_host(self, request: Request) -> None:
        """Only with the host's key. Raises BadMessage."""
        check_key(request, self.key)

    def is_host(self, request: Request) -> bool:
        """Is it the host who asks?"""
        return is_key(request, self.key)

    def table_of(self, request: Request) -> PlayTable:
        """Whoever asks. Raises BadMessage."""
        table = self.tables.get(request.path_params["table"])
        if table is None:
            raise NotThere("play_no_table")
        check_origin(request)
        return table

    def at_table(self, request: Request) -> tuple[PlayTable, int]:
        """The table and who asks: HOST, or a seat with that seat's key. Raises BadMessage."""
        table = self.table_of(request)
        if self.is_host(request):
            return table, HOST
        for seat in range(MOST_SEATS):
            if is_key(request, table.phones.seat_keys[seat]):
                return table, seat
        raise NotAllowed("play_link")

    def base(self, request: Request) -> str:
        """The address for links that go to others, with its slash: never this machine itself if
        other devices can come.
        """
        here = request.url.hostname in _THIS_MACHINE
        return f"{self.network}/" if here and self.network else str(request.base_url)

    def only_here(self, request: Request) -> bool:
        """Do links name this machine itself, so that no other device can open them?"""
        return request.url.hostname in _THIS_MACHINE and not self.network

    def hosts_table(self, request: Request) -> PlayTable:
        """The table, for the host alone. Raises BadMessage."""
        table, who = self.at_table(request)
        if who != HOST:
            raise NotAllowed("play_host_only")
        return table

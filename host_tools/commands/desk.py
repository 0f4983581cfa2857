"""`schiri desk`: serve board and desk, and manage who may log in."""

import gc
import ipaddress
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import click

from host_tools.commands.options import DB, CommandReport, echo_line, new_password, reports
from host_tools.core import places
from host_tools.core.command_line import (
    LISTEN_PORT,
    PATH,
    asked_language,
    group,
    never_with,
    only_with,
    refuse_before,
    tournament_option,
)
from host_tools.core.command_line import TOURNAMENT as TOURNAMENT_ID
from host_tools.core.errors import Sentence, UserError
from host_tools.tournament.actions.entrants import MOST_TABLES
from host_tools.tournament.rights import ROLES, Role

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from host_tools.web.desk.accounts import Accounts

PORT = 8010


class ListedUser(TypedDict):
    name: str
    role: str
    only: list[str]


@group(invoke_without_command=True)
@DB
@tournament_option()
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="0.0.0.0 lets every device in the hall's network see the board.",
)
@click.option(
    "--port", default=PORT, show_default=True, type=LISTEN_PORT, help="0 takes any free one."
)
@click.option("--https-cookie", is_flag=True, help="Behind a proxy with HTTPS: cookie only there.")
@click.option(
    "--behind-proxy",
    is_flag=True,
    help="A proxy on this machine says in X-Forwarded-For where a request comes from.",
)
@click.option(
    "--certificate", type=PATH, help="Serve by HTTPS: PEM file with the certificate and its chain."
)
@click.option("--key", type=PATH, help="PEM file with its key, if it is not in the same file.")
@click.option(
    "--users", type=PATH, help="File with the desk's users. Default: in your own data folder."
)
@click.option(
    "--map",
    "map_file",
    type=PATH,
    help="Text file with the numbers of the tables where they stand.",
)
@click.option(
    "--box-port",
    "box_ports",
    multiple=True,
    help="Port of a box at a table; may be repeated. Default: every box that is plugged in.",
)
@click.option("--no-boxes", is_flag=True, help="Leave boxes that are plugged in alone.")
@click.option(
    "--live-delay",
    default="0",
    show_default=True,
    help="How much later the public sees tricks: 60 (seconds) or 3t (tricks).",
)
@click.pass_context
@only_with("--key", "--certificate")
@never_with("--no-boxes", "--box-port")
def desk(
    context: click.Context,
    db: str | None,
    tournament: str | None,
    host: str,
    port: int,
    https_cookie: bool,
    behind_proxy: bool,
    certificate: Path | None,
    key: Path | None,
    users: Path | None,
    map_file: Path | None,
    box_ports: tuple[str, ...],
    no_boxes: bool,
    live_delay: str,
) -> None:
    """The public board and, behind a login, the desk, in any browser of the hall: of all
    tournaments of the database, or of one. Without any it opens a page on which to make one.

    \b
    schiri desk user set anna --role jury
    schiri desk --host 0.0.0.0
    """
    from host_tools.web.desk.accounts import Accounts

    refuse_before(context, "--users")
    accounts = Accounts(users or places.users())
    context.obj = accounts
    # `user …` needs the accounts and nothing of what follows
    if context.invoked_subcommand is not None:
        return
    # a desk takes longer to load than a help may take
    from host_tools.box.finding import candidate_ports
    from host_tools.core.supervisor import Supervisor
    from host_tools.hall.children import end_with_parent
    from host_tools.tournament.boxes import BoxTables
    from host_tools.tournament.service import TournamentService
    from host_tools.web.desk.app import make_app, make_venue
    from host_tools.web.desk.floor_plan import HallMap
    from host_tools.web.desk.guide import new_key
    from host_tools.web.desk.live_tables import Delay
    from host_tools.web.desk.login import ALONE, DeskPlace
    from host_tools.web.serving import Certificate, listen, serve

    end_with_parent()
    pair = Certificate(certificate, key) if certificate else None
    if pair:
        # before the database is read: what is wrong with it is told at once
        pair.check()
    delay, tasks = Delay.read(live_delay), Supervisor()
    # one for all tournaments: a box's port can be opened only once
    boxes: list[BoxTables] = []
    secure, first_key = https_cookie or bool(pair), new_key()

    def desk_of(service: TournamentService, place: DeskPlace = ALONE) -> "Starlette":
        if boxes:
            boxes[0].services.append(service)
        elif not no_boxes:
            # asked again and again: a box may be plugged in later
            boxes.append(BoxTables(service, lambda: box_ports or candidate_ports()))
        return make_app(
            service,
            accounts,
            supervisor=tasks,
            secure=secure,
            # set below, before a desk is made: only the database says which tables there are
            hall_map=hall_map,
            tables=boxes[0] if boxes else None,
            delay=delay,
            place=place,
        )

    venue = make_venue(
        accounts,
        db,
        desk_of,
        supervisor=tasks,
        secure=secure,
        key=first_key,
        behind_proxy=behind_proxy,
    )
    found = TournamentService.open(db, tournament) if tournament else None
    has_some = found is not None or venue.look()
    tables = found.known.setup.tables if found is not None else venue.tables
    # without a tournament yet: one that is made later may have any number
    hall_map = HallMap.of_file(map_file, tables if has_some else MOST_TABLES) if map_file else None
    first_key = "" if has_some else first_key
    if found is not None:
        context.call_on_close(found.close)
        app = desk_of(found)
    else:
        app = venue.app
        if has_some:
            venue.begin()
    listening = listen(host, port)
    # asked of the socket: 0 was any free port
    scheme, port = "https" if pair else "http", listening.getsockname()[1]
    urls = [f"{scheme}://{address}:{port}" for address in addresses(host)]
    _say_where(urls, first_key, bool(accounts.users()), bool(tournament) or venue.alone)
    gc.collect()
    gc.freeze()  # the log stays: walking through a big one would hold everybody up
    serve(app, listening, behind_proxy, pair)


def _say_where(urls: Sequence[str], key: str, users: bool, alone: bool) -> None:
    """`key`: of the link by which the first tournament is made; "" if there is one; `alone`: no
    list of several stands there.
    """
    from host_tools.web.desk.venue import LIST

    if not users and not key:
        click.echo(Sentence("user_none").said(asked_language()), err=True)
    for url in urls:
        if key:
            echo_line(Sentence("desk_begin", url=f"{url}/desk" + ("" if users else f"?key={key}")))
        elif alone:
            echo_line(Sentence("desk_at", url=url))
        else:
            echo_line(Sentence("desks_at", url=f"{url}{LIST}"))


def addresses(host: str) -> list[str]:
    """What to type into a browser for a desk that listens on `host`."""
    try:
        everywhere = ipaddress.ip_address(host).is_unspecified
    except ValueError:
        # a name, as localhost
        everywhere = False
    if not everywhere:
        return [f"[{host}]" if ":" in host else host]
    return ["127.0.0.1", *own_addresses()]


def own_addresses() -> list[str]:
    """The addresses of this machine in its networks, as far as it knows its own name."""
    try:
        found = socket.gethostbyname_ex(socket.gethostname())[2]
    except OSError:
        # nothing here resolves this machine's own name
        return []
    # Debian puts the name to 127.0.1.1 in /etc/hosts (Debian Reference, 5.1.1)
    return [address for address in found if not ipaddress.ip_address(address).is_loopback]


@desk.group()
def user() -> None:
    """Who may log in: viewers look, the desk enters, the jury decides."""


@user.command("set")
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES), help="What they may do.")
@click.option(
    "--only", multiple=True, type=TOURNAMENT_ID, help="In this tournament alone; may be repeated."
)
@click.option("--password", help="Asked for if not given; at least 8 characters.")
@click.pass_obj
@only_with("--only", "--role")
def set_user(
    accounts: "Accounts", name: str, role: Role | None, only: tuple[str, ...], password: str | None
) -> None:
    """Let somebody in with a role, give them another one, or, without a role, another password;
    with that they are logged out everywhere.

    \b
    schiri desk user set anna --role jury
    schiri desk user set anna
    """
    known = accounts.find(name)
    if known is None and role is None:
        raise UserError("user_new_role", user=name)
    if password is None and (known is None or role is None):
        password = new_password()
    if known is None:
        assert role is not None
        accounts.add(name, role, password or "", only)
    else:
        accounts.change(name, role, password, only)
    said = "user_password" if role is None else "user_added" if known is None else "user_changed"
    echo_line(Sentence(said, name=name, kind=role or ""))


@user.command()
@click.argument("name")
@click.pass_obj
def remove(accounts: "Accounts", name: str) -> None:
    """Let somebody in no longer.

    schiri desk user remove anna
    """
    accounts.remove(name)
    echo_line(Sentence("user_removed", name=name))


@user.command("list")
@click.pass_obj
@reports
def list_users(accounts: "Accounts") -> CommandReport[list[ListedUser]]:
    """Everybody who may log in.

    schiri desk user list
    """
    known = accounts.users()
    data: list[ListedUser] = [
        {"name": user.name, "role": user.role, "only": [*user.only]} for user in known
    ]
    lines = [f"{user.role:<8}{user.name}  {', '.join(user.only)}".rstrip() for user in known]
    return CommandReport(data, lines)

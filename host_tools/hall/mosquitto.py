"""The files of a Mosquitto for a hall: configuration, users, rights (docs/hall.md)."""

import getpass
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from host_tools.core.errors import Exit, UserError
from host_tools.core.own_files import (
    read_text,
    write_output,
    write_privately,
    write_whole,
    written_below,
)
from host_tools.hall import protocol
from host_tools.hall.passwords import load_logins, password
from host_tools.hall.protocol import PORT, TLS_PORT

PASSWD = "mosquitto_passwd"
CONF, USERS, ACL, COMMANDS = "mosquitto.conf", "users", "acl", "commands.txt"
# mosquitto_passwd hashes the passwords of all boxes in one call
LONGEST_S = 120

_WRITES = ("here", "state", "records/#", "answer")
_CONF = """\
# Written by `schiri hall setup`; the reasons are in docs/hall.md.
# started as root it is this user, who may read the files
user {owner}
allow_anonymous false
password_file {folder}/{users}
acl_file {folder}/{acl}
# boxes say every ten seconds what they know: nothing needs to be on the disk
persistence false
max_packet_size {packet}
max_queued_messages 10000
# bytes that may wait for one client, and all that the broker may use
max_queued_bytes 33554432
memory_limit 83886080
sys_interval 10
log_dest stderr
# `schiri hall` reads there whom the broker turned away
log_dest topic
log_type error
log_type warning
log_type notice
# names also who writes to topics of another box, at five lines a message:
#log_type debug

# boxes, inside the hall's own WPA2 network
listener {port} {host}
max_connections 4096
# a client id is its user's: nobody throws another off the air
use_username_as_clientid true
"""
_TLS = """
# computers, by cable{hint}
{off}listener {port} {host}
{off}max_connections 4096
{off}use_username_as_clientid true
{off}certfile {certificate}
{off}keyfile {key}
"""
_BRIDGE = """
# hands on what boxes say to the league, and its questions to them; while it cannot, this hall
# plays on, and afterwards the league asks for what it has missed
connection league
address {host}:{port}
bridge_protocol_version mqttv311
remote_username {user}
remote_password {password}
remote_clientid {user}
cleansession true
notifications false
keepalive_interval 10
restart_timeout 1 10
{tls}{topics}
"""
_COMMANDS = """\
# Written by `schiri hall setup`. One box at a time at the cable.
# The password of the Wi-Fi is asked for, or stands in SCHIRI_WIFI_PASSWORD.
# A tag, laid on boxes that have their key, spares them `schiri box hall`:
#   {tag}
"""


def configuration(
    folder: Path,
    host: str,
    pair: tuple[Path, Path] | None,
    port: int = PORT,
    tls_port: int = TLS_PORT,
) -> str:
    """The text of mosquitto.conf; `pair`: certificate and key, for the wired side."""
    files = {"folder": folder, "users": USERS, "acl": ACL, "owner": getpass.getuser()}
    text = _CONF.format(**files, host=host, port=port, packet=protocol.PACKET_BYTES)
    hint, off = ("", "") if pair else (": uncomment when there is a certificate", "#")
    certificate, key = pair or (folder / "cert.pem", folder / "key.pem")
    paths = {"certificate": certificate.absolute(), "key": key.absolute()}
    return text + _TLS.format(hint=hint, off=off, port=tls_port, host=host, **paths)


class League(NamedTuple):
    """The broker to which that of this hall hands on; `hall`: as whom."""

    host: str
    port: int
    tls: bool
    hall: str


def bridge(league: League, password: str) -> str:
    """What makes this broker hand on."""
    root = f"{protocol.ROOT}/{protocol.VERSION}/+/+"
    # QoS 0 for states: another one follows within ten seconds
    topics = [f"topic {root}/{kind} out {kind != protocol.STATE:d}" for kind in _WRITES]
    return _BRIDGE.format(
        host=league.host,
        port=league.port,
        user=bridge_user(league.hall),
        password=password,
        tls="bridge_capath /etc/ssl/certs\n" if league.tls else "",
        topics="\n".join([*topics, f"topic {root}/{protocol.ASK} in 1"]),
    )


def bridge_user(hall: str) -> str:
    """As whom a hall's broker logs in at the league's."""
    return f"bridge-{hall}"


def rights(leagues: Sequence[str], halls: Sequence[str] = ()) -> str:
    """The text of the ACL file: %u is the user, which is the box. `halls`: whose brokers hand on
    to this one.
    """
    root = f"{protocol.ROOT}/{protocol.VERSION}"
    lines = []
    lines += [f"user {protocol.HALL_USER}", f"topic readwrite {protocol.ROOT}/#"]
    lines += ["topic read $SYS/broker/log/#", ""]  # where Mosquitto logs the clients it rejects
    for watch in protocol.WATCH_USERS:
        lines += [f"user {watch}", f"topic read {root}/+/+/here"]
        lines += [f"topic read {root}/+/+/state", ""]
    for hall in halls:
        lines.append(f"user {bridge_user(hall)}")
        lines += [f"topic write {root}/+/+/{kind}" for kind in _WRITES]
        lines += [f"topic read {root}/+/+/{protocol.ASK}", ""]
    # patterns apply to every user, so a new box needs a password but no line here
    for league in leagues:
        own = f"{root}/{league}/%u"
        lines += [f"pattern write {own}/{kind}" for kind in _WRITES]
        lines.append(f"pattern read {own}/ask")
    return "\n".join(lines) + "\n"


def passwords(leagues: Mapping[str, bytes], boxes: Sequence[str]) -> dict[str, str]:
    """User -> password: the boxes, the hall, those who watch; of who has none of its own, by the
    newest league key.
    """
    air = protocol.air_key(list(leagues.values())[-1])
    users = [*protocol.COMMON_USERS, *boxes]
    logins = load_logins()
    return {user: password(air, user, logins) for user in users}


def box_commands(boxes: Mapping[str, int | None], wifi: str, broker: str) -> dict[str, list[str]]:
    """Box -> what is typed with it, and no other, at the cable; `boxes`: id -> table or None."""
    hall = f"schiri box hall --wifi {shlex.quote(wifi)} --broker {broker}"
    return {
        box: [f"schiri box set --key --table {table or 'N'}", hall] for box, table in boxes.items()
    }


def tag_command(wifi: str, broker: str) -> str:
    """What writes the tag that does for all boxes with a key what `box hall` does for one."""
    return f"schiri provision hall {shlex.quote(wifi)} --broker {broker}"


def write_commands(path: Path, tag: str, commands: Mapping[str, Sequence[str]]) -> None:
    """Raises UserError."""
    listed = ["\n".join(["", f"# box {box}", *words, ""]) for box, words in commands.items()]
    write_output(path, "".join([_COMMANDS.format(tag=tag), *listed]).encode())


def write_setup(
    folder: Path,
    leagues: Mapping[str, bytes],
    boxes: Sequence[str],
    host: str,
    pair: tuple[Path, Path] | None = None,
    port: int = PORT,
    tls_port: int = TLS_PORT,
    halls: Sequence[str] = (),
    league: League | None = None,
) -> None:
    """Write the files. `halls`: whose brokers hand on to this one; `league`: to whose this one
    does. Raises UserError, also if Mosquitto is not installed.
    """
    folder = folder.absolute()
    with written_below(folder):
        folder.mkdir(parents=True, exist_ok=True)
        users = [*boxes, *map(bridge_user, halls)]
        plain = "".join(f"{user}:{word}\n" for user, word in passwords(leagues, users).items())
        # in clear for a moment, for its owner only: the program hashes the file in place
        write_privately(folder / USERS, plain)
        _passwd("-U", str(folder / USERS))
        write_privately(folder / ACL, rights(list(leagues), halls))
        text = configuration(folder, host, pair, port, tls_port)
        if league is not None:
            user = bridge_user(league.hall)
            text += bridge(league, passwords(leagues, [user])[user])
            write_privately(folder / CONF, text)  # contains the bridge's password
        else:
            write_whole(folder / CONF, text.encode())


def drop_user(folder: Path, box: str) -> None:
    """Take a box out of the users, if it is one. A Mosquitto that is told to read them again hangs
    up on it. Raises UserError.
    """
    users = folder.absolute() / USERS
    if any(line.startswith(f"{box}:") for line in read_text(users).splitlines()):
        _passwd("-D", str(users), box)


def _passwd(*words: str) -> None:
    program = shutil.which(PASSWD)
    if program is None:
        raise UserError("no_mosquitto", Exit.SYSTEM)
    try:
        subprocess.run([program, *words], check=True, capture_output=True, timeout=LONGEST_S)
    except subprocess.SubprocessError as error:
        raise UserError("mosquitto_passwd", Exit.SYSTEM, detail=str(error)) from error

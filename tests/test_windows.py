"""What Windows has not is used in two files only: without it everything is imported, and the
commands run. Linux cannot show more of Windows than that.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TRANSCRIPT = ROOT / "tests/transcripts/hattrick/ha-1-sixty-cards.ndjson"
LIMIT_S = 500
NEED_A_PTY = ["host_tools.sim.twin.pty_line", "hardware.twin.reader_pty"]
# Our modules get modules without what only POSIX has; other people's know Windows themselves.
HIDE = """
import builtins, importlib, io, json, os, select, signal, sys, types
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

GONE = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"}
LESS = {
    "os": "chown chroot fchmod fchown fork forkpty getegid geteuid getgid getgroups getpgid getsid"
    " getuid killpg lchown mkfifo mknod nice openpty O_DIRECTORY O_NOFOLLOW O_NONBLOCK pipe2 pread"
    " pwrite sched_getaffinity set_blocking setsid statvfs sync tcgetpgrp ttyname uname wait"
    " waitstatus_to_exitcode WEXITSTATUS WIFEXITED",
    "select": "epoll poll EPOLLIN POLLERR POLLHUP POLLIN POLLOUT POLLPRI",
    "signal": "alarm getitimer pause pthread_kill pthread_sigmask setitimer siginterrupt sigwait"
    " SIGALRM SIGBUS SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1"
    " SIGUSR2 SIG_BLOCK",
    "socket": "AF_UNIX",
}
OURS = ("firmware", "card_tags", "host_tools", "hardware", "schiri", "bench")
less = {}
for name, gone in LESS.items():
    module = importlib.import_module(name)
    less[name] = types.ModuleType(name)
    kept = {k: v for k, v in vars(module).items() if k not in gone.split()}
    vars(less[name]).update(kept)
real = builtins.__import__

def without(name, globals=None, locals=None, fromlist=(), level=0):
    who = (globals or {}).get("__name__", "").split(".")[0]
    if level == 0 and who in OURS:
        if name in GONE:
            # Windows has pty.py and tty.py, which ask for termios
            name = "termios" if name in ("pty", "tty") else name
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        if name in less:
            return less[name]
    return real(name, globals, locals, fromlist, level)

builtins.__import__ = without
"""
IMPORT_ALL = """
failed = []
for top in ("card_tags", "host_tools", "hardware/twin"):
    for path in sorted(Path(top).rglob("*.py")):
        name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        if "migrations" in name or name.startswith(("hardware.twin.vm.", "hardware.twin.cpython")):
            continue  # the box's, and what Alembic loads
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            assert error.name in ("termios", "_host"), error
            if error.name == "termios":  # the other one is the MicroPython VM's
                failed.append(name)
from hardware.twin.vm_engine import _poll
assert _poll(sys.stdin)()  # a pipe of the VM is not looked at before it is read
print(json.dumps(failed))
"""
RUN_ALL = """
from host_tools.cli import main
for words in json.loads(sys.argv[1]):
    out, err = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(words)
        except SystemExit as ended:
            code = ended.code
    out.flush()
    print(json.dumps([code, out.buffer.getvalue().decode(), err.getvalue()]))
"""
SERVE = """
import threading
from urllib.request import urlopen
from host_tools.cli import main

class Told(io.StringIO):
    def write(self, text):
        if text.startswith("http"):
            threading.Thread(target=look, args=(text.split()[0],)).start()
        return super().write(text)

def look(page):
    status = urlopen(page, timeout=400).status
    print(status, file=sys.__stdout__)
    signal.raise_signal(signal.SIGINT)

with redirect_stdout(Told()):
    main(["play", "--port", "0", "--no-open", "--engine", "cpython"])
"""


def on_windows(program: str, *arguments: str) -> str:
    """What a program prints that has been told that this is no POSIX system."""
    done = subprocess.run(
        [sys.executable, "-c", HIDE + program, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_two_modules_need_what_windows_has_not() -> None:
    assert json.loads(on_windows(IMPORT_ALL)) == NEED_A_PTY


def test_the_commands_run(tmp_path: Path) -> None:
    no_pty = (2, "", "schiri: this system has no pseudo terminals; use WSL, or play")
    demo = f"demo --engine cpython --lang en --pictures none --db {tmp_path}/demo.db"
    words = {
        "decks show": (0, "berge", ""),
        "doctor play --json": (0, '"aim": "play", "ready": true', ""),
        "box list": (0, "No Pico is plugged in", ""),
        f"replay --check --lang en {TRANSCRIPT}": (0, "14 answers and the result agree", ""),
        demo: (0, "verified", ""),
        f"tournament new Aarau --db {tmp_path}/day.db --lang en": (0, "Aarau", ""),
        "twin box": no_pty,
        "twin reader --pty": no_pty,
    }
    told = on_windows(RUN_ALL, json.dumps([line.split() for line in words]))
    for line, row in zip(words, told.splitlines(), strict=True):
        code, out, err = words[line]
        found = json.loads(row)
        assert found[0] == code, (line, found)
        assert out in found[1], (line, found)
        assert found[2].startswith(err) if err else not found[2], (line, found)


def test_the_virtual_table_is_served() -> None:
    assert on_windows(SERVE) == "200\n"

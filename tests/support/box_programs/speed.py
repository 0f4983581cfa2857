"""Runs inside the MicroPython VM: how long the rules take, in real microseconds.

In come a header and its commands, one a line. Out go the time of each `_BATCH` commands (the VM's
clock has milliseconds), and the time of taking back `_UNDOS` commands.
"""

import json
import sys
import time

sys.path.insert(0, "/")

import _host  # type: ignore[import-not-found]
from micropython import const

from firmware.games import open_match
from firmware.rules.answers import write_answer

_UNDOS = const(300)
_BATCH = const(50)

match = open_match(json.loads(_host.read()))
commands = []
line = _host.read()
while line:
    commands.append(json.loads(line))
    line = _host.read()
took_us = []
for first in range(0, len(commands), _BATCH):
    start_us = time.ticks_us()  # type: ignore[attr-defined]
    for command in commands[first : first + _BATCH]:
        write_answer(match.apply(command))
    took_us.append(time.ticks_diff(time.ticks_us(), start_us))  # type: ignore[attr-defined]
undo = {"t": match.t_ms, "do": "undo"}
start_us = time.ticks_us()  # type: ignore[attr-defined]
for _ in range(_UNDOS):
    match.apply(undo)
undo_us = time.ticks_diff(time.ticks_us(), start_us)  # type: ignore[attr-defined]
_host.write(json.dumps([[us / _BATCH for us in took_us], undo_us]))

"""Runs inside the MicroPython VM: the header and the commands come in as lines, answers go out.

Out go `opened`, one answer line of TRANSCRIPT.md for each command, and the result line. The first
malformed line is answered with `!` and a list of the field and the text; then nothing follows.
"""

import json
import sys

sys.path.insert(0, "/")

import _host  # type: ignore[import-not-found]

from firmware.rules.answers import write_answer, write_result
from firmware.rules.errors import Malformed
from firmware.rules.games import open_match


def run() -> None:
    """Open the match of the first line and apply the others."""
    match = open_match(json.loads(_host.read()))
    _host.write("opened")
    while True:
        line = _host.read()
        if line is None:
            break
        _host.write(write_answer(match.apply(json.loads(line))))
    _host.write(write_result(match.result()))


try:
    run()
except Malformed as fault:
    _host.write("!" + json.dumps([fault.field, fault.text]))

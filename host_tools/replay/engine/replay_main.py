"""Runs inside the MicroPython VM: matches come in as lines, answers go out.

A match is a header, its commands, and an empty line. Out go `opened`, one answer line of
TRANSCRIPT.md for each command, the result line, and an empty line. At the first malformed line
`!` with a list of the field and the text takes the place of all that would follow.
"""

import json
import sys

sys.path.insert(0, "/")

import _host  # type: ignore[import-not-found]

from firmware.games import open_match
from firmware.rules.answers import write_answer, write_result
from firmware.rules.errors import Malformed


def replay_one() -> bool:
    """Replay one match; False when no more comes."""
    line = _host.read()
    if not line:
        return False
    try:
        match = open_match(json.loads(line))
        _host.write("opened")
        line = _host.read()
        while line:
            _host.write(write_answer(match.apply(json.loads(line))))
            line = _host.read()
        _host.write(write_result(match.result()))
    except Malformed as fault:
        # the rest of this match is read too: the next one begins at its header
        _host.write("!" + json.dumps([fault.field, fault.text]))
        while line:
            line = _host.read()
    _host.write("")
    return True


while replay_one():
    pass

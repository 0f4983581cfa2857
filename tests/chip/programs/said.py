"""Runs in MicroPython beside a build: a match a line comes in, [header, command, …], and what the
rules say to each command goes out, and the result.
"""

import json
import sys

from firmware.games import open_match

# of a build: what a match needs of firmware/rules is one module (docs/decisions/0154)
from firmware.rules.match import write_answer, write_result  # type: ignore[attr-defined]

for line in sys.stdin:
    header, *commands = json.loads(line)
    match = open_match(header)
    for command in commands:
        print(write_answer(match.apply(command)))
    print(write_result(match.result()) if match.over() else "")

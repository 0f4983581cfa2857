"""Runs in MicroPython beside a build: a match a line comes in, [header, command, …], and what the
rules say to each command goes out, and the result.
"""

import json
import sys

from firmware.games import open_match
from firmware.rules.answers import write_answer, write_result

for line in sys.stdin:
    header, *commands = json.loads(line)
    match = open_match(header)
    for command in commands:
        print(write_answer(match.apply(command)))
    print(write_result(match.result()) if match.over() else "")

"""Follow a tournament by its public feed (docs/feed.md), with nothing but Python:

python follow.py http://127.0.0.1:8010
"""

import json
import sys
import time
import urllib.request
from typing import Any


def follow(desk: str) -> None:
    """Print every result as it comes; what was missed comes when the line is back."""
    seq = 0
    known: dict[tuple[str, str], dict[str, Any]] = {}
    while True:
        try:
            with urllib.request.urlopen(f"{desk}/feed/1/stream?since={seq}", timeout=15) as stream:
                for line in (json.loads(raw[6:]) for raw in stream if raw[:6] == b"data: "):
                    before = known.get((line["kind"], line["id"]), {})
                    known[line["kind"], line["id"]] = line
                    if line["kind"] == "end":
                        seq = line["seq"]
                    if line.get("cards") != before.get("cards"):
                        tell(line, known["player", line["a"]], known["player", line["b"]])
        except OSError as error:
            print(f"{desk} does not answer ({error}); again in 2 s", file=sys.stderr)
        time.sleep(2)


def tell(match: dict[str, Any], a: dict[str, Any], b: dict[str, Any]) -> None:
    """One result."""
    print(match["id"], a["name"], "–", b["name"], match["cards"], flush=True)


if __name__ == "__main__":
    follow(sys.argv[1].rstrip("/"))

"""`make schemas`: the JSON Schemas below docs/, from the structs that are read and printed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from host_tools.commands.json_shapes import schema
from host_tools.core.json_types import with_plain_descriptions
from host_tools.tournament.model import Tournament
from host_tools.web.desk.feed_pages import schema_bytes

DOCS = Path(__file__).parents[1] / "docs"


def _written(schema: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(schema), indent=1) + b"\n"


def tournament() -> bytes:
    """The schema of `schiri-tournament/1`."""
    return _written(with_plain_descriptions(msgspec.json.schema(Tournament)))


SCHEMAS: dict[str, Callable[[], bytes]] = {
    "schiri-tournament-1.schema.json": tournament,
    "feed-1.schema.json": schema_bytes,
    "json.schema.json": lambda: schema().encode(),
}
"""File below docs/ -> what makes it."""


if __name__ == "__main__":
    for name, make in SCHEMAS.items():
        (DOCS / name).write_bytes(make())

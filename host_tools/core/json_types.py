"""A JSON object whose fields another page fixes (TRANSCRIPT.md, docs/tournament-format.md)."""

from typing import Any

Json = dict[str, Any]


def with_plain_descriptions(schema: Any) -> Any:
    """A JSON Schema whose descriptions have no line ends: how far a docstring is indented depends
    on the version of Python.
    """
    if isinstance(schema, list):
        return [with_plain_descriptions(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: " ".join(part.split())
        if key == "description" and isinstance(part, str)
        else with_plain_descriptions(part)
        for key, part in schema.items()
    }

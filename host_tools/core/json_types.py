"""A JSON object whose fields another page fixes (TRANSCRIPT.md, docs/tournament-format.md)."""

from typing import Any

Json = dict[str, Any]

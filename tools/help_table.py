"""Make anew what is made from the commands: host_tools/core/help.json (what `--help` and Tab show)
and docs/json.schema.json (what `--json` prints).
"""

from pathlib import Path

from host_tools.cli import NAME, schiri
from host_tools.commands.json_shapes import schema
from host_tools.core.help_table import PLACE, written

DOCS = Path(__file__).parents[1] / "docs"

if __name__ == "__main__":
    PLACE.write_text(written(schiri, NAME), "utf8")
    (DOCS / "json.schema.json").write_text(schema(), "utf8")

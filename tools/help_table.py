"""Make host_tools/core/help.json anew: what `--help`, Tab and the man pages show."""

from host_tools.cli import NAME, schiri
from host_tools.core.help_table import PLACE, written

if __name__ == "__main__":
    PLACE.write_text(written(schiri, NAME), "utf8")

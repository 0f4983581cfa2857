"""The database as version 0.1 made it: its tables, of either kind of database."""

import gzip
import re
from pathlib import Path

from sqlalchemy import Engine

WRITTEN = Path(__file__).parents[1] / "compat" / "v0_1"
_POSTGRES = {"DATETIME": "TIMESTAMP WITH TIME ZONE", "BLOB": "BYTEA"}


def script() -> str:
    """The day of eight players that it simulated, as SQLite tells it."""
    return gzip.decompress((WRITTEN / "day.sql.gz").read_bytes()).decode()


def make_old_tables(engine: Engine) -> None:
    """Its tables with nothing in them, at its version."""
    made = re.findall(r"^CREATE (?:TABLE|INDEX).*?;", script(), re.MULTILINE | re.DOTALL)
    made.sort(key=lambda statement: ("CREATE INDEX" in statement, "REFERENCES" in statement))
    with engine.begin() as connection:
        for statement in made:
            for word, other in _POSTGRES.items() if connection.dialect.name != "sqlite" else ():
                statement = re.sub(rf"\b{word}\b", other, statement)
            connection.exec_driver_sql(statement)
        connection.exec_driver_sql("INSERT INTO alembic_version VALUES ('0002')")

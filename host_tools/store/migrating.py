"""A database of an older version is brought to this one, by alembic."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from host_tools.store.models import Base

MIGRATIONS = Path(__file__).parent / "migrations"


def alembic_config() -> Config:
    """Alembic without an ini file: the migrations travel inside the package."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


def known_versions() -> list[str]:
    """All that a database can be brought from, and this one first."""
    scripts = ScriptDirectory.from_config(alembic_config())
    return [script.revision for script in scripts.walk_revisions()]


def upgrade(connection: Connection, new: bool = False) -> None:
    """To the newest version, within the connection's transaction; a `new` database is made so."""
    config = alembic_config()
    # migrations/env.py takes it from there; alembic would open one of its own
    config.attributes["connection"] = connection
    if new:
        Base.metadata.create_all(connection)
    # a new one comes from the models: the oldest migration makes no tables
    (command.stamp if new else command.upgrade)(config, "head")

"""Bring a database to this version, by alembic."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

MIGRATIONS = Path(__file__).parent / "migrations"


def alembic_config() -> Config:
    """Alembic without an ini file: the migrations travel inside the package."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


def known_versions() -> list[str]:
    """The versions of the migrations, the newest first."""
    scripts = ScriptDirectory.from_config(alembic_config())
    return [script.revision for script in scripts.walk_revisions()]


def upgrade(connection: Connection) -> None:
    """Run the migrations that are missing, within the connection's transaction."""
    config = alembic_config()
    # migrations/env.py takes it from there; alembic would open one of its own
    config.attributes["connection"] = connection
    command.upgrade(config, "head")

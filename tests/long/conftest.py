"""The hostile values are tried on either database."""

from tests.support.databases import database, postgres_server, postgres_url

__all__ = ["database", "postgres_server", "postgres_url"]

"""Where databases begin: boxes, matches, tournaments. A new one is made from the models."""

revision = "0002"
down_revision = None


def upgrade() -> None:
    """There is nothing before it."""

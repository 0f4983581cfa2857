"""The words of a human-readable replay, in every language: those that games share and those of
each game's own folder. A record may hold a command of another game, refused.
"""

from host_tools.core.texts import Texts

EVENTS = Texts("replay event")
"""`{name}` is a field of the event; seats are names of players."""
PHRASES = Texts("replay")
COMMANDS = Texts("replay command")
"""`do` -> a name for what people wanted, `do.field` -> the words round a field of it, in the order
in which they are said.
"""
REFUSALS = Texts("replay refusal")

"""Whether a text that people typed may become a name or a reason."""

from host_tools.core.errors import Sentence, UserError
from host_tools.core.names import (
    LONGEST_NAME,
    MOST_MARKS,
    graphemes,
    shown,
    stacked,
    too_long,
    unsafe,
)


def text_fault(text: str, longest: int = LONGEST_NAME) -> Sentence | None:
    """Why `text` cannot be a name, as a sentence; None if it can."""
    char = unsafe(text)
    if char:
        return Sentence("fault_unsafe", code=f"U+{ord(char):04X}")
    if stacked(text):
        return Sentence("fault_stacked", most=MOST_MARKS)
    if too_long(text, longest):
        return Sentence("fault_long", count=len(graphemes(text)), most=longest)
    return None


def check_texts(*texts: str, longest: int = LONGEST_NAME) -> None:
    """Raises UserError for the first text that cannot be a name."""
    for text in texts:
        fault = text_fault(text, longest)
        if fault is not None:
            raise UserError("text_fault", text=shown(text, 20), detail=fault)

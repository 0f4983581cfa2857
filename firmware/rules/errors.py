"""The one error of the rules: input that is not a transcript at all (TRANSCRIPT.md, *Files*).

What players do wrong is never an error: that is a `Refusal` in the answer.
"""


class Malformed(Exception):
    """A header, deck, board or command of the wrong shape.

    `field` names the place, `text` says what.
    """

    def __init__(self, field: str, text: str) -> None:
        super().__init__(field, text)
        self.field = field
        self.text = text

    def __str__(self) -> str:
        return self.field + ": " + self.text

"""Errors that people see: one sentence saying what, where and what to do, and an exit code."""


class UserError(Exception):
    """Something the user can act on.

    `exit_code`: 1 a check failed, 2 bad input, 3 a device or database failed. `sentence`: what
    `str` says, as it was given; one with a key can be said in other languages
    (host_tools/core/refusal.py).
    """

    exit_code = 2

    def __init__(self, sentence: str, exit_code: int | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        if exit_code is not None:
            self.exit_code = exit_code

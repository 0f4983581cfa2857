"""Settings for all tests.

`make test` draws the same random examples every time, so that its verdict is about the change at
hand; `make test-long` draws new ones.
"""

from hypothesis import settings

# Two busy cores make single examples slow; nothing here asserts wall-clock time.
settings.register_profile("same", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("new", deadline=None, print_blob=True)
settings.load_profile("same")

"""Settings for all tests."""

from hypothesis import settings

# Two busy cores make single examples slow; nothing here asserts wall-clock time.
settings.register_profile("schiri", deadline=None, print_blob=True)
settings.load_profile("schiri")

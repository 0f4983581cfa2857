"""The modules that MicroPython 1.29 for the RP2 has built in; the firmware may import no other.

Source: the stub package micropython-rp2-rpi_pico-stubs 1.29.0.post1, made from a running Pico
(module list), and docs.micropython.org, library/index. The VM that the tests use has more
(`logging`, `pathlib`, `functools`, …): without this list a firmware could pass every test and fail
on the box.
"""

RP2_MODULES = frozenset(
    {
        "_thread",
        "array",
        "asyncio",
        "binascii",
        "builtins",
        "cmath",
        "collections",
        "cryptolib",
        "deflate",
        "errno",
        "framebuf",
        "gc",
        "hashlib",
        "heapq",
        "io",
        "json",
        "machine",
        "math",
        "micropython",
        "os",
        "platform",
        "random",
        "re",
        "rp2",
        "select",
        "struct",
        "sys",
        "time",
        "uctypes",
        "vfs",
    }
)

# what the firmware for boards with a radio has besides; imported only behind hall settings
RADIO_MODULES = frozenset({"network", "socket"})

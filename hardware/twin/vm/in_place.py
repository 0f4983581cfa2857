"""Starts MicroPython's UNIX port with a file in its memory, as a chip has its flash: what another
process writes into the file is there at once.

    python -m hardware.twin.vm.in_place FILE -X heapsize=… program.py arguments …

The program gets the address and the size of the file as two more arguments.
"""

import ctypes
import mmap
import sys

import micropython_unix


def main() -> None:
    """Never returns: MicroPython ends the process."""
    path, *words = sys.argv[1:]
    with open(path, "r+b") as file:
        flash = mmap.mmap(file.fileno(), 0)
    address = ctypes.addressof(ctypes.c_char.from_buffer(flash))
    sys.argv = ["micropython", *words, str(address), str(len(flash))]
    micropython_unix.main()


if __name__ == "__main__":
    main()

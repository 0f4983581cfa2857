# Runs on the box, frozen into the image: lets loader.py choose a firmware, and plays.
import gc
import sys

import machine
import vfs
from loader import best_turns

try:
    # MicroPython has mounted the first slot; the chosen one is mounted under its name
    vfs.umount("/rom")
except OSError:
    pass
sys.path[:] = [path for path in sys.path if not path.startswith("/rom")]
gc.threshold(65536)
loop = best_turns("/box", machine)
del best_turns
for _ in loop:
    pass

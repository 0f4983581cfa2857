# What is frozen into the image: MicroPython's own start, the loader of the box's firmware, and the
# names that the firmware uses (tools/image.py writes them), so that each lies sorted in the flash.
# ruff: noqa: F821
import os

freeze("$(PORT_DIR)/modules", ("_boot.py", "rp2.py"))
module("main.py", base_path="$(BOARD_DIR)", opt=3)
module("loader.py", base_path="$(BOARD_DIR)", opt=3)
module("slots.py", base_path="$(BOARD_DIR)/../app", opt=3)
freeze_mpy(os.environ["SCHIRI_NAMES"], "names.mpy")

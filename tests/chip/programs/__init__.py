"""Programs that run on the box instead of `firmware.main:turns`."""

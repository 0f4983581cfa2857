"""The box's own modules on the twin: `machine`, `time`, files and the USB line, for both
interpreters.

`machine.py`, `clock.py`, `storage.py` and `usb.py` are thin: every call goes through one bridge
(`bridge.py` in the VM, `hardware/twin/inproc.py` on CPython) to the one twin. `runner.mjs` starts
the VM and carries the calls over two pipes.
"""

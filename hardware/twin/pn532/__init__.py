"""A PN532 in software: chip core and its UART, all in virtual time.

How to wire one up (everything shares one `VirtualClock`, times in µs):

    clock = VirtualClock()                      # hardware.twin.clock
    field = RfField(clock)                      # hardware.twin.field
    chip = Pn532Chip(clock, field)              # hardware.twin.pn532.chip
    port = HsuPort(chip)                        # hardware.twin.pn532.hsu
    tag = NtagTwin.ntag213(uid=bytes.fromhex("04A1B2C3D4E5F6"))   # hardware.twin.tags
    field.place(tag)                            # or clock.at(us, lambda: field.place(tag))

The port never sleeps and never moves the clock.

    HsuPort(chip)
        .baud                  the host's rate; assign to change it (chip.baud is the chip's)
        .write(data) -> int    queues bytes; they reach the chip 10 bit times each, in order
        .any() -> int          bytes that have arrived at the host by now
        .read(n) -> bytes      up to n of them, b"" if none
        .idle_at_us            when the last written byte has left (for UART.flush/txdone)
        .next_arrival_us()     when the next byte arrives, None if none is on its way

Pins of the chip:
        chip.set_reset(level)  RSTPD_N: 0 holds the chip in reset, 1 lets it start (LowVbat)
        chip.irq               level of IRQ: 0 while a frame waits for the host, else 1

Faults: `Pn532Chip(clock, field, faults=FaultPlan(...))`, see hardware.twin.faults.
"""

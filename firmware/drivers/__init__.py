"""Drivers: pins, buses and time are handed in; nothing from outside this folder is imported.

`clock` is an object with MicroPython's `ticks_ms ticks_us ticks_diff ticks_add sleep_ms sleep_us`.

    reader.Reader(chip, clock)
        start() -> bool; step(now_ms) -> NOTHING CARD GONE TWO_CARDS UNREADABLE RESTARTED BROKEN
        uid, data (48 bytes from page 4), health; read_user(first_page, count_pages) -> bytes,
        write_user(first_page, data), write_record(data, length_at)
    pn532.chip.Pn532(transport, clock, reset=None)      reset: a Pin on RSTPD_N, high = run
    pn532.hsu.Hsu(uart, clock)
    bus_recovery.free_bus(scl, sda, clock) -> bool
    pn532.errors.ReaderError        .advice RETRY | CARD_LEFT | BROKEN, .frames the last 16 frames
    ntag.Ntag(chip)                 48 bytes in one FAST_READ, pages, locks, version, signature
    display.Display(bus, clock)     .frame, .show(), .step(now_ms), .check()
    two_screens.TwoScreens(south, north)            the same for two displays
    buttons.Buttons(pins, clock)    step(now_ms) -> UP=0 DOWN=1 OK=2 JURY=3, + LONG=4, or -1
    buzzer.Buzzer(pwm, clock)       play(tones, number, volume), step(now_ms)
    usb_line.UsbLine(reader, writer, poller)      read_line() -> bytes | None, write(bytes)
"""

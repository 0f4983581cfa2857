"""The calls through `bridge.py`, by number: what the box asks of the twin. One list for both
sides.

A result below zero is an errno with its sign turned; everything else the twin objects to ends the
session.
"""

from micropython import const

SPEND = const(1)  # a: µs -> µs left when an edge has cut it short
PIN_OPEN = const(2)  # a: gpio, b: mode, c: pull
PIN_SET = const(3)  # a: gpio, b: level
UART_OPEN = const(4)  # a: id, b: baud, c: tx << 8 | rx
UART_WRITE = const(5)  # a: id, data out
UART_READ = const(6)  # a: id, b: timeout in µs, data in
UART_BUSY = const(7)  # a: id -> µs until the last byte has left
I2C_OPEN = const(8)  # a: id (2: plain pins), b: Hz, c: scl << 8 | sda, data: timeout in µs
I2C_WRITE = const(10)  # a: id, b: address, c: 1 = stop, data out
I2C_READ = const(11)  # a: id, b: address, data in
PWM_OPEN = const(12)  # a: gpio
PWM_FREQ = const(13)  # a: gpio, b: Hz
PWM_DUTY = const(14)  # a: gpio, b: 0..65535
WDT_OPEN = const(15)  # a: ms
PIN_GET = const(16)  # a: gpio -> level, for a Pin object that did not open its pin
RESET = const(17)
RESET_CAUSE = const(18)
UNIQUE_ID = const(19)  # data in
RANDOM = const(20)  # data in
USB_READ = const(21)  # data in
USB_WRITE = const(22)  # data out -> bytes taken
USB_WRITABLE = const(23)  # -> 1 if there is room for a byte
PIN_IRQ = const(24)  # a: gpio, b: edges wanted, 4 falling + 8 rising, 0 = none

ADC_READ = const(25)  # a: gpio -> 0..65535

FILE_OPEN = const(30)  # a: 0 "r", 1 "w", 2 "a", 3 "x"; b: 1 = "+"; data out: path -> handle
FILE_READ = const(31)  # a: handle, data in
FILE_WRITE = const(32)  # a: handle, data out
FILE_SEEK = const(33)  # a: handle, b: offset, c: whence -> position
FILE_FLUSH = const(34)  # a: handle
FILE_CLOSE = const(35)  # a: handle
FILE_SIZE = const(36)  # data out: path -> size of a file
FILE_IS_FOLDER = const(37)  # data out: path -> 0 or 1, ENOENT
FILE_LIST = const(38)  # data out: path -> length of the listing, fetched next
FILE_FETCH = const(39)  # data in: the listing, names with "/" behind folders, one a line
FILE_REMOVE = const(40)  # data out: path
FILE_RENAME = const(41)  # data out: old, zero byte, new
FILE_MKDIR = const(42)  # data out: path
FILE_RMDIR = const(43)  # data out: path
FILE_BLOCKS = const(44)  # a: 0 = all, 1 = free -> number of 4096-byte blocks

CODE_ERASE = const(45)  # a: sector
CODE_PROGRAM = const(46)  # a: where, in bytes; data out

NET_THERE = const(60)  # -> 1 if the board has a radio
NET_ACTIVE = const(61)
NET_JOIN = const(62)  # data out: name, zero byte, password
NET_LEAVE = const(63)
NET_STATUS = const(64)  # -> 100 + WLAN.status()
NET_RSSI = const(65)  # -> dBm, with its sign turned
NET_RESOLVE = const(66)  # data out: host
SOCK_OPEN = const(70)  # -> number
SOCK_CONNECT = const(71)  # a: number; EINPROGRESS
SOCK_READY = const(72)  # a: number -> events as of poll
SOCK_READ = const(73)  # a: number, data in; EAGAIN
SOCK_WRITE = const(74)  # a: number, data out -> bytes taken; EAGAIN
SOCK_CLOSE = const(75)  # a: number

IRQS = const(76)  # a: 1 on, 0 off -> what was
ENDED = const(50)  # a: 0 returned, 1 crashed, 2 Ctrl-C; data out: the traceback
HEAP = const(51)  # a: bytes in use, b: before the collection, c: turns made; data: mem_info
READY = const(52)  # a: bytes in use before the firmware is imported; data out: version

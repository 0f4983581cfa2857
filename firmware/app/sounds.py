"""The box's voice: one meaning, one rhythm (docs/sounds.md). A name is a number in `TONES`.

In `TONES` (drivers/buzzer.py) the first hex digit of a tone is its pitch, the second its length in
60 ms; 0x02 is a longer pause. Numbers stay once given: a laptop asks for them (docs/link.md).
"""

STEP = 0
ACCEPTED = 1
REFUSED = 2
FOREIGN = 3
UNREADABLE = 4
TWO_CARDS = 5
ROUND_TIED = 6
NO_GAIN = 7
ATTENTION = 8
WARNING_60 = 9
WARNING_10 = 10
TIME_UP = 11
START = 12
OVER = 13
HAND_OVER = 14
RESUMED = 15
JURY = 16
NOTICE = 17
READER = 18
FAULT = 19
ROUND_WON = 20  # + the seat that wins: 0 to 7

TONES = (
    b"\x80\0\xa2\0\x43\x28\0\x43\x21\x43\0\x63\x61\x61\x61\0"  # to UNREADABLE
    b"\x73\x43\x02\x73\x43\0\x93\x02\x93\0\x63\x02\x31\0\x91\xb1\x02\x91\xb1\0"  # to ATTENTION
    b"\x78\x73\0\x98\x91\x91\x91\0\x98\x98\0\x61\x04\x61\x04\xb8\0"  # to START
    b"\x63\x83\x93\xb8\0\x93\x83\x61\0\x61\x02\x83\x93\0"  # to RESUMED
    b"\xd8\xc1\xd8\0\xb3\x81\x02\xb3\x81\0\x31\x31\x31\x02\x41\x41\x41\0\x1f\0"  # to FAULT
    b"\x61\xb3\0\x61\x81\xb3\0\x61\x81\x91\xb3\0\x61\x71\x81\x91\xb3\0"  # seats 1 to 4
    b"\xb1\xd8\0\xb1\xc1\xd8\0\xa1\xb1\xc1\xd8\0\x91\xa1\xb1\xc1\xd8\0"  # seats 5 to 8
)

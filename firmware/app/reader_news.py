"""What the box shows and plays when the reader cannot give it a tag. Loaded when it is said."""

from . import sounds

# an event of drivers.reader.Reader.step, or the reason of a TagError -> picture, text key, sound
NEWS = {
    3: ("TWO", "tag_two", sounds.TWO_CARDS),
    4: ("QUESTION", "tag_unreadable", sounds.UNREADABLE),
    5: ("WRENCH", "reader_restarted", sounds.READER),
    6: ("WRENCH", "reader_broken", sounds.FAULT),
    "empty": ("EMPTY", "tag_empty", sounds.FOREIGN),
    "foreign": ("QUESTION", "tag_foreign", sounds.FOREIGN),
    "torn": ("TORN", "tag_torn", sounds.UNREADABLE),
    "short": ("TORN", "tag_short", sounds.UNREADABLE),
    "wrong_version": ("QUESTION", "tag_wrong_version", sounds.FOREIGN),
    "malformed": ("TORN", "tag_malformed", sounds.UNREADABLE),
    "unsealed": ("SEAL", "tag_unsealed", sounds.REFUSED),
    "unknown_key": ("SEAL", "tag_unknown_key", sounds.REFUSED),
    "bad_seal": ("SEAL", "tag_bad_seal", sounds.REFUSED),
}

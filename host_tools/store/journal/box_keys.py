"""The keys that a box may sign with: one for every league key of this laptop."""

from card_tags.seal import box_key
from firmware.app.link_frames import key_id
from host_tools.cards.keys import KeyRing, load_keys


class BoxKeys:
    """`keys(box)` gives key id -> key; nothing while the laptop has no league key."""

    def __init__(self, ring: KeyRing) -> None:
        self._ring = ring

    def __call__(self, box: str) -> dict[str, bytes]:
        signing = [box_key(key.secret, box) for key in self._ring.keys]
        return {key_id(key): key for key in signing}


def load_box_keys() -> BoxKeys:
    """From the user's key file. Raises UserError for its rights or contents."""
    return BoxKeys(load_keys())

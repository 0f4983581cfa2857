"""A simulated day whose boxes sign with keys of their own."""

import hashlib

import pytest

from host_tools.cards.public_keys import ORDER, SigningKey
from host_tools.sim.tournament.day import simulate_day
from host_tools.store import Store
from host_tools.store.journal.reading import read_journal
from host_tools.store.store import KeysOf, Stored
from host_tools.tournament.service import TournamentService
from tests.support.signed_journals import signed

BOXES = 9


def key_of(box: str) -> SigningKey:
    """The key of a box, the same every time."""
    number = int.from_bytes(hashlib.sha256(b"test " + box.encode()).digest()) % ORDER
    return SigningKey(number.to_bytes(32))


def signed_day(db: str, count: int = 8) -> TournamentService:
    """Played to the champion; the keys of all boxes are enrolled afterwards."""
    real = Store.add

    def add(store: Store, raw: bytes, keys_of: KeysOf, aside: bool = False) -> Stored:
        return real(store, signed(raw, key_of(read_journal(raw).box)), keys_of, aside)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "add", add)
        service, _ = simulate_day(db, count, seed=1)
    for number in range(1, BOXES):
        box = f"sim{number:02}"
        service.store.enrolled.enrol(box, key_of(box).public, "Anna")
    return service

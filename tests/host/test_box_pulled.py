"""The cable is pulled at every transfer of what `schiri box` does: one sentence, nothing half."""

from collections.abc import Callable

import pytest

from host_tools.box.backup import make_backup
from host_tools.box.link import BoxLink, LinkLost
from tests.support.memory_box import play
from tests.support.slot_box import PulledPort, UpdatingBox, trusted_box

KEY = "5a" * 32

Action = Callable[[BoxLink], object]
ACTIONS: dict[str, Action] = {
    "hello": lambda link: link.hello(),
    "status": lambda link: link.request("status"),
    "settings": lambda link: link.request("settings", set={"table": 7, "volume": 1}),
    "key": lambda link: link.request("key", key=KEY),
    "time": lambda link: link.request("time", unix=1_800_000_000),
    "backup": make_backup,
    "update state": lambda link: link.request("update"),
}


@pytest.mark.parametrize("name", ACTIONS)
def test_a_pulled_cable_is_a_sentence_and_leaves_all_or_nothing(name: str) -> None:
    transfers = 0
    told = "first"
    while told:
        box = UpdatingBox(trusted_box())
        play(box.journal)
        digest = box.journal.digest(1)
        told = sentence(ACTIONS[name], PulledPort(box, transfers))
        assert told in ("", "the box was unplugged; plug it in and start again")
        settings = box.settings.all()
        assert (settings["table"], settings["volume"]) in ((0, 2), (7, 1))
        assert box.settings.key() in (None, bytes.fromhex(KEY))
        assert box.journal.digest(1) == digest
        ACTIONS[name](BoxLink(box.port(), first_id=9))  # plugged in again, it simply works
        transfers += 1
    assert transfers >= 3


def sentence(action: Action, port: PulledPort) -> str:
    """What a person is told; "" if the action came to its end."""
    try:
        action(BoxLink(port, first_id=1))
    except LinkLost as error:
        return str(error)
    return ""

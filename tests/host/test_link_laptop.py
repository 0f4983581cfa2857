"""The laptop's end of the link: retries, versions, silence, noise, missing and busy ports."""

import os
import pty
import threading
from pathlib import Path

import pytest

from firmware.app.flash import Flash
from firmware.app.link_frames import read_frame, write_frame
from host_tools.box.link import ATTEMPTS, BoxLink, BoxRefusal, LinkLost, open_link
from host_tools.core.errors import UserError
from tests.support.memory_box import MemoryBox


class ScriptedPort:
    """Answers each request with the next line of a script; `None` is silence."""

    def __init__(self, *answers: bytes | None) -> None:
        self.answers = list(answers)
        self.asked: list[dict[str, object]] = []
        self.out = b""

    def write(self, data: bytes) -> object:
        self.asked.append(read_frame(data.strip()))
        answer = self.answers.pop(0) if self.answers else None
        if answer is not None:
            self.out += answer.replace(b"ID", str(self.asked[-1]["id"]).encode())
        return len(data)

    def read(self, size: int = 1) -> bytes:
        data, self.out = self.out[:size], self.out[size:]
        return data

    def close(self) -> None:
        self.out = b""


class EchoPort(ScriptedPort):
    """Answers every request with the given fields, after some lines of noise."""

    def __init__(self, noise: bytes, **fields: object) -> None:
        super().__init__()
        self.noise = noise
        self.fields = fields

    def write(self, data: bytes) -> object:
        request = read_frame(data.strip())
        self.asked.append(request)
        self.out += self.noise + write_frame({"id": request["id"], **self.fields})
        return len(data)


def test_silence_is_asked_again_and_then_given_up() -> None:
    port = ScriptedPort()
    with pytest.raises(LinkLost, match="does not answer") as caught:
        BoxLink(port).request("hello")
    assert len(port.asked) == ATTEMPTS
    assert len({request["id"] for request in port.asked}) == 1
    assert caught.value.exit_code == 3


def test_noise_and_tracebacks_of_the_box_are_passed_over() -> None:
    noise = b">>> \r\nTraceback (most recent call last):\r\n" + b"\xff\xfe\n"
    assert BoxLink(EchoPort(noise, box="b1")).request("hello")["box"] == "b1"


def test_an_answer_to_an_older_question_is_passed_over() -> None:
    old = write_frame({"id": 1, "box": "old"})
    assert BoxLink(EchoPort(old, box="new")).request("hello")["box"] == "new"


def test_a_damaged_answer_is_asked_for_again() -> None:
    class Once(EchoPort):
        def write(self, data: bytes) -> object:
            super().write(data)
            if len(self.asked) == 1:
                self.out = self.out.replace(b"b1", b"b2")
            return len(data)

    port = Once(b"", box="b1")
    assert BoxLink(port).request("hello")["box"] == "b1"
    assert len(port.asked) == 2


def test_endless_noise_does_not_hang() -> None:
    class Waterfall(ScriptedPort):
        def read(self, size: int = 1) -> bytes:
            return b"\x55" * size

    with pytest.raises(LinkLost):
        BoxLink(Waterfall()).request("hello")


@pytest.mark.parametrize(("version", "word"), [(2, "update the laptop"), (0, "update the box")])
def test_another_version_says_who_must_be_updated(version: int, word: str) -> None:
    with pytest.raises(UserError, match=word):
        BoxLink(EchoPort(b"", schiri=version)).hello()


def test_a_no_of_the_box_is_not_asked_again(tmp_path: Path) -> None:
    box = MemoryBox(Flash(str(tmp_path)))
    link = BoxLink(box.port())
    with pytest.raises(BoxRefusal) as caught:
        link.request("dance")
    assert caught.value.reason == "unknown_request"
    assert link.repeats == 0


def test_a_missing_port_is_a_sentence() -> None:
    with pytest.raises(UserError, match="there is no port /dev/never"):
        open_link("/dev/never")


def test_an_unknown_kind_of_port_is_a_sentence() -> None:
    with pytest.raises(UserError, match="cannot be opened"):
        open_link("carrier-pigeon://roof")


def test_nobody_at_a_socket_is_a_sentence() -> None:
    with pytest.raises(UserError, match="cannot be opened"):
        open_link("socket://127.0.0.1:1")


class PtyBox:
    """A box whose USB line is a pty; `name` is the laptop's device."""

    def __init__(self, folder: Path) -> None:
        self.box = MemoryBox(Flash(str(folder)))
        self.controller, self._device = pty.openpty()
        self.name = os.ttyname(self._device)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                data = os.read(self.controller, 4096)
            except OSError:
                return
            if not data:
                return
            self.box.wire.to_box.extend(data)
            self.box.step(200)
            os.write(self.controller, bytes(self.box.wire.to_laptop))
            self.box.wire.to_laptop.clear()


@pytest.fixture
def pty_box(tmp_path: Path) -> PtyBox:
    return PtyBox(tmp_path)


def test_a_box_at_a_pty_answers(pty_box: PtyBox) -> None:
    link = open_link(pty_box.name)
    assert link.hello()["box"] == "b0c5"
    link.close()


def test_a_port_in_use_is_a_sentence(pty_box: PtyBox) -> None:
    link = open_link(pty_box.name)
    with pytest.raises(UserError, match="in use"):
        open_link(pty_box.name)
    link.close()


def test_a_pulled_cable_is_a_sentence() -> None:
    """Both ends of the pty are closed under an open link, as the kernel does with a USB device."""
    controller, device = pty.openpty()
    link = open_link(os.ttyname(device))
    os.close(controller)
    os.close(device)
    with pytest.raises(LinkLost, match="was unplugged"):
        link.request("hello")
    link.close()

"""A broker for one box: MQTT 3.1.1 as far as a box uses it, in a thread, that can be killed or
unwilling. Written from the standard, apart from the box's own client.
"""

import socket
import struct
import threading
from contextlib import suppress

Message = tuple[str, bytes, int, bool]  # topic, payload, QoS, retained


class Broker:
    """`heard` is what was published, in order; `said` what CONNECT asked for: client, user,
    password, will topic, will, keep-alive. `refuse` is the return code of CONNACK; without
    `receipts` no PUBLISH is confirmed.
    """

    def __init__(self, port: int = 0) -> None:
        self.heard: list[Message] = []
        self.said: list[tuple[str, str, str, str, bytes, int]] = []
        self.topics: list[str] = []
        self.refuse = 0
        self.receipts = True
        self._server = socket.create_server(("127.0.0.1", port))
        self.address: tuple[str, int] = self._server.getsockname()
        self._clients: list[socket.socket] = []
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Killed: every connection ends, nothing listens."""
        with suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)  # wakes `accept`, which would go on listening
        self._server.close()
        for client in self._clients:
            with suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)
            client.close()

    def stall(self) -> None:
        """From now on nothing is answered, whatever comes."""
        self._lock.acquire()

    def publish(self, topic: str, payload: bytes) -> None:
        """To every client, at QoS 1."""
        body = _text(topic.encode()) + b"\x00\x07" + payload
        for client in self._clients:
            client.sendall(b"\x32" + _length(len(body)) + body)

    def payloads(self, last: str) -> list[bytes]:
        """What was published under the topics that end so."""
        return [payload for topic, payload, _, _ in self.heard if topic.endswith(last)]

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError, EOFError):
            while True:
                first = _exactly(client, 1)[0]
                size = shift = 0
                while True:
                    digit = _exactly(client, 1)[0]
                    size |= (digit & 0x7F) << shift
                    shift += 7
                    if digit < 0x80:
                        break
                with self._lock:
                    self._answer(client, first, _exactly(client, size))

    def _answer(self, client: socket.socket, first: int, body: bytes) -> None:
        kind = first >> 4
        if kind == 1:
            self._greet(client, body)
        elif kind == 3:
            self._take(client, first, body)
        elif kind == 4:
            assert len(body) == 2
        elif kind == 8:
            assert first == 0x82
            topic, rest = _field(body[2:])
            assert rest == b"\x01"
            self.topics.append(topic.decode())
            client.sendall(b"\x90\x03" + body[:2] + b"\x01")
        elif kind == 12:
            assert body == b""
            client.sendall(b"\xd0\x00")
        else:
            raise AssertionError(f"a box sends no packet of kind {kind}")

    def _greet(self, client: socket.socket, body: bytes) -> None:
        assert body[:8] == b"\x00\x04MQTT\x04\xee"  # user, password, retained will at QoS 1, clean
        (keep_alive,) = struct.unpack(">H", body[8:10])
        name, rest = _field(body[10:])
        topic, rest = _field(rest)
        will, rest = _field(rest)
        user, rest = _field(rest)
        password, rest = _field(rest)
        assert rest == b""
        words = [raw.decode() for raw in (name, user, password, topic)]
        self.said.append((*words[:4], will, keep_alive))  # type: ignore[arg-type]
        client.sendall(bytes((0x20, 2, 0, self.refuse)))
        if self.refuse:
            client.close()
        else:
            self._clients.append(client)

    def _take(self, client: socket.socket, first: int, body: bytes) -> None:
        topic, rest = _field(body)
        qos = first >> 1 & 3
        assert qos < 2
        number, rest = (rest[:2], rest[2:]) if qos else (b"", rest)
        self.heard.append((topic.decode(), rest, qos, bool(first & 1)))
        if number and self.receipts:
            client.sendall(b"\x40\x02" + number)


def _exactly(client: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = client.recv(size - len(data))
        if not piece:
            raise EOFError
        data += piece
    return data


def _field(data: bytes) -> tuple[bytes, bytes]:
    (size,) = struct.unpack(">H", data[:2])
    assert len(data) >= 2 + size
    return data[2 : 2 + size], data[2 + size :]


def _text(raw: bytes) -> bytes:
    return struct.pack(">H", len(raw)) + raw


def _length(size: int) -> bytes:
    out = bytearray()
    while True:
        size, digit = divmod(size, 128)
        out.append(digit | 0x80 if size else digit)
        if not size:
            return bytes(out)

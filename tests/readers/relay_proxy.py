# SPDX-License-Identifier: MIT
"""A relay daemon that goes wrong in the middle: stands between a reader and a real one, hands on what both say, and does something else to
one answer. It knows of LTTng's live protocol (lttng-viewer-abi.h) where an answer ends."""
import collections
import contextlib
import os
import re
import socket
import struct
import threading

# Commands, and the lengths of what they are answered with.
CONNECT, LIST_SESSIONS, ATTACH, NEXT_INDEX, PACKET, METADATA, NEW_STREAMS, CREATE_SESSION, DETACH = range(1, 10)
SESSION_LENGTH, STREAM_LENGTH = 339, 4371
OK = 1


class Gone(Exception):
    """One of the two has closed its connection."""


def receive(connection, length):
    data = b""
    while len(data) < length:
        try:
            piece = connection.recv(length - len(data))
        except OSError as error:
            raise Gone from error
        if not piece:
            raise Gone
        data += piece
    return data


def receive_answer(connection, command):
    """All of it, as the relay daemon sends it."""
    if command == CONNECT:
        return receive(connection, 20)
    if command == LIST_SESSIONS:
        head = receive(connection, 4)
        return head + receive(connection, SESSION_LENGTH * struct.unpack(">I", head)[0])
    if command in (ATTACH, NEW_STREAMS):
        head = receive(connection, 8)
        status, streams = struct.unpack(">II", head)
        return head + receive(connection, STREAM_LENGTH * streams if status == OK else 0)
    if command == NEXT_INDEX:
        return receive(connection, 64)
    if command == PACKET:
        head = receive(connection, 12)
        status, length, _ = struct.unpack(">III", head)
        return head + receive(connection, length if status == OK else 0)
    if command == METADATA:
        head = receive(connection, 12)
        length, status = struct.unpack(">QI", head)
        return head + receive(connection, length if status == OK else 0)
    return receive(connection, 4)


class Index:
    """The answer to NEXT_INDEX."""
    FIELDS = ("offset", "packet_size", "content_size", "begin", "end", "discarded", "stream", "status", "flags")
    FORMAT = ">QQQQQQQII"

    def __init__(self, data):
        self.__dict__.update(zip(self.FIELDS, struct.unpack(self.FORMAT, data)))

    def __bytes__(self):
        return struct.pack(self.FORMAT, *(getattr(self, name) for name in self.FIELDS))


def stay_silent(reader, _answer):
    """Until the reader has had enough."""
    with contextlib.suppress(OSError):
        while reader.recv(4096):
            pass
    raise Gone


def close(_reader, _answer):
    raise Gone


def reset(reader, _answer):
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raise Gone


def send_part_and_close(reader, answer):
    reader.sendall(answer[:len(answer) * 2 // 3])
    raise Gone


def send_part_and_stay_silent(reader, answer):
    reader.sendall(answer[:len(answer) * 2 // 3])
    stay_silent(reader, answer)


class Proxy:
    """`wrong` is {command: (which, what)}: of the answers to that command that have what was asked for, number `which` (from 1) goes wrong:
    `what` gets the connection to the reader and the answer, which it may send, change (what it returns is sent) or leave."""

    def __init__(self, port, wrong):
        self.port, self.wrong = port, wrong
        self.last = list(wrong)[-1]
        self.has_gone_wrong, self.has_attached = False, False
        self.seen = collections.Counter()
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen()
        self.address = f"net://127.0.0.1:{self.listener.getsockname()[1]}"

    def __enter__(self):
        threading.Thread(target=self.serve, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                reader, _ = self.listener.accept()
                threading.Thread(target=self.hand_on, args=(reader,), daemon=True).start()

    def hand_on(self, reader):
        with reader, socket.create_connection(("127.0.0.1", self.port)) as relay, contextlib.suppress(Gone, OSError):
            while True:
                head = receive(reader, 16)
                length, command, _ = struct.unpack(">QII", head)
                relay.sendall(head + receive(reader, length))
                answer = receive_answer(relay, command)
                which, what = self.wrong.get(command, (0, None))
                if which and self.has_content(command, answer):
                    self.seen[command] += 1
                    if self.seen[command] == which:
                        self.has_gone_wrong |= command == self.last
                        answer = what(reader, answer)
                reader.sendall(answer)
                self.has_attached |= command == ATTACH

    @staticmethod
    def has_content(command, answer):
        if command == NEXT_INDEX:
            return Index(answer).status == OK
        if command == PACKET:
            return struct.unpack_from(">I", answer)[0] == OK
        return command != METADATA or struct.unpack_from(">QI", answer) > (0, OK)


def garbage(_reader, answer):
    return os.urandom(len(answer))


def index_with(**fields):
    """The true index, but for these; a function is of the true one."""
    def change(_reader, answer):
        index = Index(answer)
        for name, value in fields.items():
            setattr(index, name, value(index) if callable(value) else value)
        return bytes(index)
    return change


def packet_of(length):
    """Claims so many bytes, and sends as many, as long as somebody takes them."""
    def send(reader, answer):
        reader.sendall(struct.pack(">III", OK, length, 0))
        stay_busy(reader, answer[12:], length)
    return send


def metadata_of(length):
    def send(reader, answer):
        reader.sendall(struct.pack(">QI", length, OK))
        stay_busy(reader, answer[12:], length)
    return send


def stay_busy(reader, bytes_, length):
    with contextlib.suppress(OSError):
        for _ in range(-(-length // len(bytes_))):
            reader.sendall(bytes_)
    raise Gone


def shorter(head, fraction):
    """An answer whose length is its first field and that is cut to a part, as if it had no more."""
    def cut(_reader, answer):
        content = answer[12:12 + int((len(answer) - 12) * fraction)]
        status, _, flags = struct.unpack(">III", answer[:12])
        return (struct.pack(">III", status, len(content), flags) if head == PACKET else struct.pack(">QI", len(content), OK)) + content
    return cut


def with_random_content(_reader, answer):
    return answer[:12] + os.urandom(len(answer) - 12)


def streams_of(count):
    """Claims so many streams, and sends copies of a made-up one."""
    def send(reader, _answer):
        reader.sendall(struct.pack(">II", OK, count))
        stay_busy(reader, struct.pack(">QQI", 4711, 1, 0) + b"x".ljust(STREAM_LENGTH - 20, b"\0"), count * STREAM_LENGTH)
    return send


def with_fields(made):
    """Metadata by which an event has these fields, in the same number of bytes."""
    def change(_reader, answer):
        fields = re.search(rb"fields := struct \{\s*(integer .*?_text;)\s*\};", answer, re.DOTALL)[1]
        return answer.replace(fields, made.encode().ljust(len(fields)))
    return change

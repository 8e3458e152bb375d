#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""chromium_trace_processor.py -q QUERY FILE: asks Perfetto's trace processor by the SQL in the file QUERY and prints the rows as CSV, as
`trace_processor_shell -q` does, which Debian does not have. The processor is the one that Chromium's tests use: Debian's package
chromium-shell has it as a library with a few C++ functions (base/test/test_trace_processor_impl.h in Chromium's sources). They
take and return libc++'s vectors and strings, whose bytes are put together here. TRACE_PROCESSOR_LIBRARY names another file."""
import csv
import ctypes
import os
import struct
import sys
from pathlib import Path

library = Path(os.environ.get("TRACE_PROCESSOR_LIBRARY", "/usr/lib/chromium/libtest_trace_processor.so"))
STRING = "NSt3__112basic_stringIcNS2_11char_traitsIcEENS2_9allocatorIcEEEE"
CLASS = "4base4test22TestTraceProcessorImpl"


def words(address, count):
    return struct.unpack(f"<{count}Q", ctypes.string_at(address, 8 * count))


def items(address, size):
    """Addresses of what is in a vector: {begin, end, end of what is allocated}."""
    begin, end, _ = words(address, 3)
    return range(begin, end, size)


def text_at(address):
    """{twice the size in a byte, up to 22 bytes} or, where that is odd, {size of what is allocated, size, address}."""
    first = ctypes.string_at(address, 1)[0]
    if first & 1:
        _, size, data = words(address, 3)
        return ctypes.string_at(data, size).decode(errors="replace")
    return ctypes.string_at(address + 1, first >> 1).decode(errors="replace")


class TraceProcessor:
    """What is returned is never freed: the process ends soon."""

    def __init__(self, data):
        self.code = ctypes.CDLL(str(library))
        self.object = ctypes.create_string_buffer(4096)  # much more than it is
        self.call(f"_ZN{CLASS}C1Ev", ctypes.addressof(self.object))
        copied = ctypes.create_string_buffer(data, len(data) + 1)
        begin = ctypes.addressof(copied)
        vector = struct.pack("<3Q", begin, begin + len(data), begin + len(data))
        status = self.returned(f"_ZN{CLASS}10ParseTraceERKNSt3__16vectorIcNS2_9allocatorIcEEEE", vector)
        if words(ctypes.addressof(status), 1)[0] != 1:  # absl::Status: 1 is OK, else an address
            raise SystemExit("trace processor: it cannot read the trace")

    def call(self, name, *addresses):
        function = getattr(self.code, name)
        function.argtypes, function.restype = [ctypes.c_void_p] * len(addresses), None
        function(*addresses)

    def returned(self, name, argument):
        """What a method returns, in memory that it is given as its first argument."""
        result, given = ctypes.create_string_buffer(1024), ctypes.create_string_buffer(argument, len(argument))
        self.call(name, ctypes.addressof(result), ctypes.addressof(self.object), ctypes.addressof(given))
        return result

    def ask(self, query):
        """The names of the columns, and the rows."""
        text = query.encode()
        kept = ctypes.create_string_buffer(text, len(text) + 32)
        string = struct.pack("<3Q", (len(text) + 32) & ~1 | 1, len(text), ctypes.addressof(kept))
        result = self.returned(f"_ZNK{CLASS}12ExecuteQueryERK{STRING}", string)
        begin = ctypes.addressof(result)
        error = text_at(begin + 24)
        if error:
            raise SystemExit(f"trace processor: {error}")
        return [[text_at(cell) for cell in items(row, 24)] for row in items(begin, 24)]


def main():
    if len(sys.argv) != 4 or sys.argv[1] != "-q":
        raise SystemExit(__doc__)
    processor = TraceProcessor(Path(sys.argv[3]).read_bytes())
    csv.writer(sys.stdout, lineterminator="\n").writerows(processor.ask(Path(sys.argv[2]).read_text()))
    sys.stdout.flush()
    os._exit(0)  # nothing of the library is to be destroyed


if __name__ == "__main__":
    main()

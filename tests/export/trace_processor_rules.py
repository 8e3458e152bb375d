# SPDX-License-Identifier: MIT
"""How Perfetto's trace processor reads Chrome's format, as far as our file goes: it has no package that a test could install. The rules are
those of its sources (json_trace_parser_impl.cc, trace_sorter.h, slice_tracker.cc, flow_tracker.cc): events before time 0 are dropped; at the
same time longer slices come first and all other events after them; a slice that leaves the one that it begins in is dropped; an arrow is
bound to the innermost slice of its thread that is open. arrows_of() gives what it would show, and what it would drop."""
import collections


def nanoseconds(number):
    """A time of the file: parse_float=str keeps its digits."""
    whole, _, part = str(number).partition(".")
    value = int(whole.lstrip("-") or 0) * 1000 + int(part.ljust(3, "0"))
    return -value if whole.startswith("-") else value


def number_of_flow(value):
    """A number is one; the digits of a text are hexadecimal."""
    return int(value, 16) if isinstance(value, str) else value


class Reader:
    def __init__(self):
        self.open_slices = collections.defaultdict(list)  # of a thread, the innermost last
        self.arrows, self.dropped, self.latest = [], [], {}

    def begin_slice(self, event, time, length):
        stack = self.open_slices[event["pid"], event["tid"]]
        while stack:
            end = stack[-1]["end"]
            if end is not None and (end < time or end == time and not (length == 0 and stack[-1]["begin"] == end)):
                stack.pop()
                continue
            if None not in (end, length) and time < end < time + length:
                self.dropped.append(f"slice_drop_overlapping_complete_event: {event} leaves {stack[-1]}")
                return False
            break
        stack.append({"begin": time, "end": None if length is None else time + length, "event": event})
        return True

    def bind(self, event, kind, flow):
        stack = self.open_slices[event["pid"], event["tid"]]
        if not stack:
            self.dropped.append(f"flow_no_enclosing_slice: {event}")
        elif kind == "s":
            if flow in self.latest:
                self.dropped.append(f"flow_duplicate_id: {event}")
            self.latest[flow] = stack[-1]["event"]
        elif flow not in self.latest:
            self.dropped.append(f"{'flow_step_without_start' if kind == 't' else 'flow_end_without_start'}: {event}")
        else:
            self.arrows.append((flow[1], self.latest[flow], stack[-1]["event"]))
            if kind == "t":
                self.latest[flow] = stack[-1]["event"]

    def read(self, event):
        time, kind = nanoseconds(event["ts"]), event["ph"]
        if time < 0:
            self.dropped.append(f"trace_sorter_negative_timestamp_dropped: {event}")
        elif kind in "XBi":
            length = {"X": nanoseconds(event.get("dur", 0)), "B": None, "i": 0}[kind]
            if self.begin_slice(event, time, length) and kind != "i" and "bind_id" in event:
                ways = event.get("flow_in", False), event.get("flow_out", False)
                if not any(ways):
                    self.dropped.append(f"flow_without_direction: {event}")
                self.bind(event, {(True, True): "t", (False, True): "s", (True, False): "f"}[ways], ("v2", number_of_flow(event["bind_id"])))
        elif kind in "stf":
            if kind == "f" and event.get("bp") != "e":
                self.dropped.append(f"bound to the slice after it: {event}")
            self.bind(event, kind, ((event["cat"], event["name"]), number_of_flow(event["id"])))


def arrows_of(events):
    """([(number of the arrow, event it comes from, event it goes to)], [what is dropped])"""
    key = lambda event: (nanoseconds(event["ts"]), -nanoseconds(event["dur"]) if event["ph"] == "X" else 1)  # sorted() keeps the file's order
    reader = Reader()
    for event in sorted((event for event in events if "ts" in event), key=key):
        reader.read(event)
    return reader.arrows, reader.dropped

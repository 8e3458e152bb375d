#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare_with_ftrace.py DIR [RECIPE...]: compares what the probes recorded of fired tracepoints (LTTng) with the kernel's
own record of the same calls (ftrace), field by field. DIR is what tests/vm/fire-in-guest left; plans/RECIPE.json says
what is expected beyond the kernel's fields. Prints TAP, one test per event of the recipes."""
import json
import re
import struct
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

here = Path(__file__).parent
tap = Tap()
check = tap.check
widths = {"char": 1, "bool": 1, "short": 2, "int": 4, "unsigned": 4, "long": 8, "s8": 1, "u8": 1, "s16": 2, "u16": 2, "s32": 4,
          "u32": 4, "s64": 8, "u64": 8, "size_t": 8, "uintptr_t": 8, "dma_addr_t": 8, "ktime_t": 8, "pid_t": 4}


# --- the kernel's record: format files and ring buffer pages


def width_of(type_name):
    """Bytes of one element of an array; the format file says the size of scalars only."""
    if type_name.endswith("*"):
        return 8
    words = [re.sub(r"^__|^uint(\d+)_t$", lambda match: f"u{match[1]}" if match[1] else "", word) for word in type_name.split()]
    words = [re.sub(r"^int(\d+)_t$", r"s\1", word) for word in words if word not in ("const", "signed", "volatile")]
    for word in ("char", "short", "long"):
        if word in words:
            return widths[word]
    known = [widths[word] for word in words if word in widths]
    if known:
        return known[-1]
    raise ValueError(f"elements of unknown size: {type_name}")


class Field:
    """One field of an event, as its format file declares it."""

    def __init__(self, declaration, offset, size, signed):
        self.offset, self.size, self.signed = int(offset), int(size), signed == "1"
        self.location = declaration.startswith(("__data_loc ", "__rel_loc ")) and declaration.split()[0]
        plain = declaration.removeprefix("__data_loc ").removeprefix("__rel_loc ")
        match = re.fullmatch(r"(.*?)\s*(\w+)(\[\w*\])?", plain) if not self.location else re.fullmatch(r"(.*?)\s*(\[\])\s*(\w+)", plain)
        self.name = match[3] if self.location else match[2]
        self.type = match[1].strip()
        self.is_array = bool(self.location or match[3])
        self.is_text = self.is_array and re.sub(r"\b(const|unsigned|signed) ", "", self.type) == "char"
        self.is_pointer = not self.is_array and self.type.endswith("*")

    def decode(self, record):
        begin, size = self.offset, self.size
        if self.location:
            (where,) = struct.unpack_from("<I", record, begin)
            begin, size = (where & 0xffff) + (begin + 4 if self.location == "__rel_loc" else 0), where >> 16
        data = record[begin:begin + size]
        if len(data) != size:
            raise ValueError("lies outside the record")
        if self.is_text:
            return data.split(b"\0")[0].decode(errors="backslashreplace")
        if self.is_array:
            width = width_of(self.type)
            return [int.from_bytes(data[i:i + width], "little", signed=self.signed) for i in range(0, size, width)]
        if size not in (1, 2, 4, 8):
            raise ValueError(f"is a {self.type} of {size} bytes, which is not compared")
        return int.from_bytes(data, "little", signed=self.signed)

    def bits(self):
        return 8 * (width_of(self.type) if self.is_array else self.size)


def read_format(path):
    text = path.read_text()
    fields = [Field(*match) for match in re.findall(r"field:(.*?);\s*offset:(\d+);\s*size:(\d+);\s*signed:(\d);", text)]
    return int(re.search(r"^ID: (\d+)$", text, re.MULTILINE)[1]), {field.name: field for field in fields}


def ring_buffer_records(path):
    """The records of a trace_pipe_raw (Documentation/trace/ring-buffer-design.rst, <linux/ring_buffer.h>)."""
    data = path.read_bytes()
    page = 4096
    for begin in range(0, len(data), page):
        _, commit = struct.unpack_from("<QQ", data, begin)
        if commit >> 31 & 1:
            raise ValueError(f"{path}: the kernel lost events")
        at, end = begin + 16, begin + 16 + (commit & 0xfffff)
        while at < end:
            (header,) = struct.unpack_from("<I", data, at)
            kind = header & 31
            if kind >= 30:  # time extend, time stamp
                at += 8
                continue
            (length,) = struct.unpack_from("<I", data, at + 4)
            if kind == 29:  # padding, or a discarded event
                at += 4 + (length if header >> 5 else end)
                continue
            if kind == 0:
                yield data[at + 8:at + 4 + length]
                at += 4 + length
            else:
                yield data[at + 4:at + 4 + 4 * kind]
                at += 4 + 4 * kind


def kernel_records(folder, pid):
    """Of each event the records of that process, oldest first."""
    formats = {}
    for path in (folder / "formats").iterdir():
        identity, fields = read_format(path)
        formats[identity] = (path.name, fields)
    records = defaultdict(list)
    for path in sorted(folder.glob("cpu*.raw")):
        for record in ring_buffer_records(path):
            (identity,) = struct.unpack_from("<H", record)
            if identity in formats and formats[identity][1]["common_pid"].decode(record) == pid:
                records[formats[identity][0]].append(record)
    return {name: fields for name, fields in formats.values()}, records


# --- LTTng's record: babeltrace2's text


class Text:
    """Values as babeltrace2 prints them: numbers, "text", { name = value }, [ [0] = value ], ( "enumerator" : container = n )."""

    token = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[{}\[\](),:=]|[^\s{}\[\](),:=]+)')
    escapes = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}

    def __init__(self, text):
        self.tokens = self.token.findall(text)
        self.at = 0

    def next(self, expected=None):
        token = self.tokens[self.at]
        self.at += 1
        if expected and token != expected:
            raise ValueError(f"babeltrace2 printed {token} where {expected} was expected")
        return token

    def value(self):
        token = self.next()
        if token == "{":
            return self.members("}")
        if token == "[":
            found = []
            while self.tokens[self.at] != "]":
                self.next("[")
                self.next()
                self.next("]")
                self.next("=")
                found.append(self.value())
                if self.tokens[self.at] == ",":
                    self.next()
            self.next("]")
            return found
        if token == "(":
            while self.tokens[self.at] != "container":
                self.next()
            self.next()
            self.next("=")
            found = self.value()
            self.next(")")
            return found
        if token.startswith('"'):
            return re.sub(r"\\(.)", lambda match: self.escapes.get(match[1], match[1]), token[1:-1])
        if re.fullmatch(r"0[0-7]+", token):
            return int(token, 8)
        return int(token, 0)

    def members(self, end):
        found = {}
        while self.tokens[self.at] != end:
            name = self.next()
            self.next("=")
            found[name] = self.value()
            if self.tokens[self.at] == ",":
                self.next()
        self.next(end)
        return found

    def groups(self):
        found = []
        while self.at < len(self.tokens):
            self.next("{")
            found.append(self.members("}"))
            if self.at < len(self.tokens):
                self.next(",")
        return found


def lttng_records(trace):
    """(tid, event) -> fields of each record, oldest first."""
    run = subprocess.run(["babeltrace2", "--no-delta", "--clock-seconds", trace], capture_output=True, text=True, errors="backslashreplace")
    if run.returncode or "discarded" in run.stderr:
        sys.exit(f"compare_with_ftrace.py: babeltrace2 ended with {run.returncode}:\n{run.stderr}")
    records = defaultdict(list)
    for line in run.stdout.splitlines():
        match = re.match(r"\[[^]]*\] (?:\S+ )?(\w+): (\{.*)", line)
        if not match:
            sys.exit(f"compare_with_ftrace.py: not understood: {line}")
        groups = Text(match[2]).groups()
        # The packet's context comes first, then the event's, then the fields; an event without fields has no third.
        contexts = [group for group in groups if "tid" in group]
        fields = groups[-1] if groups[-1] is not contexts[0] else {}
        lengths = [name for name in fields if re.fullmatch(r"_.*_length", name) and name[1:-7] in fields]
        for name in lengths:
            del fields[name]
        records[contexts[0]["tid"], match[1]].append(fields)
    return records


# --- the comparison


class Identities:
    """What the probes say in the place of pointers (modules/base/identity.h): one number for one pointer, in all events of all
    probes of a run, another one for another pointer, 0 for NULL, and never the address."""

    def __init__(self):
        self.of_pointer, self.pointer_of = {}, {}

    def problem(self, pointer, identity):
        if not isinstance(identity, int):
            return f"{identity!r} stands for a pointer"
        pointer, identity = pointer % 2 ** 64, identity % 2 ** 64
        if not pointer or not identity:
            return f"{identity:#x} stands for {pointer:#x}" if pointer or identity else ""
        if identity == pointer:
            return f"{identity:#x} is the address itself"
        before, owner = self.of_pointer.setdefault(pointer, identity), self.pointer_of.setdefault(identity, pointer)
        if before != identity:
            return f"{identity:#x} stands for a pointer that was {before:#x} before"
        return f"{identity:#x} stands for two pointers" if owner != pointer else ""


identities = Identities()

def same(left, right):
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(same(one, other) for one, other in zip(left, right))
    if isinstance(left, int) and isinstance(right, int):
        return (left - right) % 2 ** 64 == 0
    return type(left) is type(right) and left == right


def same_when_cut(kernel, recorded, bits):
    if isinstance(kernel, list) and isinstance(recorded, list):
        return len(kernel) == len(recorded) and all(same_when_cut(one, other, bits) for one, other in zip(kernel, recorded))
    return isinstance(kernel, int) and isinstance(recorded, int) and (kernel - recorded) % 2 ** bits == 0


def show(value):
    return f"{value} ({value % 2 ** 64:#x})" if isinstance(value, int) and abs(value) > 9 else repr(value)


class Address(int):
    """Of an object or of code, as the recipe expects it; the probe says an identity."""


class Firing:
    def __init__(self, result, expectations):
        self.pid = int(re.search(r"^pid (\d+)$", result, re.MULTILINE)[1])
        self.objects = {int(index): int(address, 16) for index, address in re.findall(r"^object (\d+) (\w+)$", result, re.MULTILINE)}
        self.symbols = {int(index): int(address, 16) for index, address in re.findall(r"^symbol (\d+) (\w+)$", result, re.MULTILINE)}
        self.outcomes = dict(re.findall(r"^firing (\d+) (.*)$", result, re.MULTILINE))
        self.plan = expectations["firings"]

    def resolve(self, expected):
        if isinstance(expected, list):
            return [self.resolve(item) for item in expected]
        if isinstance(expected, dict):
            return Address(self.symbols[expected["symbol"]] if "symbol" in expected else
                           self.objects[expected["object"]] + expected["addend"])
        return expected


def compare_record(event, fields, record, recorded, expect):
    """Problems of one firing: the kernel's record against the probe's fields."""
    problems = []
    known = set(expect)
    for field in fields.values():
        if field.name.startswith("common_"):
            continue
        name = event["renamed"].get(field.name, field.name)
        known.add(name)
        if field.name in event["omit"]:
            known.discard(name)
            continue
        if name not in recorded:
            problems.append(f"{name}: the kernel has it, the probe does not")
            continue
        try:
            kernel = field.decode(record)
        except ValueError as error:
            problems.append(f"{name}: {error}")
            continue
        value = recorded[name]
        if field.is_pointer and isinstance(value, int):
            problem = identities.problem(kernel, value)
            problems += [f"{name}: {problem}"] if problem else []
            continue
        if kernel == value and type(kernel) is type(value):
            continue
        if field.is_pointer and isinstance(value, str):
            if name not in expect:
                problems.append(f"{name}: the kernel has a pointer, the probe text: it needs an 'expect'")
        elif not same_when_cut(kernel, value, field.bits()):
            problems.append(f"{name}: the kernel says {show(kernel)}, the probe {show(value)}")
        elif name not in expect:
            problems.append(f"{name}: the kernel says {show(kernel)}, the probe {show(value)}: equal in {field.bits()} bits only, it needs "
                            f"an 'expect'")
    for name, value in expect.items():
        if name not in recorded:
            problems.append(f"{name}: expected, but the probe does not have it")
        elif isinstance(value, Address):
            problem = identities.problem(value, recorded[name])
            problems += [f"{name}: {problem}"] if problem else []
        elif not same(value, recorded[name]):
            problems.append(f"{name}: expected {show(value)}, the probe says {show(recorded[name])}")
    known.update(expect)
    problems += [f"{name}: the probe has it, the kernel does not, and nothing is expected" for name in recorded if name not in known]
    return problems


def compare_event(index, event, firing, formats, kernel, recorded, positions):
    """Problems of all firings of one event of the recipe, and a note on their extent."""
    mine = [i for i, planned in enumerate(firing.plan) if planned["event"] == index]
    problems = []
    if event["tracepoint"] not in formats:
        return [f"the kernel has no trace event {event['tracepoint']}"], ""
    for i in mine:
        outcome = firing.outcomes.get(str(i), "error not fired")
        if not outcome.startswith("ok "):
            problems.append(outcome.removeprefix("error "))
            continue
        at, at_recorded = positions[event["tracepoint"]], positions["lttng", event["event"]]
        positions[event["tracepoint"]] += 1
        positions["lttng", event["event"]] += 1
        if at >= len(kernel[event["tracepoint"]]):
            problems.append(f"firing {i}: the kernel recorded nothing")
        elif at_recorded >= len(recorded[event["event"]]):
            problems.append(f"firing {i}: the probe recorded nothing")
        else:
            expect = {name: firing.resolve(value) for name, value in firing.plan[i]["expect"].items()}
            found = compare_record(event, formats[event["tracepoint"]], kernel[event["tracepoint"]][at],
                                   recorded[event["event"]][at_recorded], expect)
            problems += [f"firing {i}: {problem}" for problem in found]
    fields = len(recorded[event["event"]][0]) if recorded[event["event"]] else 0
    return problems, f"{fields} fields × {len(mine)} firings"


def compare_recipe(folder, recipe, lttng, offered):
    plan = folder / "plans" / f"{recipe}.json"
    if not plan.exists():
        check(f"{recipe}", [f"the probe offers {name}" for name in offered if belongs(name, recipe)],
              skip="this kernel has no such module")
        return
    expectations = json.loads(plan.read_text())
    if expectations["repeat"] != 1:
        sys.exit(f"compare_with_ftrace.py: {recipe} was fired for measuring (--repeat), records cannot be paired")
    firing = Firing((folder / "out" / recipe / "result").read_text(), expectations)
    formats, kernel = kernel_records(folder / "out" / recipe, firing.pid)
    recorded = defaultdict(list, {event: records for (tid, event), records in lttng.items() if tid == firing.pid})
    positions = defaultdict(int)
    for index, event in enumerate(expectations["events"]):
        name, is_offered = event["event"], event["event"] in offered
        if not event["present"]:
            allowed = event["recreated"] or not is_offered
            check(f"{name}: absent", [] if allowed else ["the kernel has no such tracepoint, the probe offers the event"],
                  skip="made by the probe, not fired" if is_offered else "")
        elif not is_offered:
            check(name, ["the kernel has the tracepoint, the probe lacks the event"])
        else:
            problems, extent = compare_event(index, event, firing, formats, kernel, recorded, positions)
            check(f"{name}: {extent}", problems)
    compared = [event for event in expectations["events"] if event["present"] and event["event"] in offered]
    counts = [(event["tracepoint"], len(kernel[event["tracepoint"]]), positions[event["tracepoint"]]) for event in compared]
    counts += [(event["event"], len(recorded[event["event"]]), positions["lttng", event["event"]]) for event in compared]
    check(f"{recipe}: only fired events were recorded",
          sorted({f"{name}: {there} records of {fired} firings" for name, there, fired in counts if there != fired}))
    named = {event["event"] for event in expectations["events"]}
    check(f"{recipe}: the recipe has every event that the probe offers",
          [f"{name} is not in the recipe" for name in offered if belongs(name, recipe) and name not in named])


def belongs(event, recipe):
    """Recipes are called as providers are, and the longest name wins: amdgpu_device_rreg is not of amdgpu."""
    names = [path.stem for path in here.glob("*.fire")] + [recipe]
    return max((name for name in names if event.startswith(name + "_")), key=len, default=None) == recipe


def looks_random(numbers):
    """Whether the upper 16 bits differ as often as those of random numbers; those of pointers are all ones."""
    return len({number >> 48 for number in numbers}) > 0.9 * len(numbers) > 9


def main():
    folder = Path(sys.argv[1])
    every = sorted(path.stem for path in here.glob("*.fire"))
    recipes = sys.argv[2:] or every
    offered = (folder / "out" / "offered").read_text().split()
    lttng = lttng_records(folder / "out" / "trace")
    for recipe in recipes:
        compare_recipe(folder, recipe, lttng, offered)
    if set(recipes) >= set(every):
        check(f"{len(identities.of_pointer)} pointers have an identity of their own, which says nothing of them",
              [] if looks_random(identities.pointer_of) else ["their upper halves are alike"])
        check("every event of every probe belongs to a recipe",
              [name for name in offered if not any(belongs(name, recipe) for recipe in every)])
    sys.exit(tap.finish())


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_trace_compass.py BUILD: the analyses for Trace Compass. Their elements are those of its schema (xmlDefinition.xsd, or all of it by
xmllint where TRACE_COMPASS_SCHEMA names the file), their events exist, and what they do with an exported golden trace, as an
interpreter of the few elements shows, are the depths that `lttng-gpu jobs` has. Prints TAP."""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

here = Path(__file__).resolve().parent
top = here.parents[1]
sys.path.insert(0, str(here.parent))
from tap import Tap

build = Path(sys.argv[1]).resolve()
lttng_gpu = build / "lttng-gpu"
analyses = top / "userspace/export/tracecompass/lttng-gpu.xml"
tap = Tap()
root = xml.parse(analyses).getroot()
# {element: (attributes that it must have, others that it may have, its children in their order)}; from Trace Compass's
# xmlDefinition.xsd, xmlStateProvider.xsd, xmlView.xsd and xmlCommon.xsd: those elements that are used here.
ATTRIBUTE = ({"type"}, {"value"}, ["stateAttribute"])
ELEMENTS = {
    "tmfxml": (set(), {"{http://www.w3.org/2001/XMLSchema-instance}noNamespaceSchemaLocation"},
               ["timeGraphView", "xyView", "stateProvider"]),
    "timeGraphView": ({"id"}, set(), ["head", "definedValue", "entry"]), "xyView": ({"id"}, set(), ["head", "entry"]),
    "stateProvider": ({"id", "version"}, set(), ["head", "definedValue", "location", "eventHandler"]),
    "head": (set(), set(), ["analysis", "traceType", "label"]), "analysis": ({"id"}, set(), []), "traceType": ({"id"}, set(), []),
    "label": ({"value"}, set(), []), "entry": ({"path"}, set(), ["display", "id", "parent", "name", "entry"]),
    "display": ATTRIBUTE, "name": ATTRIBUTE, "stateAttribute": ATTRIBUTE, "location": ({"id"}, set(), ["stateAttribute"]),
    "eventHandler": ({"eventName"}, set(), ["stateChange"]),
    "stateChange": (set(), set(), ["if", "then", "else", "stateAttribute", "stateValue"]),
    "if": (set(), set(), ["condition"]), "condition": (set(), {"operator"}, ["stateAttribute", "stateValue"]),
    "stateValue": ({"type"}, {"value", "increment", "stack"}, ["stateAttribute"]),
}
ELEMENTS["then"] = ELEMENTS["else"] = ELEMENTS["stateChange"]
TYPES = {"stateAttribute": {"constant", "eventField", "location", "query"}, "display": {"constant", "self"}, "name": {"constant", "self"},
         "stateValue": {"null", "int", "string", "eventField"}}


def structure(element, path=""):
    path = f"{path}/{element.tag}"
    if element.tag not in ELEMENTS:
        return [f"{path}: not in the schema"]
    needed, others, children = ELEMENTS[element.tag]
    problems = [f"{path}: attributes {sorted(element.attrib)}"] if not needed <= set(element.attrib) <= needed | others else []
    order = [children.index(child.tag) if child.tag in children else -1 for child in element]
    problems += [f"{path}: children {[child.tag for child in element]}"] if -1 in order or element.tag != "tmfxml" and order != sorted(order) else []
    problems += [f"{path}: type {element.get('type')}"] if element.get("type") not in TYPES.get(element.tag, {element.get("type")}) else []
    return problems + [problem for child in element for problem in structure(child, path)]


def check_file():
    tap.check("the elements and attributes are those of the schema", structure(root))
    schema = os.environ.get("TRACE_COMPASS_SCHEMA")
    if schema:
        result = subprocess.run(["xmllint", "--noout", "--schema", schema, analyses], capture_output=True, text=True)
        tap.check("xmllint agrees", [result.stderr] if result.returncode else [])
    providers = {provider.get("id") for provider in root.iter("stateProvider")}
    used = {analysis.get("id") for analysis in root.iter("analysis")}
    tap.check_that("each view is of an analysis, and each analysis has a view", providers == used, (providers, used))
    defined = (top / "instrumentation/events/lttng_gpu_opencl.h").read_text()
    names = [handler.get("eventName") for handler in root.iter("eventHandler")]
    written = set(re.findall(r'"(lttng_gpu_device:\w+)"', (top / "userspace/export/device_stream.cpp").read_text()))
    # Those have no state: a line of text or a sum is what is wanted of them.
    written -= {"lttng_gpu_device:kernel_record", "lttng_gpu_device:kernel_location"}
    tap.check("the events exist",
              [name for name in names if name.startswith("lttng_gpu_opencl:") and not re.search(rf"\b{name.split(':')[1]}\b", defined)] +
              sorted(written ^ {name for name in names if name.startswith("lttng_gpu_device:")}))


class StateSystem:
    """What a stateProvider's elements mean, as far as they are used."""

    def __init__(self, provider):
        self.locations = {location.get("id"): list(location) for location in provider.iter("location")}
        self.handlers = {handler.get("eventName"): list(handler) for handler in provider.iter("eventHandler")}
        self.state, self.stacks = {}, collections.defaultdict(list)

    def path(self, attributes, event):
        names = []
        for attribute in attributes:
            kind, value = attribute.get("type"), attribute.get("value")
            names += self.path(self.locations[value], event) if kind == "location" else [event[value] if kind == "eventField" else value]
        return tuple(names)

    def value(self, element, event):
        if element.get("stack") == "peek":
            stack = self.stacks[self.path(element.findall("stateAttribute"), event)]
            return stack[-1] if stack else None
        kind, value = element.get("type"), element.get("value")
        return {"int": lambda: int(value), "eventField": lambda: event[value], "string": lambda: value, "null": lambda: None}[kind]()

    def holds(self, condition, event):
        attributes, values = condition.findall("stateAttribute"), condition.findall("stateValue")
        left = self.state.get(self.path(attributes, event)) if attributes else self.value(values[0], event)
        right = self.value(values[-1], event)
        if condition.get("operator") == "gt":
            return left is not None and left > right
        return left == right

    def change(self, element, event):
        if element.find("if") is not None:
            branch = element.find("then" if self.holds(element.find("if/condition"), event) else "else")
            if branch is not None:
                self.change(branch, event)
            return
        path, target = self.path(element.findall("stateAttribute"), event), element.find("stateValue")
        if target.get("stack") == "push":
            self.stacks[path].append(self.value(target, event))
        elif target.get("stack") == "pop":
            self.stacks[path].pop()
        elif target.get("increment"):
            self.state[path] = (self.state.get(path) or 0) + self.value(target, event)
        else:
            self.state[path] = self.value(target, event)

    def on_event(self, name, event):
        for change in self.handlers.get(name, []):
            self.change(change, event)


def events_of(trace):
    lines = subprocess.run(["babeltrace2", "--clock-seconds", "--no-delta", trace], capture_output=True, text=True,
                           timeout=300).stdout.splitlines()
    for line in lines:
        found = re.match(r"\[(\d+)\.(\d+)\] (?:\S+ )*?(lttng_gpu_device:\w+): .*?(\{.*\})$", line)
        if found:
            fields = {name: text if number == "" else int(number)
                      for name, text, number in re.findall(r'(\w+) = (?:"(.*?)"|(-?\d+))', found[4])}
            yield int(found[1]) * 10**9 + int(found[2]), found[3], fields


def expected_depths(trace):
    """{(device, ring, queue): {time: depth after it}}"""
    jobs = json.loads(subprocess.run([lttng_gpu, "jobs", "--format", "json", trace], capture_output=True, text=True, timeout=300).stdout)
    steps = collections.defaultdict(collections.Counter)
    for job in jobs:
        queues = [("host queue", job["queued_ns"], job["submitted_ns"]), ("on device", job["submitted_ns"], job["completed_ns"])]
        if all(other["started_ns"] for other in jobs if (other["device"], other["ring"]) == (job["device"], job["ring"])):
            queues += [("device queue", job["submitted_ns"], job["started_ns"]), ("execution", job["started_ns"], job["completed_ns"])]
        for queue, begin, end in queues:
            if begin and end:
                steps[job["device"] or "", job["ring"], queue][begin] += 1
                steps[job["device"] or "", job["ring"], queue][end] -= 1
    depths = {}
    for key, changes in steps.items():
        depth, depths[key] = 0, {}
        for time, change in sorted(changes.items()):
            depth += change
            depths[key][time] = depth
    return depths


def check_depths(name, folder):
    trace, output = here.parent / "golden" / name / "kernel", folder / name
    subprocess.run([lttng_gpu, "export", "--to", "ctf", trace, "-o", output], check=True, capture_output=True, timeout=300)
    system = StateSystem(root.find("stateProvider[@id='lttng.gpu.jobs']"))
    got = collections.defaultdict(dict)
    for time, event, fields in events_of(output):
        system.on_event(event, fields)
        for queue in ("host queue", "device queue", "execution", "on device"):
            got[fields["device"], fields["ring"], queue][time] = system.state.get(("Rings", fields["device"], fields["ring"], queue), 0)
    problems = [f"{key}: {time}: {got[key].get(time)} instead of {depth}" for key, depths in expected_depths(trace).items()
                for time, depth in depths.items() if got[key].get(time) != depth]
    busy = [path for path, value in system.state.items() if path[-1] == "running" and value is not None]
    tap.check(f"{name}: depths over time", problems + [f"still running at the end: {busy}"] * bool(busy) + ["no events"] * (not got))


def check_calls():
    system = StateSystem(root.find("stateProvider[@id='lttng.gpu.api']"))
    told = lambda name, function: system.on_event(f"lttng_gpu_opencl:{name}", {"context._vtid": 7, "function": function})
    stack = system.stacks["Threads", 7, "calls"]
    seen = []
    for name, function in (("call_begin", "clFinish"), ("call", "clGetEventInfo"), ("call_begin", "clWaitForEvents"),
                           ("call", "clWaitForEvents"), ("call", "clFinish")):
        told(name, function)
        seen.append(list(stack))
    tap.check_that("calls are a stack", seen == [["clFinish"], ["clFinish"], ["clFinish", "clWaitForEvents"], ["clFinish"], []], seen)


def check_kernels(folder):
    trace, output = folder / "launches", folder / "launches-exported"
    trace.mkdir()
    subprocess.run([build / "device-launches-trace", trace], check=True)
    subprocess.run([lttng_gpu, "export", "--to", "ctf", trace, "-o", output], check=True, capture_output=True, timeout=300)
    told = json.loads(subprocess.run([lttng_gpu, "device", "--format", "json", trace], capture_output=True, text=True, timeout=300).stdout)
    system, most, least = StateSystem(root.find("stateProvider[@id='lttng.gpu.kernels']")), collections.Counter(), 0
    for time, event, fields in events_of(output):
        system.on_event(event, fields)
        for device in {path[1] for path in system.state}:
            resident = [value for path, value in system.state.items() if path[:2] == ("Multiprocessors", device)]
            most[device], least = max(most[device], sum(resident)), min([least, *resident])
    expected = {timer["device"]: max(launch["device"]["warps_most"] for launch in told["launches"] if launch["device"] and
                                     (launch["kernel"] == "odd") == (timer["device"] == 8)) for timer in told["timers"]}
    kernels = {path[2] for path in system.state if path[0] == "Kernels"}
    tap.check_that("warps of multiprocessors and launches of kernels over time",
                   most == expected and least == 0 and kernels == {"rows", "items", "odd"} and
                   not any(system.state.values()), (most, expected, least, kernels, system.state))


check_file()
with tempfile.TemporaryDirectory(prefix="lttng-gpu-trace-compass-") as place:
    for case in ("linux-6.12", "linux-7.2"):
        check_depths(case, Path(place))
    check_kernels(Path(place))
check_calls()
sys.exit(tap.finish())

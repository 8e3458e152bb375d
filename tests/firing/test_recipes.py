#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_recipes.py FIRE_PLAN: the grammar of recipes, against a small C file with BTF (gcc -gbtf). Prints TAP."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

kernel = """
typedef unsigned int u32;
typedef unsigned long long u64;
struct list { struct list *next; };
struct device { const char *name; char tag[8]; };
struct fence { u64 seqno; int error; };
struct driver_fence { long first; struct fence base; struct device *device; };
struct job { struct { short kind; }; unsigned flag : 3; _Bool urgent; struct list list; struct fence *fence; void *data; u32 sizes[3]; };
typedef void (*btf_trace_job_run)(void *, struct job *, u32);
struct job job; struct driver_fence driver_fence; btf_trace_job_run run;
"""
tap = Tap()
check = tap.check_that


def plan(folder, text):
    (folder / "test.fire").write_text(text)
    run = subprocess.run([sys.argv[1], "--kernel", folder / "kernel.o", "--firings", "2", "-o", folder / "plan", folder / "test.fire"],
                         capture_output=True, text=True)
    return run.stderr, json.loads((folder / "plan.json").read_text()) if run.returncode == 0 else None


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    (folder / "kernel.c").write_text(kernel)
    subprocess.run(["gcc", "-gbtf", "-c", "-o", folder / "kernel.o", folder / "kernel.c"], check=True)

    error, facts = plan(folder, """
kernel
fire job_run as gpu_job_run # with a comment
args job count
args job
job.kind = -2
job.flag = 5
job.fence = &driver_fence.base
within job.fence driver_fence outer
outer.device.name = "a # b"
outer.device.tag = "tag"
outer.first = 0x7fffffffffffffff
job.data = symbol some:where
job.list.next = &job.list
job.sizes[2] = 7
?job.gone = 1
count = 9
expect kind = job.kind
expect flag = job.flag
expect device = job.fence.seqno
expect name = outer.device.name
expect tag = outer.device.tag
expect first = outer.first
expect data = job.data
expect list = &job.list
expect next = job.list.next
expect sizes = job.sizes
expect count = count
expect number = -3
?expect gone = job.gone
if driver_fence.device expect there = 1
unless driver_fence.device expect not_there = 1
renamed old new it is clearer
omit garbage never set
fire job_absent
args job
""")
    firing = (facts or {"firings": [{"expect": {}}]})["firings"][0]["expect"]
    check("a recipe is understood", facts, error)
    check("numbers, bit fields, texts and arguments are what was set",
          {"kind": -2, "flag": 5, "name": "a # b", "tag": "tag", "first": 2**63 - 1, "count": 9, "number": -3}.items() <= firing.items(),
          firing)
    check("a pointer back to its own object is that object",
          firing.get("list") == firing.get("next") and "object" in firing.get("next", {}), firing)
    check("a symbol is resolved in the guest", firing.get("data") == {"symbol": 0} and facts["symbols"] == ["some:where"], firing)
    check("an array is a list", len(firing.get("sizes", [])) == 3 and firing["sizes"][2] == 7, firing)
    check("'?', if and unless leave out what this kernel does not have",
          "gone" not in firing and "there" in firing and "not_there" not in firing, firing)
    check("an absent tracepoint is reported", facts and [event["present"] for event in facts["events"]] == [True, False], facts)
    check("firings differ in what is random", facts and len({item["expect"]["device"] for item in facts["firings"]}) == 2, facts)
    check("omit and renamed are kept", facts and facts["events"][0]["omit"] == {"garbage": "never set"} and
          facts["events"][0]["renamed"] == {"old": "new"}, facts)

    for words, line, complaint in [
            ("an unknown statement", "job.kind := 3", "line 4: not understood: job.kind := 3"),
            ("an invalid value", "job.kind = three", "line 4: not a value: three"),
            ("a missing member without '?'", "job.gone = 1", "line 4: struct job has no member gone"),
            ("a number that does not fit", "job.flag = 8", "line 4: 8 does not fit in 3 bits"),
            ("a text that does not fit", 'job.fence = &driver_fence.base\nwithin job.fence driver_fence f\nf.device.tag = "too long"',
             "line 6: the text does not fit"),
            ("an unknown name", "ring.kind = 1", "line 4: nothing is called ring"),
            ("a path through null", "job.fence = null\njob.fence.seqno = 1", "line 5: the path goes through a pointer that is null"),
            ("an index beyond the array", "job.sizes[3] = 1", "line 4: [3] is beyond the array"),
            ("a pointer to void without a structure", "job.data", "line 4: a pointer to void needs '= &STRUCT'"),
            ("within another structure", "within job.fence driver_fence f", "line 4: that is not within a fresh struct driver_fence")]:
        error, facts = plan(folder, f"kernel\nfire job_run\nargs job count\n{line}\n")
        check(f"{words} is an error with its line", complaint in error and not facts, error)
    error, _ = plan(folder, "kernel\nfire job_run\nargs job\n")
    check("the wrong number of arguments is an error", "takes 2 arguments, for which there is no args line" in error, error)
sys.exit(tap.finish())

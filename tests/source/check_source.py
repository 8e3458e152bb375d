#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What every file of the tree keeps to: licence, formatting, layering, one place for kernel differences. Prints TAP."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

top = Path(__file__).resolve().parents[2]
listing = subprocess.run(["git", "-C", top, "ls-files", "--cached", "--others", "--exclude-standard"], capture_output=True, text=True)
files = [path for path in map(top.joinpath, listing.stdout.split("\n")) if path.is_file()]
tap = Tap()
check = tap.check


def read(path):
    return path.read_text(errors="replace")


def relative(path):
    return str(path.relative_to(top))


sources = [path for path in files if path.suffix in (".c", ".h", ".cpp", ".hpp", ".py", ".sh", ".mk", ".layout", ".fire") or
           path.name in ("Kbuild", "Makefile") or (path.suffix == "" and read(path).startswith("#!"))]
check("the tree has sources", [] if len(sources) > 20 else ["git lists none"])
dep5 = read(top / ".reuse/dep5")
data = re.compile("|".join(re.escape(glob).replace(r"\*", "[^/]*")
                           for glob in " ".join(re.findall(r"^Files: (.*)", dep5, re.MULTILINE)).split()))
check("every file names its licence, or .reuse/dep5 does",
      [relative(path) for path in files if "SPDX-License-Identifier: " not in read(path)[:300]
       and not relative(path).startswith("LICENSES/")
       and path != top / ".reuse/dep5" and not data.fullmatch(relative(path))])
kernel = [path for path in sources
          if re.match(r"(modules/(?:base|probes)|instrumentation|tests/\w+/driver|tests/rebuilt/source|bench/probes/(?:driver|bpf)|tests/i915-selftest)/", relative(path)) and
          path.suffix in (".c", ".h") and not path.name.startswith("lttng_gpu_")]  # those are of user space
check("what runs in the kernel is GPL-2.0-only, the rest MIT",
      [relative(path) for path in sources if path.suffix in (".c", ".h", ".cpp", ".hpp") and
       ("GPL-2.0-only" in read(path)[:100]) != (path in kernel) and not path.name.endswith("_uapi.h")])
check("kernel differences are tested by facts, never by version",
      [relative(path) for path in kernel if re.search(r"\b(LINUX_VERSION_CODE|KERNEL_VERSION)\b", read(path))])


def shown_pointers(text):
    """Fields of events that show a kernel pointer as it is: modules/base/identity.h says what stands in its place."""
    text = text.replace("\\\n", " ")
    arguments = set(re.findall(r"\*\s*(\w+)", " ".join(re.findall(r"TP_PROTO\((.*?)\),?\s*(?:TP_ARGS|$)", text, re.DOTALL))))
    fields = re.findall(r"\bctf_integer(?:_hex)?\(\s*([^,]+?),\s*(\w+),\s*((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*)\)", text)
    return [name for kind, name, value in fields
            if "*" in kind or value.strip() in arguments or re.match(r"\((unsigned long|uintptr_t|u64)\)\s*\w+$", value.strip()) and
            value.split(")")[-1].strip() in arguments or re.match(r"gpu_field\(.*\*\s*\)$", value.strip(), re.DOTALL)]


check("no event shows a kernel address",
      [f"{relative(path)}: {name}" for path in kernel if path.parent.name == "events" for name in shown_pointers(read(path))] +
      ([] if shown_pointers("TP_PROTO(void *caller), TP_ARGS(caller) ctf_integer_hex(u64, c, (unsigned long)caller) ctf_integer_hex(u64, "
                            "d, caller) "
                            "ctf_integer_hex(u64, e, gpu_field(a, b, c, struct x *)) ctf_integer_hex(u64, f, "
                            "gpu_identity(caller))") == ["c", "d", "e"]
       else ["the check sees none that does"]))

# What flows where: a folder includes itself and folders before it in this list only. Those of one line do not know each other.
flow = [["instrumentation"], ["instrumentation/events"], ["modules/base"], ["modules/probes", "modules/layout"],
        ["userspace"], ["userspace/instrument/header"], ["userspace/instrument"], ["userspace/preload/runtime"], ["userspace/preload/*"],
        ["userspace/preload/device"],
        ["userspace/correlate/base"], ["userspace/correlate/trace"], ["userspace/correlate/trace/ctf/metadata"],
        ["userspace/correlate/trace/bt2", "userspace/correlate/trace/ctf",
         "userspace/correlate/trace/ftrace"], ["userspace/correlate/trace/perfetto"], ["userspace/correlate/trace/open"],
        ["userspace/correlate/clocks", "userspace/correlate/rings", "userspace/correlate/system"], ["userspace/correlate/coverage"],
        ["userspace/correlate/jobs"], ["userspace/correlate/calls"], ["userspace/correlate/drivers"],
        ["userspace/correlate/report"], ["userspace/correlate/diagnose", "userspace/correlate/device"], ["userspace/correlate/run"],
        ["userspace/babeltrace2-plugin"],
        ["userspace/export", "userspace/doctor", "userspace/view"], ["userspace/export/jobs"], ["userspace/record"], ["userspace/cli"]]
step_of = {folder: step for step, folders in enumerate(flow) for folder in folders}


def step(folder):
    return step_of.get(folder, step_of.get(str(Path(folder).parent / "*")))


def included_files(path):
    for name in re.findall(r'^\s*#\s*include "(.*?)"', read(path), re.MULTILINE):
        for folder in (path.parent, top / "userspace/correlate", top / "userspace", top, top / "userspace/preload"):
            found = (folder / name).resolve()
            if found.is_file():
                yield relative(found.parent)
                break


headers = [path for path in sources if path.suffix in (".c", ".h", ".cpp", ".hpp") and
           re.match("(userspace|instrumentation|modules)/", relative(path))]
check("every folder of code has its place in the flow of data",
      sorted({relative(path.parent) for path in headers if step(relative(path.parent)) is None}))
check("no folder includes one that comes after it",
      [f"{relative(path)} includes {other}/" for path in headers for other in included_files(path)
       if other != relative(path.parent) and None not in (step(other), step(relative(path.parent))) and
       step(other) >= step(relative(path.parent))])

# One list of APIs; what cannot be derived from it must be there.
apis = re.findall(r"^LTTNG_GPU_API\((\w+),", read(top / "userspace/apis.def"), re.MULTILINE)
check("the list of APIs has some", [] if apis else ["userspace/apis.def has none"])
check("every API has its layer, its events, its file in the correlator and its package, and only those in the list do",
      [f"{api}: {name}" for api in apis for name in (
          f"userspace/preload/{api}/api.mk", f"userspace/preload/{api}/generate.py", f"userspace/preload/{api}/functions.toml",
          f"instrumentation/events/lttng_gpu_{api}.h", f"userspace/correlate/drivers/{api}.cpp",
          f"packaging/debian/lttng-gpu-{api}.install") if not (top / name).is_file()] +
      [f"{api}: no package in packaging/debian/control" for api in apis
       if f"Package: lttng-gpu-{api}\n" not in read(top / "packaging/debian/control")] +
      [relative(path) for path in files if path.name == "api.mk" and path.parent.name not in apis])

named = {relative(path): re.findall(r"\]\((?!https?:|#)([^)#\s]+)", read(path)) for path in files if path.suffix == ".md"}
check("every file that a document links to exists",
      [f"{document}: {target}" for document, targets in named.items() for target in targets
       if not (top / document).parent.joinpath(target).exists()])

# Drivers: the catalogue has all, and only, what there are files of, and the documentation's table has them, too.
catalogue = read(top / "instrumentation/drivers.h")
entries = re.findall(r"^\t(?:driver|registers)\((\w+), (\w+)", catalogue, re.MULTILINE)
check("the catalogue of drivers has entries", [] if len(entries) > 5 else ["it is not understood"])
needed = {f"modules/layout/{provider}.layout" for _, provider in entries}
check("each probe's files are there, and no others",
      sorted(needed ^ {relative(path) for path in files if path.suffix == ".layout" and path.parent == top / "modules/layout"}) +
      sorted({f"modules/probes/lttng-probe-gpu-{probe.replace('_', '-')}.c" for probe, _ in entries} ^
             {relative(path) for path in files if re.match("lttng-probe-gpu-.*c", path.name)}) +
      sorted({f"{folder}/{provider}.{ending}" for _, provider in entries
              for folder, ending in (("instrumentation/events", "h"), ("tests/firing", "fire"))} -
             {relative(path) for path in files}))
modules = dict(re.findall(r'^\tdriver\(\w+, (\w+), "(\w*)"', catalogue, re.MULTILINE))
check("layouts are of the modules that the catalogue names",
      [f"{provider}: {module or 'the kernel image'}" for provider, module in modules.items()
       if module != "".join(re.findall(r"^module (\S+)", read(top / f"modules/layout/{provider}.layout"), re.MULTILINE)).replace("-", "_")])
rows = [line for path in files if path.suffix == ".md" for line in read(path).splitlines() if line.startswith("|")]
check("the documentation's table of events has each provider",
      [provider for _, provider in entries if not any(re.search(rf"\| .*`{provider}`.* \|", row) for row in rows)])

if shutil.which("clang-format"):
    formatted = [path for path in sources if path.suffix in (".cpp", ".hpp")]
    run = subprocess.run(["clang-format", "--dry-run", "-Werror", *formatted], capture_output=True, text=True, cwd=top)
    check("C++ is formatted by .clang-format", run.stderr.splitlines())
sys.exit(tap.finish())

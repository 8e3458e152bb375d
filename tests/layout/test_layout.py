#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_layout.py BTF_LAYOUT: the generator of layout headers against a small C file with BTF (gcc -gbtf). Prints TAP."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

here = Path(__file__).parent
tap = Tap()
check = tap.check_that


def generate(folder, kernel_source, layout_text):
    (folder / "kernel.c").write_text(kernel_source)
    (folder / "test.layout").write_text(layout_text)
    subprocess.run(["gcc", "-gbtf", "-c", "-o", folder / "kernel.o", folder / "kernel.c"], check=True)
    run = subprocess.run([sys.argv[1], "--kernel", folder / "kernel.o", "--release", "1.2.3", "-o", folder / "test.h",
                          folder / "test.layout"], capture_output=True, text=True)
    header = (folder / "test.h").read_text() if run.returncode == 0 else ""
    return run, dict(re.findall(r"^#define (\w+) (.*?)(?: /\*.*)?$", header, re.MULTILINE))


def compiles(folder, handler, register, word="unsigned long long"):
    """Whether the compiler takes a handler with that register and word for the type that was written."""
    (folder / "handler.c").write_text(f"""
        typedef struct {{ unsigned int reg; }} register_t;
        struct other {{ unsigned int reg; }};
        enum ring_kind {{ RING_GFX = 3, RING_COMPUTE = -2 }};
        void handler(void *, _Bool, {register}, {word}, const unsigned int *, enum ring_kind);
        _Static_assert(__builtin_types_compatible_p(typeof(handler), {handler}), "");""")
    return subprocess.run(["gcc", "-fsyntax-only", folder / "handler.c"], capture_output=True).returncode == 0


def hash_of(kernel):
    """As modules/base/kernel_types.c has it."""
    btf = Path(f"{kernel}.btf")
    subprocess.run(["objcopy", "-O", "binary", "--only-section=.BTF", "--set-section-flags", ".BTF=alloc", kernel, btf], check=True)
    types, value = btf.read_bytes(), 0xcbf29ce484222325
    for begin in range(0, len(types), 8):
        value = (value ^ int.from_bytes(types[begin:begin + 8], "little")) * 0x100000001b3 % 2**64
    return f"{value:016x}"


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    source, layout = (here / "kernel.c").read_text(), (here / "expectations.layout").read_text()
    run, facts = generate(folder, source, layout)
    check("an expected tracepoint is there", facts.get("GPU_TRACEPOINT_job_queue") == "1", run.stderr)
    check("the second known prototype is recognised", facts.get("GPU_TRACEPOINT_job_run") == "2", facts)
    check("a changed prototype is left out", "GPU_TRACEPOINT_job_done" not in facts, facts)
    check("and reported with both prototypes", "left out job_done: its prototype is (struct job *, const char *), the probe knows "
          "(struct job *, u32)" in run.stderr, run.stderr)
    check("an absent tracepoint is left out and reported", "left out job_free: this kernel has no such tracepoint" in run.stderr,
          run.stderr)
    check("modinfo has what was left out", facts.get("GPU_LEFT_OUT") == '"job_done job_free job_run_changed_field job_in job_out job_wait"',
          facts)
    check("a function is found, another is not", facts.get("GPU_FUNCTION_job_name") == "1" and "GPU_FUNCTION_job_gone" not in facts, facts)
    check("an event without a tracepoint is recreated from a function", facts.get("GPU_RECREATED_job_submit") == "2" and
          "job_submit" not in run.stderr, run.stderr)
    check("a tracepoint is preferred to a recreated event", "GPU_RECREATED_job_queue" not in facts and "job_queue" not in run.stderr,
          run.stderr)
    check("what cannot be hooked is reported", "left out job_in: this kernel has no function dequeue to hook" in run.stderr and
          "left out job_out: its prototype is (struct job *, enum ring_kind), the probe knows (struct job *)" in run.stderr, run.stderr)
    check("an event that needs another function is left out and says which",
          "left out job_wait: this kernel has no function job_lost" in run.stderr, run.stderr)
    check("a group is there when nothing of it is missing", "GPU_GROUP_kinds" in facts and "GPU_GROUP_both_hooks" not in facts, facts)
    check("an unnamed structure goes by its typedef", facts.get("GPU_OFFSET_register_t_reg") == "0" and
          facts.get("GPU_SIZE_register_t") == "4", facts)
    check("a size and an enumerator are the compiler's",
          facts.get("GPU_SIZE_job") == "32" and facts.get("GPU_CONSTANT_RING_COMPUTE") == "-2", facts)
    offsets = {"GPU_OFFSET_job_credits": "4", "GPU_OFFSET_job_device": "8", "GPU_OFFSET_job_queue_count": "20",
               "GPU_OFFSET_job_budget": "4"}
    check("offsets are the compiler's, through anonymous and nested members and alternatives",
          offsets.items() <= facts.items(), facts)
    check("a field of another type, a bit field and a missing field have no offset",
          not {"GPU_OFFSET_job_queue_lock", "GPU_OFFSET_job_flag", "GPU_OFFSET_job_missing"} & facts.keys(), facts)

    # What kCFI compares: widths and signs, and no typedef but that of an unnamed structure.
    handler = "void(void *, _Bool, register_t, long long unsigned int, const unsigned int *, enum ring_kind)"
    check("the type of a handler has its typedefs resolved", facts.get("GPU_HANDLER_job_register") == handler, facts)
    check("it is the compiler's type, and another width, sign or name of the register is another one",
          [compiles(folder, handler, register) for register in ("register_t", "unsigned int", "struct other")] == [True, False, False] and
          not compiles(folder, handler, "register_t", "unsigned int") and not compiles(folder, handler, "register_t", "long long int"))
    kernel_hash = facts.get("GPU_KERNEL_TYPES")
    _, facts = generate(folder, source.replace("typedef unsigned int u32", "typedef unsigned short u32"), layout)
    check("the same name of another width gives another handler", "const short unsigned int *" in facts.get("GPU_HANDLER_job_register", ""),
          facts)
    check("and another hash of the kernel's types", len(kernel_hash) == 18 and kernel_hash != facts.get("GPU_KERNEL_TYPES"), kernel_hash)
    _, facts = generate(folder, source, layout)
    check("the hash is that of the kernel's BTF", facts.get("GPU_KERNEL_TYPES") == f'"{hash_of(folder / "kernel.o")}"', facts)

    run, facts = generate(folder, source.replace("u32 credits", "short credits"), layout)
    check("a tracepoint whose needed field has another type is left out and says which",
          "GPU_TRACEPOINT_job_queue" not in facts and "left out job_queue: job.credits is 'short int', not 'u32'" in run.stderr, run.stderr)

    run, _ = generate(folder, source, layout + "tracepiont x (int)\n")
    check("a misspelt statement is refused with its line", run.returncode == 1 and "not understood: tracepiont" in run.stderr, run.stderr)
    (folder / "test.layout").write_text(layout)
    run = subprocess.run([sys.argv[1], "--kernel", here / "kernel.c", "--release", "1", "-o", folder / "x.h", folder / "test.layout"],
                         capture_output=True, text=True)
    check("a file without BTF is refused by name", run.returncode == 1 and "kernel.c: no usable BTF" in run.stderr, run.stderr)

sys.exit(tap.finish())

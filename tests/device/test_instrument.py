#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_instrument.py BUILD [--update]: what lttng-gpu-instrument makes of programs in OpenCL C, compared with tests/device/golden, and
whether compilers take it. No driver is needed. Prints TAP."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(top / "tests"))
from tap import Tap  # noqa: E402

build = Path(sys.argv[1]).resolve()
header = top / "userspace/instrument/header"
golden = top / "tests/device/golden"
program = build / "lttng-gpu-instrument"
tap = Tap()
POINTS = ("loops", "branches", "functions", "all")


def instrument(source, *options):
    run = subprocess.run([program, *options], input=source, capture_output=True, text=True, timeout=300)
    return run.stdout if run.returncode == 0 else f"exit code {run.returncode}: {run.stderr}"


def text_of(output):
    return output.partition("\nsource ")[2].partition("\n")[2]


def left(output):
    return [line.split(" ", 2)[1] for line in output.splitlines() if line.startswith("left ")]


def compare(points):
    output = instrument((golden / "control_flow.cl").read_text(), "--bare", "--points", points)
    expected = golden / f"control_flow.{points}.txt"
    if "--update" in sys.argv:
        expected.write_text(output)
    tap.check_that(f"every control-flow form, points: {points}", output == expected.read_text(), output)


def compiles(words, source, *options, target):
    text = text_of(instrument(source, *options))
    run = subprocess.run(["clang", "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header", *target, "-o", "-", "-"],
                         input=text, capture_output=True, text=True, timeout=300)
    tap.check_that(words, text and run.returncode == 0, run.stderr[-2000:])
    return run.stdout


def check_compilers():
    source = (golden / "control_flow.cl").read_text()
    syntax = ["-target", "spir64", "-fsyntax-only"]
    compiles("a compiler takes what was made, with all points", source, "--points", "all", target=syntax)
    compiles("and points in expressions", EXPRESSIONS, "--points", "all", target=syntax)
    ptx = ["-target", "nvptx64-nvidia-cuda", "-S", "-O2", "-Dasm=__asm__"]
    text = compiles("and with NVIDIA's instructions and times", source, "--points", "all", "--warps", "--times", target=ptx)
    tap.check_that("which are in the code", "activemask" in text and "globaltimer" in text, text[:500])


def check_placed():
    source = "#include \"lttng_gpu_device.h\"\nint f(int x) { TRACE_POINT(inside); return x; }\nkernel void k(global int *x, int n)\n{\n" \
             "    for (int i = 0; i < n; ++i)\n        TRACE_POINT(pass);\n    if (n)\n        TRACE_POINT(some);\n    else\n        x[0] = f(n);\n}\n"
    output = instrument(source, "--points", "placed", "--options", f"-I{header}")
    told = [line for line in output.splitlines() if line.startswith("location ")]
    tap.check_that("points placed by hand are found with their names and lines",
                   [line.split(" ", 2)[2] for line in told if " point " in line] ==
                   ["point 2 16 inside", "point 6 9 pass", "point 8 9 some"] and len(told) == 4, output)
    return source


def check_placed_compile(source):
    compiles("a compiler takes points placed by hand", source, "--points", "all", "--options", f"-I{header}",
             target=["-target", "spir64", "-fsyntax-only", f"-I{header}"])
    words = ["clang", "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_70", "-nocudainc", "-nocudalib", "-std=c++17", "-w",
             "-DLTTNG_GPU_TEST_DEVICE_ONLY", f"-I{top}/tests/device/cuda", f"-I{header}", "-S", "-O2", "-o", "-"]
    for name, more in (("", []), (", with times", ["-DLTTNG_GPU_TIMES"])):
        run = subprocess.run([*words, *more, top / "tests/device/cuda/placed.cu"], capture_output=True, text=True, timeout=300)
        tap.check_that(f"the header is CUDA C++{name}", run.returncode == 0 and "activemask" in run.stdout and "placed" in run.stdout,
                       run.stderr[-2000:])


def check_left_alone():
    cases = {
        "a program that has errors": ("kernel void k() { undeclared(); }", "not_understood"),
        "variables of the program": ("global int counter;\nkernel void k() { counter++; }", "program_variables"),
        "a kernel that another one calls": ("kernel void a(global int *x) { x[0] = 1; }\nkernel void b(global int *x) { a(x); }",
                                            "called_kernel"),
        "a function that a macro calls": ("int f(int x) { return x; }\n#define F(x) f(x)\nkernel void k(global int *x) { x[0] = F(1); }",
                                          "called_in_macro"),
        "a kernel whose return is in a macro": ("#define LEAVE return\nkernel void k(global int *x) { if (x[0]) LEAVE; x[1] = 1; }",
                                                "in_macro"),
        "functions of one name": ("int __attribute__((overloadable)) f(int x) { return x; }\nint __attribute__((overloadable)) f(float x) "
                                  "{ return 1; }\n"
                                  "kernel void k(global int *x) { x[0] = f(1) + f(1.0f); }", "overloaded"),
    }
    for words, (source, reason) in cases.items():
        output = instrument(source, "--bare", "--options", "-cl-std=CL2.0")
        tap.check_that(f"left alone with a reason: {words}", reason in left(output), output)
    check_points_left_alone()
    output = instrument(cases["a function that a macro calls"][0], "--bare")
    tap.check_that("the kernel itself is changed all the same", "kernel k" in output and "int f(int x) {" in output, output)


# Where each barrier of a program stands.
EXPRESSIONS = """kernel void k(global int *x)
{
    while (barrier(CLK_LOCAL_MEM_FENCE), x[0] > 9) x[0]--;
    do x[0]++; while ((barrier(CLK_LOCAL_MEM_FENCE), x[0] < 9));
    for (barrier(CLK_LOCAL_MEM_FENCE); (barrier(CLK_LOCAL_MEM_FENCE), x[0] > 3); x[0]--, barrier(CLK_LOCAL_MEM_FENCE)) x[1]++;
    if ((barrier(CLK_LOCAL_MEM_FENCE), x[0] > 1)) x[2] = max((barrier(CLK_LOCAL_MEM_FENCE), 1), 2);
    switch ((barrier(CLK_LOCAL_MEM_FENCE), x[3])) { case 1: x[3] = 1; }
    int y = (barrier(CLK_LOCAL_MEM_FENCE), 1);
    x[4] = y;
    return barrier(CLK_LOCAL_MEM_FENCE);
}
"""


def check_barriers_in_expressions():
    output = instrument(EXPRESSIONS, "--bare", "--points", "all")
    expected = sorted((line, column.start() + 1) for line, text in enumerate(EXPRESSIONS.splitlines(), 1)
                      for column in re.finditer("barrier", text))
    found = sorted((int(words[3]), int(words[4])) for words in (line.split() for line in output.splitlines()) if words[:1] == ["location"]
                   and words[2] == "barrier")
    tap.check_that("a barrier in a condition or another expression is a point",
                   len(expected) == 10 and found == expected and not left(output), output)
    tap.check_that("what a kernel returns runs before its recorder ends", "/* return */ (lttng_gpu_point" in output and
                   "barrier(CLK_LOCAL_MEM_FENCE)); lttng_gpu_end(lttng_gpu_r); return; }" in output, output)
    source = "int met(int x) { barrier(CLK_LOCAL_MEM_FENCE); return x; }\nkernel void k(global int *x) { while (met(x[0]) > 1) x[0]--; }\n"
    output = instrument(source, "--bare", "--points", "all")
    tap.check_that("and so is one of a function that a condition calls",
                   " barrier 1 18 met\n" in output and "while (met(x[0], lttng_gpu_r) > 1)" in output, output)
    source = "#define MEET(x) (barrier(CLK_LOCAL_MEM_FENCE), x)\nkernel void k(global int *x) { while (MEET(x[0])) x[0]--; }\n"
    output = instrument(source, "--bare", "--points", "all")
    tap.check_that("one point is left alone: a barrier in a condition that comes out of a macro", left(output) == ["point_in_macro"] and
                   "left point_in_macro k:2\n" in output and " loop 2 " in output, output)


def check_points_left_alone():
    # The kernel's entry is a location, too: one branch has no number left.
    branches = "".join(f"    if (x[{number}])\n        x[0] = {number};\n" for number in range(2046))
    output = instrument(f"kernel void k(global int *x)\n{{\n{branches}}}\n", "--bare")
    tap.check_that("one point is left alone: the one after 2046 locations", left(output) == ["too_many_points"] and
                   "left too_many_points k:4094\n" in output and output.count("\nlocation ") == 2046 and
                   "lttng_gpu_r, 2045u)" in output and "2046u" not in output, output[:300])


def check_choice():
    source = "kernel void one(global int *x) { x[0] = 1; }\nkernel void two(global int *x) { x[0] = 2; }\n"
    output = instrument(source, "--bare", "--kernels", "tw*")
    tap.check_that("only kernels that were chosen are changed", "kernel two" in output and "kernel one" not in output and
                   "void one(global int *x) {" in output, output)
    output = instrument("#ifdef WANTED\nkernel void k(global int *x) { x[0] = N; }\n#endif\n", "--bare", "--options",
                        '-D WANTED -DN="3" -cl-mad-enable')
    tap.check_that("build options decide what is read", "kernel k" in output, output)
    output = instrument("#ifdef cl_khr_fp64\nkernel void k(global double *x) { x[0] = 1; }\n#endif\n", "--bare", "--extensions",
                        "cl_khr_fp64 cl_odd_one")
    tap.check_that("a device's extensions do, too", "kernel k" in output, output)
    lines = text_of(instrument(source)).splitlines()
    tap.check_that("lines keep their numbers", "#line 1" in lines and "void one" in lines[lines.index("#line 1") + 1], lines[-4:])


if not program.exists():
    tap.check("instrumentation", skip="lttng-gpu-instrument is not built: no libclang here")
    sys.exit(tap.finish())
for chosen in POINTS:
    compare(chosen)
check_left_alone()
check_barriers_in_expressions()
check_choice()
placed = check_placed()
if shutil.which("clang"):
    check_compilers()
    check_placed_compile(placed)
sys.exit(tap.finish())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_pocl_programs.py LTTNG_GPU BUILD: PoCL's own examples and some of its runtime tests with `lttng-gpu record --device-trace`: each of
them ends and prints what it does without. Prints TAP."""
import json
import shutil
import subprocess
import sys
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(top / "tests"), str(top / "tests/record")]
import lttng_session  # noqa: E402
from recorder import Place  # noqa: E402
from tap import Tap  # noqa: E402

lttng_gpu, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
tap = Tap()
FILES = [build / name
         for name in ("lttng-gpu-instrument", "liblttng-gpu-device.so", "liblttng-gpu-device-provider.so", "liblttng-gpu-opencl.so",
                                   "liblttng-gpu-opencl-provider.so", "liblttng-gpu-descriptors.so")]
programs = build / "tests/opencl/pocl/bin"
CHOSEN = ("example*", "boxadd", "matadd", "scalarwave", "trig", "vecadd", "matrix1", "test_clFinish", "test_clCreateKernelsInProgram",
          "test_clBuildProgram")
why_not = lttng_session.why_not() or next((f"{path.name} is not built" for path in [*FILES, programs] if not path.exists()), "")
if why_not:
    tap.check("PoCL's own programs", skip=why_not)
    sys.exit(tap.finish())


RUNNER = """for program in "$PWD"/programs/*; do
    name=$(basename "$program")
    (cd /usr/share/pocl-tests/tests/runtime; cd "/usr/share/pocl-tests/examples/$name" 2>/dev/null; exec "$program" </dev/null) >"$1/$name.txt" 2>"$1/$name.errors"
    echo $? >"$1/$name.code"
done
"""


def results(place, name, *before):
    folder = place.folder / "work" / name
    folder.mkdir()
    place.own()
    run = place.run(*before, "sh", place.folder / "work/runner.sh", folder, timeout=1800)
    if run.returncode:
        sys.stderr.write(run.stderr[-3000:])
    return {path.stem: (path.read_text(), path.with_suffix(".txt").read_bytes()) for path in folder.glob("*.code")}


place = Place([lttng_gpu, *FILES])
try:
    (place.folder / "work/programs").mkdir()
    for path in [path for pattern in CHOSEN for path in programs.glob(pattern)]:
        shutil.copy(path, place.folder / "work/programs")
    (place.folder / "work/runner.sh").write_text(RUNNER)
    plain = results(place, "plain")
    record = ["lttng-gpu", "record", "-o", "trace", "--events", "user", "--no-loss", "--no-report", "--device-trace", "--device-points",
              "all",
              "--device-buffer", "2M", "--"]
    traced = results(place, "traced", *record)
    different = [name for name in plain if plain[name] != traced.get(name)]
    # A few print what they drew by lot.
    again = results(place, "again") if different else plain
    wrong = [f"{name}: {plain[name]} {traced.get(name)}" for name in different
             if plain[name] == again[name] or plain[name][0] != traced.get(name, (None,))[0]]
    tap.check_that(f"{len(plain)} of PoCL's own programs do what they do without", len(plain) > 8 and not wrong, "\n".join(wrong)[:4000])
    told = json.loads(subprocess.run([lttng_gpu, "device", "--format", "json", place.folder / "work/trace"], capture_output=True, text=True,
                                     timeout=600).stdout)
    tap.check_that("many of them were recorded inside", len(told["launches"]) > 10 and len(told["kernels"]) > 5,
                   (len(told["launches"]), len(told["kernels"]), told["accounting"]))
    tap.check_that("what was left alone has a reason", all(left["reason"] for left in told["accounting"]["untraced"]), told["accounting"])
finally:
    place.close()
sys.exit(tap.finish())

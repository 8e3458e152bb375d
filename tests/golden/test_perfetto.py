#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_perfetto.py LTTNG_GPU: one load that LTTng and two sessions of Perfetto recorded at the same time (record-perfetto)
gives the same jobs from each, at the same times since 1970. Prints TAP."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import advice
from same_load import differences, identity, jobs, times
from tap import Tap

lttng_gpu = sys.argv[1]
tap = Tap()
COLUMNS = ("device", "ring", "pid", "tid", "comm", "status")


for case in sorted(path.parent for path in Path(__file__).parent.glob("*/packed.perfetto-trace")):
    lttng = jobs(case / "kernel")[1]
    tap.check_that(f"{case.name}: there are jobs of both drivers", {row["driver"] for row in lttng} == {"gputest", "virtio_gpu"})
    read = {path.name: jobs(path) for path in sorted(case.glob("*.perfetto-trace"))}
    for name, (code, rows) in read.items():
        tap.check_that(f"{case.name}: {name} is read", code == 0, f"exit code {code}")
        tap.check(f"{case.name}: {name} has the jobs that LTTng recorded",
                  differences([identity(row, *COLUMNS) for row in lttng], [identity(row, *COLUMNS) for row in rows]))
        # Both measured once how their clock and CLOCK_REALTIME differ. Under emulation a thread may stop between
        # two tracers' probes, or between two readings of clocks.
        away = sorted(abs(a - b) for a, b in zip(times(lttng), times(rows)))
        close = away[len(away) * 9 // 10] < 10e6 and away[-1] < 1e9
        tap.check_that(f"{case.name}: {name} has LTTng's times", close, f"up to {away[-1]} ns away")
        if name.startswith("dense"):  # the other has the scheduler's events
            tap.check(f"{case.name}: {name}: advice names what Perfetto's config needs",
                      advice.problems(lttng_gpu, case / name, ['ftrace_events: "sched/sched_switch"', "sched/sched_waking"]))
    packed, dense = (times(read[name][1]) for name in ("packed.perfetto-trace", "dense.perfetto-trace"))
    apart = {a - b for a, b in zip(packed, dense)}
    tap.check_that(f"{case.name}: both sessions have the same times, but for their clock snapshots", len(apart) == 1,
                   f"{len(apart)} differences")
tap.check_that("there are golden cases", tap.number > 0)
sys.exit(tap.finish())

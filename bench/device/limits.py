#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""limits.py BENCH LAUNCH FOLDER [PROGRAM...]: what bounds the kernels of the device bench, untraced and traced, by the counters of NVIDIA's
profiler ncu. BENCH: device-bench, which has NVIDIA's OpenCL compile them; LAUNCH: device-launch, which launches the same PTX through CUDA;
FOLDER: what device-bench reads. Variants: base, rolled (loops that may not be unrolled), ours, times. One line each."""
import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path

bench, launch, folder, *wanted = sys.argv[1:]
# Title, counter, factor.
columns = [
    ("us", "gpu__time_duration.sum", 1e-3),
    ("instr", "smsp__inst_executed.sum", 1e-6),
    ("issue", "smsp__issue_active.avg.pct_of_peak_sustained_active", 1),
    ("sm", "sm__throughput.avg.pct_of_peak_sustained_elapsed", 1),
    ("l2", "lts__throughput.avg.pct_of_peak_sustained_elapsed", 1),
    ("dram", "dram__throughput.avg.pct_of_peak_sustained_elapsed", 1),
    ("written", "dram__bytes_write.sum", 1e-6),
    ("warps", "sm__warps_active.avg.pct_of_peak_sustained_active", 1),
    ("regs", "launch__registers_per_thread", 1),
]
# Why warps could not issue, warps in the mean for each issue.
stalls = ["barrier", "branch_resolving", "dispatch_stall", "lg_throttle", "long_scoreboard", "math_pipe_throttle", "membar", "mio_throttle",
          "no_instruction", "not_selected", "short_scoreboard", "wait"]
stall_counter = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
local_bytes = {"base": 0, "rolled": 0}
traced_bytes = (4 + 256) * 4


def counters(ptx, program, variant):
    names = [name for _, name, _ in columns] + [stall_counter.format(stall) for stall in stalls]
    run = subprocess.run(["ncu", "--csv", "--metrics", ",".join(names), launch, ptx, program, str(local_bytes.get(variant, traced_bytes))],
                         capture_output=True, text=True)
    lines = run.stdout.splitlines()
    told = next((line for line in lines if line.startswith("results ")), None)
    table = [line for line in lines if line.startswith('"')]
    if told is None or not table:
        sys.exit(f"{program} {variant}: ncu ended with {run.returncode}\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
    values = {}
    for row in csv.DictReader(table):
        value = float(row["Metric Value"].replace(",", "")) if row["Metric Value"] not in ("", "n/a") else None
        values[row["Metric Name"]] = value, row["Metric Unit"]
    return told.split()[1], values


def in_base_units(value, unit):
    """ncu chooses the prefix."""
    for prefix, factor in ("n", 1), ("u", 1e3), ("m", 1e6):
        if unit in (f"{prefix}second", f"{prefix}s"):
            return value * factor
    for prefix, factor in ("K", 1e3), ("M", 1e6), ("G", 1e9):
        if unit == f"{prefix}byte":
            return value * factor
    return value


def main():
    with tempfile.TemporaryDirectory() as directory:
        made = subprocess.run([bench, folder, "1", "rolled", "ours", "times", *(f"@{program}" for program in wanted)],
                              env=os.environ | {"PTX": directory},
                              stdout=subprocess.PIPE, text=True, check=True)
        programs = [line.split()[0] for line in made.stdout.splitlines() if " base " in line]
        print(f"{'program':<17}{'variant':<8}" + "".join(f"{title:>9}" for title, _, _ in columns) +
              "  warps that wait for each issue, and for what")
        for program in programs:
            results = {}
            for variant in "base", "rolled", "ours", "times":
                results[variant], values = counters(f"{directory}/{program}.{variant}.ptx", program, variant)
                cells = []
                for _, name, factor in columns:
                    value, unit = values.get(name, (None, ""))
                    cells.append(f"{'-' if value is None else f'{in_base_units(value, unit) * factor:.1f}':>9}")
                waits = sorted(((values.get(stall_counter.format(stall), (0, ""))[0] or 0, stall) for stall in stalls), reverse=True)[:4]
                print(f"{program:<17}{variant:<8}{''.join(cells)}  " + ", ".join(f"{stall} {value:.1f}" for value, stall in waits),
                      flush=True)
            if len(set(results.values())) > 1:
                print(f"{program:<17}results differ: {results}")


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""table.py FILE: a table and the aims from what `make bench-device` has printed. bench/README.md says what the columns mean."""
import math
import re
import sys


def parse(line):
    """One program: (kernel, all) of each variant, the first in ms, the others as multiples of it; ratios; what was compared."""
    name, _, rest = line.partition(" ")
    variants = {}
    for part in rest.split(" | "):
        words = re.match(r"\s*(base|rolled|ours|times|each|ecl|raw)\s+([\d.]+)/\s*([\d.]+)", part)
        if words:
            variants[words[1]] = float(words[2]), float(words[3]), part.rstrip().endswith("lossy")
    numbers = dict(re.findall(r"(copied|trace|ecl|gzip|bzip2|zstd) ([\d.]+|-)", line[line.index("events "):]))
    return name, variants, numbers, re.search(r"equal to raw: (.*)$", line)[1]


def cell(variant):
    kernel, whole, is_lossy = variant
    return f"{kernel:.2f} / {whole:.2f}" + ("*" if is_lossy else "")


def mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))


programs = [parse(line.rstrip()) for line in open(sys.argv[1]) if " base " in line]
for name, variants, numbers, equal in programs:
    base = variants["base"]
    mark = "*" if variants["ecl"][2] else ""
    print("| " + " | ".join([
        name, f"{base[0]:.3f} / {base[1]:.3f}", *(cell(variants[way]) for way in ("ours", "times", "ecl", "raw")),
        f"{numbers['copied']} / {numbers['trace']}", numbers["ecl"] + mark,
        " / ".join(numbers[tool] for tool in ("gzip", "bzip2", "zstd")), equal]) + " |")
means = [f"{mean(v[way][0] for _, v, _, _ in programs):.2f} / {mean(v[way][1] for _, v, _, _ in programs):.2f}"
         for way in ("ours", "times", "ecl", "raw")]
ratios = [mean(float(n[key]) for _, _, n, _ in programs) for key in ("copied", "trace", "ecl")]
print("| geometric mean | | " + " | ".join(means) + f" | {ratios[0]:.1f} / {ratios[1]:.1f} | {ratios[2]:.1f} | | |")
for way in ("ours", "times"):
    added = max((v[way][1] - 1) / (v["ecl"][1] - 1) for _, v, _, _ in programs)
    print(f"added time, {way}: at most {added:.2f} of the baseline's")
better = [float(n["trace"]) / float(n["ecl"]) for _, _, n, _ in programs]
copied = [float(n["copied"]) / float(n["ecl"]) for _, _, n, _ in programs]
print(f"ratio: copied at least {min(copied):.1f} times the baseline's, {mean(copied):.0f} in the mean; in the trace {min(better):.1f}, "
      f"{mean(better):.0f}")

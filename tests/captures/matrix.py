#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""matrix.py: recordings whose truth is known are degraded as captures in bug reports are, written in every input format,
read with `lttng-gpu jobs` and `report`, and compared with the truth. bench/README.md says what the columns mean.

--quick takes fewer and shorter recordings; --tap prints a test for each recording and damage, which fails when a cell misses a
goal and does worse than reached.json says (--write-reached writes that). --recording, --damage and
--format choose cells (several with commas); --details prints all that is wrong in them, --keep DIR leaves there what was read."""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import recordings
from judge import Verdict
from tap import Tap

build = Path(os.environ.get("BUILD", "build")).absolute()
# What cells of --quick reach that miss a goal: [-wrong, same near, same far, bounds, told]; see bench/README.md.
REACHED = Path(__file__).resolve().parent / "reached.json"
INCIDENTS = ["suspend", "hang-ends-all", "hang-runs-again", "reload-new-contexts", "reload-same-contexts", "clocks-50us", "appended",
             "two-inputs"]
TEXT_ONLY = ["first-half", "last-half", "ends-in-line", "begins-in-line", "appended"]
# What a format cannot announce is the unannounced damage.
ANNOUNCED = {"late": ("ctf", "trace", "trace-cmd", "dat"), "overwritten": ("ctf", "trace", "trace-cmd", "dat"),
             "ragged": ("ctf", "trace", "trace-cmd", "dat"), "early-end": ("ctf", "dat")}
# Which recordings an incident can happen to, by the beginning of their names: the drivers that recover so.
ONLY_FOR = {"hang-ends-all": ("sched-6", "amdgpu-6.17"), "hang-runs-again": ("amdgpu-6.1",)}
NOT_FOR = {"hang-runs-again": ("amdgpu-6.17",)}
# The first in all formats.
QUICK_RECORDINGS = ["sched-6.17", "sched-5.7", "amdgpu-6.17", "amdgpu-6.1", "i915-preemption", "xe-sched", "two-devices", "parallel",
                    "fences-only", "virtio-fences"]
QUICK_FORMATS = ["ctf", "trace"]


def listed(kind):
    lines = subprocess.run([build / "degrade-capture", "--list"], check=True, capture_output=True, text=True).stdout.splitlines()
    return [words[1:] for words in map(str.split, lines) if words[0] == kind]


def is_possible(recording, damage, capture_format, texts):
    plain = damage.removesuffix("-announced")
    if damage in TEXT_ONLY and capture_format not in texts:
        return False
    if damage != plain and capture_format not in ANNOUNCED.get(plain, (capture_format,)):
        return False
    if recording.startswith(NOT_FOR.get(damage, "\0")):
        return False
    return damage not in ONLY_FOR or recording.startswith(ONLY_FOR[damage])


def read(*words):
    run = subprocess.run([build / "lttng-gpu", *words], capture_output=True, text=True, errors="replace")
    return run.returncode, run.stdout, run.stderr


def make_and_read(recording, damage, capture_format, seed, folder):
    """Both outputs of the degraded capture and the exit codes; nothing where the damage does not apply to the recording."""
    made = subprocess.run([build / "degrade-capture", "--in", recording.trace, "--jobs", recording.jobs, "--stretch",
                           str(recording.stretch),
                           "--damage", damage, "--format", capture_format, "--seed", str(seed), "--out", folder], capture_output=True,
                          text=True)
    if made.returncode:
        raise RuntimeError(made.stderr)
    inputs = json.loads((folder / "capture.json").read_text())["inputs"]
    jobs_code, jobs, jobs_errors = read("jobs", "--format", "csv", *inputs)
    report_code, report, report_errors = read("report", "--format", "json", *inputs)
    for name, text in (("jobs.csv", jobs), ("report.json", report), ("errors.txt", jobs_errors + report_errors)):
        (folder / name).write_text(text)
    return jobs, report, (jobs_code, report_code)


def judge_row(recording, capture_format, damages, seed, keep):
    """The cells of one recording in one format; first the undamaged one, which the others are compared with."""
    cells, base = [], None
    for damage in ["none"] + [damage for damage in damages if damage != "none"]:
        with tempfile.TemporaryDirectory(prefix="lttng-gpu-capture-") as temporary:
            folder = Path(keep) / f"{recording.name}-{damage}-{capture_format}" if keep else Path(temporary)
            cell = {"recording": recording.name, "damage": damage, "format": capture_format, "seed": seed}
            try:
                verdict = Verdict(damage, folder, *make_and_read(recording, damage, capture_format, seed, folder), base)
            except RuntimeError as error:
                cells.append(cell | {"problems": [f"cannot be made: {error}"]})
                continue
            base = base or verdict.matched
            if damage in damages and verdict.is_applied(damage, damage in INCIDENTS):
                cells.append(cell | {
                    "rows": verdict.shown, "wrong": len(verdict.wrong), "near": verdict.near, "far": verdict.far,
                    "bounds": [verdict.compared - len(verdict.outside), verdict.compared], "unbounded": verdict.unbounded,
                    "window": verdict.window, "told": not verdict.untold,
                    "problems": verdict.problems(), "all_wrong": [f"{kind}: {words}" for kind, words in verdict.wrong[:200]],
                    "different": verdict.different[:20], "outside": verdict.outside})
    return cells


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--tap", action="store_true")
    parser.add_argument("--write-reached", action="store_true", help="note what these cells reach, for --tap")
    for name in ("recording", "damage", "format"):
        parser.add_argument(f"--{name}", help="names with commas between them")
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--keep", help="folder in which what was read is left")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, help="of each simulated recording")
    return parser.parse_args()


def share(pair):
    return "-" if not pair[1] else f"{100 * pair[0] / pair[1]:.1f}"


def print_table(cells):
    print(f"{'recording':18} {'damage':26} {'format':10} {'rows':>6} {'wrong':>6} {'same near':>10} {'same far':>10} {'bounds':>8} "
          f"{'open':>5} {'window':>7} {'told':>5}")
    for cell in cells:
        where = f"{cell['recording']:18} {cell['damage']:26} {cell['format']:10}"
        if "rows" not in cell:
            print(f"{where} {cell['problems'][0]}")
            continue
        print(f"{where} {cell['rows']:6} {cell['wrong']:6} {share(cell['near']):>10} {share(cell['far']):>10} "
              f"{cell['bounds'][0]:>4}/{cell['bounds'][1]:<3} {cell['unbounded']:5} {100 * cell['window']:7.1f} "
              f"{'yes' if cell['told'] else 'NO':>5}")


def print_summary(cells):
    """One line for each damage, over all recordings and formats."""
    print(f"\n{'damage':26} {'cells':>6} {'wrong':>6} {'same near':>10} {'same far':>10} {'bounds':>10} {'open':>6} {'told':>10}")
    for damage in dict.fromkeys(cell["damage"] for cell in cells):
        made = [cell for cell in cells if cell["damage"] == damage and "rows" in cell]
        total = lambda name: [sum(cell[name][place] for cell in made) for place in (0, 1)]
        print(f"{damage:26} {len(made):6} {sum(cell['wrong'] for cell in made):6} {share(total('near')):>10} {share(total('far')):>10} "
              f"{share(total('bounds')):>10} {sum(cell['unbounded'] for cell in made):6} "
              f"{share([sum(cell['told'] for cell in made), len(made)]):>10}")


def key(cell):
    return f"{cell['recording']} {cell['damage']} {cell['format']}"


def part(pair):
    return pair[0] / pair[1] if pair[1] else 1


def reach(cell):
    """How well the cell does: higher is better, in each place."""
    return [-cell["wrong"], round(part(cell["near"]), 3), round(part(cell["far"]), 3), round(part(cell["bounds"]), 3), int(cell["told"])]


def worse(cell, reached):
    """What is worse than was reached before, in words."""
    if "rows" not in cell:
        return cell["problems"]
    if not cell["problems"]:
        return []
    before = reached.get(key(cell))
    if before is None:
        return cell["problems"]
    names = ["wrong", "same near", "same far", "bounds", "told"]
    return [f"{name}: {now}, before {then}; {cell['problems'][0][:400]}"
            for name, now, then in zip(names, reach(cell), before) if now < then - 0.0005]


def print_tap(cells):
    """One test for each recording and damage, over the formats: the goals are met, or at least what was reached before."""
    reached = json.loads(REACHED.read_text())
    tap, groups = Tap(), {}
    for cell in cells:
        groups.setdefault((cell["recording"], cell["damage"]), []).append(cell)
    for (recording, damage), members in groups.items():
        tap.check(f"{recording}, {damage} ({', '.join(cell['format'] for cell in members)})",
                  [f"{cell['format']}: {problem[:600]}" for cell in members for problem in worse(cell, reached)])
    return tap.finish()


def write_reached(cells):
    """Only cells that miss a goal; what meets all goals has to meet them."""
    rows = [f"{json.dumps(key(cell))}: {json.dumps(reach(cell))}" for cell in cells if "rows" in cell and cell["problems"]]
    REACHED.write_text("{\n" + ",\n".join(rows) + "\n}\n")


def print_details(cells):
    for cell in cells:
        print(f"== {cell['recording']} {cell['damage']} {cell['format']}, seed {cell['seed']}")
        for problem in cell["problems"] + cell.get("all_wrong", []) + cell.get("different", []) + cell.get("outside", []):
            print(f"  {problem}")


def main():
    options = parse_arguments()
    def chosen(text, names):
        strange = set(text.split(",")) - set(names) if text else ()
        if strange:
            sys.exit(f"matrix.py: no {', '.join(strange)}; there are: {' '.join(names)}")
        return [name for name in names if text is None or name in text.split(",")]
    damages = chosen(options.damage, [words[0] for words in listed("damage")])
    formats = listed("format")
    texts = [words[0] for words in formats if words[1] == "text"]
    names = [words[0] for words in formats]
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="lttng-gpu-captures-") as temporary:
        folder = Path(options.keep or temporary)
        jobs = options.jobs or (300 if options.quick else 600)
        wanted = chosen(options.recording, QUICK_RECORDINGS if options.quick and not options.recording else recordings.names())
        made = [recordings.make(build, folder, name, jobs) for name in wanted]
        rows = [(recording, name, [damage for damage in damages if is_possible(recording.name, damage, name, texts)])
                for recording in made for name in chosen(options.format, names)
                if (not recording.formats or name in recording.formats) and
                (not options.quick or options.format or name in QUICK_FORMATS or recording.name == QUICK_RECORDINGS[0])]
        with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
            results = pool.map(judge_row, *zip(*[(*row, options.seed, options.keep) for row in rows]))
            cells = [cell for row in results for cell in row]
    (build / "bench").mkdir(parents=True, exist_ok=True)
    (build / "bench" / "captures.json").write_text(json.dumps(cells, indent=1))
    if options.write_reached:
        write_reached(cells)
        code = 0
    elif options.tap:
        code = print_tap(cells)
    else:
        print_table(cells)
        print_summary(cells)
        code = 0
        bad = sum(bool(cell["problems"]) for cell in cells)
        print(f"{len(cells)} cells, {bad} that miss a goal, seed {options.seed}, {time.monotonic() - begin:.0f} s")
    if options.details:
        print_details(cells)
    return code


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_page.py LTTNG_GPU BUILD: the page in Debian's Chromium, driven by Playwright: its values are those of `jobs` and
`report`; clicks, zooms, keys and search work; nothing is asked from the network; `view` serves only who has the address.
What is there is drawn by page_checks.mjs, which prints TAP. Skipped, with the reason, where npm or Chromium is not there."""
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

here, top = Path(__file__).resolve().parent, Path(__file__).resolve().parents[2]
lttng_gpu, build = Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute()
out = build / "tests" / "page"


def skipped(why):
    tap = Tap()
    tap.check("the page in Chromium", skip=why)
    sys.exit(tap.finish())


def libraries():
    """Where Playwright is; npm gets it once."""
    folder, lock = build / "page-tests", here / "package-lock.json"
    if not (folder / "installed").exists() or (folder / "installed").read_bytes() != lock.read_bytes():
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(here / name, folder)
        run = subprocess.run(["npm", "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"], cwd=folder,
                             capture_output=True, text=True)
        if run.returncode:
            skipped("npm could not get playwright-core: " + run.stderr.strip().splitlines()[-1])
        shutil.copy(lock, folder / "installed")
    return folder


def traces():
    """Whole, lossy and long ones from the simulator, and one of a real machine with dependencies and waits."""
    for name, scenario, jobs in (("whole", "sched-6.17/whole", 4000), ("lossy", "sched-6.17/events-lost", 3000),
                                 ("parallel", "parallel-6.17/whole", 1500), ("long", "sched-6.17-switches/whole", 250000)):
        shutil.rmtree(out / name, ignore_errors=True)
        subprocess.run([build / "simulate", "--out", out / name, "--scenario", scenario, "--jobs", str(jobs), "--seed", "7"], check=True)
        yield name, out / name / "trace"
    shutil.rmtree(out / "drawn", ignore_errors=True)
    (out / "drawn").mkdir()
    subprocess.run([build / "page-frames-trace", out / "drawn"], check=True)
    yield "drawn", out / "drawn"
    shutil.rmtree(out / "inside", ignore_errors=True)
    (out / "inside").mkdir()
    subprocess.run([build / "device-launches-trace", out / "inside"], check=True)
    yield "inside", out / "inside"
    yield "recorded", top / "tests/golden/linux-6.12"


def write_threads(trace, file):
    """API calls and waits as the database of `export` has them, which is made another way."""
    database = file.with_suffix(".sqlite")
    database.unlink(missing_ok=True)
    subprocess.run([lttng_gpu, "export", "--to", "sqlite", "-o", database, trace], check=True, capture_output=True)
    with sqlite3.connect(database) as tables:
        calls = tables.execute("SELECT tid, name, CAST(begin_ns AS TEXT), CAST(end_ns AS TEXT) FROM api_calls JOIN threads ON threads.id = "
                               "thread_id "
                               "JOIN call_names ON call_names.id = call_name_id").fetchall()
        waits = tables.execute("SELECT tid, CAST(begin_ns AS TEXT), CAST(end_ns AS TEXT), CAST(signaled_ns AS TEXT) FROM waits JOIN "
                               "threads ON threads.id = thread_id").fetchall()
    file.write_text(json.dumps({"calls": calls, "waits": waits}))


def main():
    for program in ("node", "npm", "chromium"):
        if not shutil.which(program):
            skipped(f"{program} is not installed")
    if not (build / "page/page.html").stat().st_size:
        skipped("lttng-gpu was built without the page")
    folder = libraries()
    out.mkdir(parents=True, exist_ok=True)
    arguments = [f"{name}={trace}" for name, trace in traces()]
    write_threads(out / "drawn", out / "drawn-threads.json")
    os.environ["NODE_PATH"] = str(folder / "node_modules")
    sys.stdout.flush()
    return subprocess.run(["node", here / "page_checks.mjs", lttng_gpu, out, here.parent.parent / "userspace/page/bundle",
                           *arguments]).returncode


if __name__ == "__main__":
    sys.exit(main())

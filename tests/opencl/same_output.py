# SPDX-License-Identifier: MIT
"""Programs whose output must be the same in every way in which they can run."""
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ways import Run, compare, conformance as conformance_program, masked, programs, read_events, run, tracing

examples = Path("/usr/share/pocl-tests")
with_layer = ["layer", "preload"]


def in_all_ways(tap, words, command, plain, traced=("layer", "preload"), clean=lambda text: text, **options):
    """command in each way against the run `plain`; in those of `traced` in a session too, which must have events."""
    expected = Run(plain.code, clean(plain.output))
    for way in with_layer:
        got = run(way, *command, **options)
        tap.check(f"{words}: {way}", compare(expected, Run(got.code, clean(got.output), got.errors)))
    for way in traced:
        with tempfile.TemporaryDirectory() as folder:
            with tracing(folder) as environment:
                got = run(way, *command, environment=environment, **options)
            tap.check(f"{words}: {way}, traced", compare(expected, Run(got.code, clean(got.output), got.errors)))
            tap.check_that(f"{words}: {way}, there is a trace", read_events(folder).get("call", 0) > 0, "no event `call`")


def conformance(tap):
    plain = run("absent", conformance_program)
    tap.check_that("conformance: exits with 0 without the layer", plain.code == 0, f"exit code {plain.code}: {plain.output[-500:]}")
    tap.check("conformance: the same twice without the layer", compare(plain, run("absent", conformance_program)))
    called = [line for line in plain.output.splitlines() if line.startswith("entries: ")]
    unused = [line for line in called if ": 0 calls" in line and "not in the driver" not in line]
    tap.check_that(f"conformance: {len(called)} entries in the table", len(called) == 149, "\n".join(called))
    tap.check("conformance: every entry that the driver has is called", unused)
    in_all_ways(tap, "conformance", [conformance_program], plain)
    plain = run("no loader, absent", conformance_program)
    tap.check_that("conformance: exits with 0 without a loader", plain.code == 0, f"exit code {plain.code}: {plain.output[-500:]}")
    got = run("no loader, preload", conformance_program)
    tap.check("conformance: no loader, preload", compare(plain, got))
    with tempfile.TemporaryDirectory() as folder:
        with tracing(folder) as environment:
            got = run("no loader, preload", conformance_program, environment=environment)
        tap.check("conformance: no loader, preload, traced", compare(plain, got))
        tap.check_that("conformance: no loader, preload, there is a trace", read_events(folder).get("call", 0) > 1000, "few events")


def tools(tap, is_long):
    plain = run("absent", "clinfo")
    in_all_ways(tap, "clinfo", ["clinfo"], plain)
    plain = run("absent", "clinfo", "--raw")
    in_all_ways(tap, "clinfo --raw", ["clinfo", "--raw"], plain, traced=())
    for option in ["--kernel-latency"] + (["--transfer-bandwidth", "--global-bandwidth", "--compute-sp"] if is_long else []):
        for timer in [], ["--use-event-timer"]:
            # It asks for times itself then, and must get them.
            command = ["clpeak", option, *timer]
            in_all_ways(tap, " ".join(command), command, run("absent", *command), clean=masked)


def directory_of(name):
    own = examples / "examples" / name
    return own if own.is_dir() else examples / "tests/runtime"


def pocl_programs(tap):
    binaries = sorted((programs / "pocl/bin").glob("*"))
    tap.check_that("PoCL's own programs are built", len(binaries) > 30, f"{len(binaries)} are")

    def once(way, environment=None):
        def one(path):
            return run(way, path, cwd=directory_of(path.name), environment=environment)
        with ThreadPoolExecutor(max_workers=2) as pool:
            return list(pool.map(one, binaries))
    plain, again = once("absent"), once("absent")
    # A few print what they drew by lot.
    clean = [(lambda text: text) if first.output == second.output else masked for first, second in zip(plain, again)]

    def check(words, runs):
        problems = []
        for path, mask, expected, got in zip(binaries, clean, plain, runs):
            problems += [f"{path.name}: {problem}" for problem in
                         compare(Run(expected.code, mask(expected.output)), Run(got.code, mask(got.output), got.errors))]
        tap.check(f"{len(binaries)} of PoCL's own programs: {words}", problems)
    for way in with_layer:
        check(way, once(way))
    with tempfile.TemporaryDirectory() as folder:
        with tracing(folder) as environment:
            traced = once("layer", environment)
        check("traced", traced)
        events = read_events(folder)
        tap.check_that("PoCL's own programs: there is a trace", sum(events.values()) > 2000, f"few events: {events}")


def own_programs(tap):
    for words in ["threads", "threads 8 64", "forks before", "forks exit", "forks quick-exit", "forks ask", "forks exec", "ends callback",
                  "ends unreleased", "ends quick", "ends abandoned", "ends thread", "reload", "leaves profiling", "leaves loader",
                  "leaves context", "leaves queues"]:
        command = [programs / words.split()[0], *words.split()[1:]]
        # What dlsym finds in a library of the program's own loading does not come by a preloaded one.
        traced = ["layer"] if words.split()[0] in ("reload", "leaves") else with_layer
        # The lines of parent and child may change places.
        in_all_ways(tap, words, command, run("absent", *command), traced, lambda text: "\n".join(sorted(text.splitlines())))
    for way in ["absent", *with_layer]:
        with tempfile.TemporaryDirectory() as folder:
            with tracing(folder) as environment:
                runs = [run(way, programs / "ends", "enqueueing", environment=environment) for _ in range(10)]
        # Loader and driver take themselves apart under that thread, and fall over now and then with any layer.
        bad = [f"exit code {got.code}: {got.output}" for got in runs
               if got.code not in (12, 17) or "lttng" in got.output or "urcu" in got.output]
        tap.check(f"main returns while a thread enqueues: {way}, traced", bad)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The files suites.toml say what is there and leave nothing out, and what fails once is not forgotten (tests/work.py). TAP."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(top / "tests"))
sys.dont_write_bytecode = True
import suites
from tap import Tap

tap = Tap()
everything = suites.all_suites()
kernel_tests = {test.name: test for tests in suites.kernel_tests().values() for test in tests}
scripts = [(suite, word) for suite in everything for line in (suite.command, suite.long_command, suite.first) for word in line.split()
           if re.fullmatch(r"tests/[\w./-]+", word)]
tap.check("there are suites, and kernel tests", [] if len(everything) > 50 and len(kernel_tests) > 10 else ["they are not understood"])
names = [(suite.name, suite.test) for suite in everything]
tap.check("no two have one name", sorted({str(name) for name in names if names.count(name) > 1}))
places = [(suite.place, suite.order) for suite in everything if suite.order]
tap.check("no two of a place have one order", sorted({str(place) for place in places if places.count(place) > 1}))
tap.check("those that run one after the other have an order, those beside others seconds",
          [suite.name for suite in everything if not (suite.order if suite.place in ("host", "sessions", "layers", "recording") else
                                                      suite.test if suite.place == "kernel-test" else suite.seconds)])
tap.check("conditions are known ones", [suite.name for suite in everything if set(suite.only) - set(suites.CONDITIONS)])
tap.check("lanes are known ones", [item.name for item in (*everything, *kernel_tests.values()) if set(item.lanes) - set(suites.LANES)])
tap.check("what they start can be executed",
          [f"{suite.name}: {word}" for suite, word in scripts if not os.access(top / word, os.X_OK) and not (top / word).is_dir()])
tap.check("each is listed in the folder of what it starts",
          [f"{suite.name}: {word}" for suite, word in scripts if word.startswith("tests/") and word.endswith(".py")
           and suite.name not in (top / word).parent.joinpath("suites.toml").read_text()])
started = {word for _, word in scripts}
files = subprocess.run(["git", "-C", top, "ls-files", "tests/*/test_*.py"], capture_output=True, text=True).stdout.split()
tap.check("each file test_*.py is of a suite", [file for file in files if file not in started])
there = {path.stem for path in (top / "tests/kselftest").glob("*.sh")} - {"tap"}
tap.check("each script of tests/kselftest has its guest, and only they", sorted(there ^ set(kernel_tests)))
tap.check("who reads a recording of a kernel test names one",
          [suite.name for suite in everything if suite.place == "kernel-test" and suite.test not in kernel_tests])


def listed(*words, **environment):
    done = subprocess.run([top / "tests/run", *words], env=os.environ | environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


code, text = listed("--list", LONG="")
tap.check_that("tests/run --list names suites and kernel tests", code == 0 and re.search("^host +source ", text, re.M) and
               re.search("^kernel record +record +trixie ", text, re.M), text)
tap.check_that("long ones too with LONG=1 only", "gl-sanitized" not in text and "gl-sanitized" in listed("--list", LONG="1")[1], text)
code, text = listed("no-such-suite")
tap.check_that("a name that is none is refused", code not in (0, None) and "no-such-suite" in text, text)


def run_of_sample(*endings, **environment):
    """tests/run with one suite that ends so, one run after the other."""
    with tempfile.TemporaryDirectory() as folder:
        lines = "".join(f"{number}) echo '{ending} 1' ;; " for number, ending in enumerate(endings))
        program = Path(folder) / "diagnose-tests"
        program.write_text(f"#!/bin/sh\ncd {folder}\necho >>runs\ncase $(($(wc -l <runs) - 1)) in {lines} esac\necho 1..1\n")
        program.chmod(0o755)
        return listed("planted-causes", BUILD=folder, **environment)


code, text = run_of_sample("not ok", "ok", LONG="")
tap.check_that("a suite that passes only in its second run is called flaky",
               code == 0 and "flaky: planted-causes" in text and text.endswith("\n1 passed, 0 failed\n"), text)
code, text = run_of_sample("not ok", "not ok", LONG="")
tap.check_that("one that fails twice fails",
               code == 1 and "failed twice: planted-causes" in text and text.endswith("\n0 passed, 1 failed\n"), text)
code, text = run_of_sample("not ok", "ok", LONG="1")
tap.check_that("with LONG=1 one that is flaky fails", code == 1 and text.endswith("\n0 passed, 1 failed\n"), text)
sys.exit(tap.finish())

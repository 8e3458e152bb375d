#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_shell_help.py BUILD: bash and zsh complete each command, option and value of --help, and each command has a manual page with
all its options that man reads without a warning. Prints TAP."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap

build = Path(sys.argv[1]).resolve()
tap = Tap()


def run(*command, **options):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, **options)


def help_of(*command):
    return run(build / "lttng-gpu", *command, "--help").stdout


def options_in(text):
    """The long and short names at the beginning of the lines about options."""
    return {name for line in re.findall(r"^  (-\S+)", text, re.MULTILINE) for name in line.split(",")}


commands = re.findall(r"^  (\w+) ", help_of().split("Subcommands:")[1], re.MULTILINE)
helps = {command: help_of(command) for command in commands}
tap.check_that("--help has commands", len(commands) > 5, commands)
tap.check_that("each command has options", all(len(options_in(text)) > 2 for text in helps.values()), helps)


def bash_completes(*words):
    script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lttng_gpu; printf "%s\\n" "${COMPREPLY[@]}"'
    return set(run("bash", "-c", script, "bash", build / "completion/lttng-gpu.bash", "lttng-gpu", *words).stdout.split())


def missing(expected, got, where):
    return [f"{where}: {name}" for name in sorted(set(expected) - set(got))]


def check_bash():
    tap.check("bash: commands", missing(commands, bash_completes(""), "lttng-gpu"))
    tap.check("bash: options",
              [problem for command, text in helps.items() for problem in missing(options_in(text), bash_completes(command, "-"), command)])
    choices = [(command, option, values.split(",")) for command, text in helps.items() for option, values in
               re.findall(r"^  (?:-\w,)?(--[\w-]+) \w+:\{(.*?)\}", text, re.MULTILINE)]
    tap.check("bash: values",
              [problem for command, option, values in choices
               for problem in missing(values, bash_completes(command, option, ""), f"{command} {option}")])
    tap.check_that("bash: what begins so", bash_completes("rep") == {"report"} and bash_completes("export", "--to", "sq") == {"sqlite"},
                   (bash_completes("rep"), bash_completes("export", "--to", "sq")))
    tap.check("bash: commands to record", missing(["bash"], bash_completes("record", "--", "bas"), "record --"))


def zsh_passes(*words):
    """What the function gives to zsh's own: the test's _arguments and _describe print it."""
    script = ('_arguments() { print -rl -- "$@" }; _describe() { print -rl -- "${(@P)4}" }; file=$1; shift; words=("$@"); CURRENT=$#; '
              'eval "$(<$file)"')
    return run("zsh", "-f", "-c", script, "zsh", build / "completion/_lttng-gpu", "lttng-gpu", *words)


def check_zsh():
    if not shutil.which("zsh"):
        tap.check("zsh completes", skip="no zsh")
        return
    told = zsh_passes("")
    tap.check("zsh: commands", missing(commands, re.findall(r"^(\w+):", told.stdout, re.MULTILINE), "lttng-gpu") + told.stderr.splitlines())
    problems = []
    for command, text in helps.items():
        told = zsh_passes(command, "-")
        problems += missing(options_in(text), re.findall(r"^(?:\(.*?\))?(-[\w-]+)\[", told.stdout, re.MULTILINE),
                            command) + told.stderr.splitlines()
    tap.check("zsh: options", problems)
    told = zsh_passes("export", "-")
    tap.check_that("zsh: values", re.search(r"^--to\[.*\]:value:\(ctf .*sqlite.*\)$", told.stdout, re.MULTILINE), told.stdout)


def check_pages():
    problems, warnings = [], []
    for command, text in helps.items():
        page = build / f"man/lttng-gpu-{command}.1"
        if not page.exists():
            problems.append(f"{command}: no page")
            continue
        shown = page.read_text().replace("\\-", "-")
        problems += missing(options_in(text), re.findall(r"\\fB(-[\w-]+)\\fR", shown), command)
        problems += [f"{command}: no {heading}" for heading in ("NAME", "SYNOPSIS", "OPTIONS", "SEE ALSO")
                     if f".SH {heading}\n" not in shown]
        if shutil.which("groff"):
            warnings += [f"{command}: {line}" for line in run("groff", "-man", "-Tutf8", "-ww", "-z", page).stderr.splitlines()]
    tap.check("each command has a page with all its options", problems)
    tap.check("groff has no warnings", warnings, skip="" if shutil.which("groff") else "no groff")


check_bash()
check_zsh()
check_pages()
sys.exit(tap.finish())

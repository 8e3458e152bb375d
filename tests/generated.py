# SPDX-License-Identifier: MIT
"""What the tests of generated layers share (tests/*/test_generated.py): a copy of the layer that no session reaches, programs that are
compiled and run with it, the generator with changed tables, and what the library shows to others."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import Tap

top = Path(__file__).resolve().parents[1]


class Generated:
    def __init__(self, api, build, prefix="", compiler=("gcc", "-w", "-O0"), ending="c"):
        """prefix: what each program begins with. compiler: the command, with its options."""
        self.tap = Tap()
        self.check, self.check_that = self.tap.check, self.tap.check_that
        self.work = Path(tempfile.mkdtemp(prefix=f"lttng-gpu-{api}-generated-"))
        # Without the provider beside it, so that no session of this machine makes the wrappers look at their arguments.
        self.library = Path(shutil.copy(build / f"liblttng-gpu-{api}.so", self.work))
        self.generator = top / f"userspace/preload/{api}/generate.py"
        self.table = top / f"userspace/preload/{api}/functions.toml"
        self.names = (build / f"preload/{api}/generated/{api}_names.h") if api != "gl" else None
        self.prefix, self.compiler, self.ending = prefix, compiler, ending

    def run_program(self, name, body, *arguments, **variables):
        """What it prints, and how it ended when that was no good end. variables: of its environment; None takes one away."""
        source = self.work / f"{name}.{self.ending}"
        source.write_text(self.prefix + body)
        made = subprocess.run([*self.compiler, "-o", self.work / name, source, "-ldl"], capture_output=True, text=True)
        if made.returncode:
            return [made.stderr[:3000]]
        environment = {key: value for key, value in (os.environ | variables).items() if value is not None}
        done = subprocess.run([self.work / name, *arguments], capture_output=True, text=True, timeout=60, env=environment)
        return done.stdout.splitlines() + ([f"{name} ended with {done.returncode}: {done.stderr}"] if done.returncode else [])

    def generate(self, registry, table):
        """The generator, as the build calls it; table: a path, or the text of one."""
        if isinstance(table, str):
            table, text = self.work / "changed.toml", table
            table.write_text(text)
        return subprocess.run([sys.executable, "-B", self.generator, registry, table, self.work / "out"], capture_output=True, text=True)

    def check_numbers(self, words, names):
        """Events carry a function as its number."""
        written = dict(re.findall(r'X\("(\w+)", (\d+)\)', self.names.read_text()))
        self.check(words, [f"{name}: {written.get(name)}" for number, name in enumerate(names) if written.get(name) != str(number)])

    def check_refused(self, words, done, name):
        self.check_that(words, done.returncode and name in done.stderr, done.stderr)

    def check_library(self, words, expected):
        """It shows these symbols and no others, and needs nothing that a program may not have."""
        symbols = subprocess.run(["nm", "-D", "--defined-only", self.library], capture_output=True, text=True).stdout
        self.check(words, sorted({line.split()[-1] for line in symbols.splitlines()} ^ set(expected)))
        needed = re.findall(r"NEEDED.*\[(.*)\]", subprocess.run(["readelf", "-d", self.library], capture_output=True, text=True).stdout)
        self.check("it needs the C library only", [name for name in needed if not re.match(r"lib(c|dl|pthread)\.so|ld-linux", name)])

    def finish(self):
        shutil.rmtree(self.work)
        return self.tap.finish()


def own_modules(api):
    """The generator of the API can be imported."""
    sys.path.insert(0, str(top / f"userspace/preload/{api}"))
    sys.dont_write_bytecode = True

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The suites of all folders of tests/, from the file suites.toml of each. tests/README.md says what its keys mean.
suites.py --kernel-tests: prints a line for each guest that is booted, its name and its kernel tests."""
import dataclasses
import shlex
import sys
import tomllib
from pathlib import Path

top = Path(__file__).resolve().parent.parent
LANES = ("bookworm", "trixie", "sid")
PLACES = ("host", "sessions", "layers", "beside", "recording", "kernel-test", "guest", "lane")
CONDITIONS = ("long", "root")
GUESTS = ("plain", "patching", "opengl", "opencl", "record")  # in the order of their boots


@dataclasses.dataclass
class Suite:
    name: str
    command: str
    place: str
    order: int = 0
    seconds: int = 0
    lanes: tuple = LANES
    shares: str = ""
    test: str = ""
    only: tuple = ()
    needs: str = ""
    prints: str = "TAP"
    has_second_run: bool = True
    first: str = ""
    long_command: str = ""
    is_guest: bool = False
    environment: dict = dataclasses.field(default_factory=dict)

    def words(self, is_long=False, **values):
        """The command. A word whose value is empty is left out."""
        return words_of(is_long and self.long_command or self.command, **values)


@dataclasses.dataclass
class KernelTest:
    name: str
    guest: str
    lanes: tuple = LANES
    long_lanes: tuple = ()

    def runs_on(self, lane, is_long):
        return lane in (is_long and self.long_lanes or self.lanes)


def words_of(command, **values):
    return [word for word in (word.format(**values) for word in shlex.split(command)) if word]


def tables(key, kind):
    for path in sorted((top / "tests").glob("*/suites.toml")):
        for table in tomllib.loads(path.read_text()).get(key, ()):
            try:
                yield kind(**table)
            except TypeError as error:
                sys.exit(f"{path}: {table.get('name')}: {error}")


def all_suites():
    return sorted(tables("suite", Suite), key=lambda suite: (PLACES.index(suite.place), suite.order))


def reader_of(test):
    """The suite that reads what a kernel test records, or none."""
    return next((suite for suite in all_suites() if suite.test == test), None)


def kernel_tests():
    """By the guest that they share, in the order in which they run."""
    groups = {guest: [] for guest in GUESTS}
    for test in tables("kernel_test", KernelTest):
        groups[test.guest].append(test)
    return groups


if __name__ == "__main__":
    if sys.argv[1:] != ["--kernel-tests"]:
        sys.exit(__doc__)
    for guest, tests in kernel_tests().items():
        print(guest, *(test.name for test in tests))

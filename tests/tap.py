# SPDX-License-Identifier: MIT
"""Test Anything Protocol, for the tests in Python. Those in shell have tests/kselftest/tap.sh."""


class Tap:
    def __init__(self):
        self.number = self.failures = 0

    def check(self, words, problems=(), skip=""):
        """Passes when there are no problems; the first twenty are shown."""
        self.number += 1
        self.failures += bool(problems)
        print(f"{'not ok' if problems else 'ok'} {self.number} - {words}{f' # SKIP {skip}' if skip else ''}", flush=True)
        for problem in list(problems)[:20]:
            print("# " + str(problem).replace("\n", "\n# "))

    def check_that(self, words, good, detail=""):
        self.check(words, [] if good else [detail])

    def finish(self):
        """Returns the exit code."""
        print(f"1..{self.number}")
        return 1 if self.failures else 0

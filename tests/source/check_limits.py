#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long lines, functions and files may be. `check_limits.py --sizes` prints limits.toml as it should be. TAP."""
import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(top / "tests"))
from tap import Tap

MOST_COLUMNS = 140
MOST_LINES_OF_FUNCTION = 60  # between its braces; of Python: with its first line
MOST_LINES_OF_FILE = 400
HEAD = """# SPDX-License-Identifier: MIT
# What is over the limits of check_limits.py, with its size: how many lines are too long, the lines of the longest function, the
# lines of the file. These can only shrink: a size that grows fails, and so does one that is smaller than it says here.
"""
BRACED = (".c", ".h", ".cpp", ".hpp", ".js", ".mjs")
ENDINGS = (*BRACED, ".py", ".sh", ".mk", ".layout", ".fire", ".toml", ".css", ".html", ".md", ".1")
NAMES = ("Makefile", "Kbuild", "control")
RECORDED = re.compile(r"tests/(golden|readers/traces|export/traces|fuzz/corpus)/.*(?<!\.py)$")


def listed():
    names = subprocess.run(["git", "-C", top, "ls-files", "--cached", "--others", "--exclude-standard"], capture_output=True, text=True).stdout
    for name in names.splitlines():
        path = top / name
        if path.is_file() and not RECORDED.fullmatch(name):
            text = path.read_bytes()
            if path.suffix in ENDINGS or path.name in NAMES or path.suffix == "" and text.startswith(b"#!"):
                yield name, path.suffix, text.decode(errors="replace")


def long_lines(text):
    """Tabs go to every eighth column, as in the kernel."""
    return sum(len(line.expandtabs(8)) > MOST_COLUMNS for line in text.split("\n"))


def functions_of_python(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            yield node.end_lineno - node.lineno + 1


def functions_in_braces(text, is_script=False):
    """A function's brace stands alone, or in JavaScript at the end of its first line, and one below it ends the function."""
    first = (r"(\s*)(?:(?:export )?(?:async )?function\b.*|(?:async |static |get |set )*(?!if|for|while|switch|catch)\w+\([^=]*\) )\{"
             if is_script else r"(\s*)\{")
    lines = text.split("\n")
    for begin, line in enumerate(lines):
        if opened := re.fullmatch(first, line):
            yield next((end for end in range(begin + 1, len(lines)) if re.match(opened[1] + r"\}", lines[end])), begin) - begin - 1


def longest_function(suffix, text):
    if suffix == ".py" or text.startswith("#!/usr/bin/env python3"):
        return max(functions_of_python(text), default=0)
    return max(functions_in_braces(text, suffix in (".js", ".mjs")), default=0) if suffix in BRACED else 0


def sizes():
    """{what: {file: size}} of what is over the limits."""
    over = {"lines": {}, "functions": {}, "files": {}}
    for name, suffix, text in listed():
        lines, function, size = long_lines(text), longest_function(suffix, text), text.count("\n")
        if lines:
            over["lines"][name] = lines
        if function > MOST_LINES_OF_FUNCTION:
            over["functions"][name] = function
        if size > MOST_LINES_OF_FILE and re.match("(userspace|modules)/", name):
            over["files"][name] = size
    return over


def check_limit(tap, words, over, known):
    """A file that limits.toml lists may not grow, and one that no longer needs it leaves the list."""
    tap.check(words, [f"{name}: {size}, at most {known.get(name, 'none')}" for name, size in over.items() if size > known.get(name, 0)])
    tap.check("... and the list has sizes as they are", [f"{name}: {size}, not {over.get(name, 'over the limit')}"
                                                         for name, size in known.items() if size > over.get(name, 0)])


def main():
    over = sizes()
    if sys.argv[1:] == ["--sizes"]:
        print(HEAD, end="")
        for what, files in over.items():
            print("", f"[{what}]", *(f'"{name}" = {size}' for name, size in sorted(files.items())), sep="\n")
        return 0
    tap = Tap()
    known = tomllib.loads((top / "tests/source/limits.toml").read_text())
    check_limit(tap, f"no line has more than {MOST_COLUMNS} columns", over["lines"], known["lines"])
    check_limit(tap, f"no function has more than {MOST_LINES_OF_FUNCTION} lines", over["functions"], known["functions"])
    check_limit(tap, f"no file of userspace/ and modules/ has more than {MOST_LINES_OF_FILE} lines", over["files"], known["files"])
    long = "x" * (MOST_COLUMNS - 7)
    tap.check_that("columns are counted", (long_lines(f"{long}1234567\n"), long_lines(f"{long}12345678\n"), long_lines(f"\t{long}\n")) == (0, 1, 1))
    body = "    f();\n" * 61
    sample = [*functions_in_braces(f"void f()\n{{\n{body}}}\n"), *functions_in_braces(f"export function f() {{\n{body}}}\n", True)]
    tap.check_that("functions are measured", sample == [61, 61] and longest_function(".py", "def f():\n" + "    g()\n" * 60) == 61, sample)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())

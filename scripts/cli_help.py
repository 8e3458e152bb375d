# SPDX-License-Identifier: MIT
"""What the texts of --help say: commands, options, values. They are the definition of the command line that everybody sees, so the
shells' completions and the manual pages are made of them, and have what the program has."""
import re
import subprocess


class Option:
    def __init__(self, names, value, choices, text):
        self.names, self.value, self.choices, self.text = names, value, choices, text

    @property
    def long_name(self):
        return next((name for name in self.names if name.startswith("--")), self.names[0])

    def is_file(self):
        return not self.choices and bool(re.search(r"FILE|DIR|director|file", self.text))


class Command:
    """`notes` is what follows the options."""

    def __init__(self, name, text, options, arguments, notes):
        self.name, self.text, self.options, self.arguments, self.notes = name, text, options, arguments, notes


def sections_of(help_text):
    """(the first line, {heading: its lines}, what follows)"""
    lines = help_text.splitlines()
    sections, notes, heading = {}, [], None
    for line in lines[1:]:
        if line == "On this machine:":  # what follows is of no other
            break
        if re.fullmatch(r"[A-Z][A-Za-z ]*:", line) and not notes:
            heading = line[:-1]
            sections[heading] = []
        elif heading and (line.startswith("  ") or not line):
            sections[heading].append(line)
        elif heading:
            notes.append(line)
            continue
        if notes and heading and line.startswith(" "):
            notes.append(line)
    return lines[0], sections, notes


def entries_of(lines):
    """(what is at the left, its text): the text may begin on the next line and go on after that."""
    entries = []
    for line in filter(None, lines):
        found = re.match(r"  (\S.*?)(?:\s{2,}(\S.*))?$", line) if line[2] != " " else None
        if found:
            entries.append([found[1], found[2] or ""])
        elif entries:
            entries[-1][1] = f"{entries[-1][1]} {line.strip()}".strip()
    return entries


def option_of(left, text):
    names, _, rest = left.partition(" ")
    choices = re.search(r":\{(.*?)\}", rest)
    value = re.match(r"[A-Z]+", rest)
    # TEXT is what CLI11 calls any value.
    return Option(names.split(","), bool(value), choices[1].split(",") if choices else [], re.sub(r"\s*\(see --help\)", "", text))


def help_of(program, *command):
    return subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True).stdout


def command_of(program, name, text):
    _, sections, notes = sections_of(help_of(program, name))
    options = [option_of(*entry) for entry in entries_of(sections.get("Options", [])) if entry[0].startswith("-")]
    arguments = [(left.split()[0], text) for left, text in entries_of(sections.get("Positionals", []))]
    return Command(name, text, options, arguments, notes)


def command_line_of(program):
    """(the program's own options, its commands)"""
    _, sections, _ = sections_of(help_of(program))
    options = [option_of(*entry) for entry in entries_of(sections["Options"])]
    return options, [command_of(program, name, text) for name, text in entries_of(sections["Subcommands"])]

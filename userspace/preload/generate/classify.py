# SPDX-License-Identifier: MIT
"""What a layer does at each function: reads its functions.toml, checks it against the model."""
import tomllib
from dataclasses import dataclass


class Unclassified(Exception):
    pass


@dataclass(frozen=True)
class Treatment:
    section: str  # passed, calls, hooks, creates, retains, releases, fills, enqueues
    detail: object = None  # the hook's name, the kind of object, or the enqueued command's row
    blocks: bool = False


def add(treatments, name, treatment):
    if name in treatments:
        raise Unclassified(f"functions.toml has {name} twice")
    treatments[name] = treatment


def read_table(path):
    with open(path, "rb") as file:
        table = tomllib.load(file)
    treatments = {}
    for section in ("passed", "calls", "fills"):
        for name in table.get(section, {"functions": ""})["functions"].split():
            add(treatments, name, (section, None))
    for section in ("hooks", "enqueues"):
        for name, detail in table.get(section, {}).items():
            add(treatments, name, (section, detail))
    for section in ("creates", "retains", "releases"):
        for kind, names in table.get(section, {}).items():
            for name in names.split():
                add(treatments, name, (section, kind))
    return treatments, set(table["blocks"]["functions"].split())


def classify(model, path, enqueue_prefix):
    """Name -> Treatment, of every entry and every extension function. Raises Unclassified. An extension's function
    whose name begins with enqueue_prefix puts a command into a queue, and must be in the table; others need not."""
    rows, blocking = read_table(path)
    missing = [name for name in model.entries if name not in rows]
    if missing:
        raise Unclassified(f"{path} does not say what to do at: {', '.join(missing)}")
    for name in model.entries:
        if (rows[name][0] == "passed") == (name in model.functions):
            raise Unclassified(f"{name} is{'' if name in model.functions else ' not'} declared by the headers, but {rows[name][0]} in {path}")
    forgotten = [name for name in model.extensions if name.startswith(enqueue_prefix) and name not in rows]
    if forgotten:
        raise Unclassified(f"{path} does not say what command is enqueued by: {', '.join(forgotten)}")
    return {name: Treatment(*rows.get(name, ("calls", None)), blocks=name in blocking)
            for name in model.entries + model.extensions}

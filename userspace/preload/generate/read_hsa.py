# SPDX-License-Identifier: MIT
"""Reads the installed HSA headers into a model: hsa_api_trace.h for the tables that a tool is given, the others for
prototypes."""
import re
from pathlib import Path

from api_model import Function, Model, Parameter
from read_opencl import closing, split_parameters, without_comments

HEADERS = ("hsa.h", "hsa_ext_amd.h", "hsa_ext_finalize.h", "hsa_ext_image.h", "hsa_api_trace.h")
PROTOTYPE = re.compile(r"^[ \t]*((?:const\s+)?\w+(?:\s*\*)?)\s+(?:HSA_API\s+)?(?:HSA_DEPRECATED\s+)?(hsa_\w+)\s*\(", re.MULTILINE)
# A member of HsaApiTable, its type, and the label of its functions.
TABLES = (("core_", "CoreApiTable"), ("amd_ext_", "AmdExtTable"), ("finalizer_ext_", "FinalizerExtTable"), ("image_ext_", "ImageExtTable"))


def read_parameter(text, index):
    pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)\s*\(", text)
    if pointer:
        return Parameter(pointer[1], text)
    array = re.match(r"(.*\w)\s*\[\s*\w*\s*\]$", text)
    if array:
        text = re.sub(r"(\w+)$", r"*\1", array[1])
    words = re.match(r"(.*[\s*])(\w+)$", text)
    if words and words[1].strip() not in ("", "const", "struct"):
        return Parameter(words[2], f"{words[1].strip()} {words[2]}")
    return Parameter(f"argument{index}", f"{text} argument{index}")


def read_header(text):
    functions = {}
    for match in PROTOTYPE.finditer(text):
        if match[1] in ("return", "typedef"):
            continue
        end = closing(text, match.end())
        parts = split_parameters(text[match.end():end])
        parts = [] if parts in ([""], ["void"]) else parts
        functions.setdefault(match[2], Function(match[2], " ".join(match[1].split()),
                                                tuple(read_parameter(part, index) for index, part in enumerate(parts))))
    return functions


def read_table(text, name):
    table = re.search(rf"struct\s+{name}\s*\{{(.*?)\}}\s*;", text, re.DOTALL)
    return re.findall(r"\*\s*(hsa_\w+)_fn\s*;", table[1]) if table else []


def read_model(folder):
    """The model, and the member of HsaApiTable, its type and the functions of each table."""
    folder = Path(folder)
    model = Model()
    for header in HEADERS:
        for name, function in read_header(without_comments((folder / header).read_text())).items():
            model.functions.setdefault(name, function)
    text = without_comments((folder / "hsa_api_trace.h").read_text())
    tables = [(member, kind, read_table(text, kind)) for member, kind in TABLES]
    model.entries = [name for _, _, names in tables for name in names]
    model.functions = {name: model.functions[name] for name in model.entries if name in model.functions}
    return model, tables

# SPDX-License-Identifier: MIT
"""Reads the installed OpenCL headers into a model: cl_icd.h for the dispatch table, the others for prototypes. Later
headers keep the function types in cl_function_types.h and may drop prototypes behind CL_NO_PROTOTYPES; both are read."""
import re
from pathlib import Path

from api_model import Function, Model, Parameter

PROTOTYPE = re.compile(r"extern\s+CL_API_ENTRY\s+([^;{}]*?)\s*CL_API_CALL\s+(cl\w+)\s*\(", re.DOTALL)
TYPE = re.compile(r"typedef\s+([^;{}()]*?)\s*\(?\s*CL_API_CALL\s*\*?\s*(cl\w+?)_(?:fn|t)\s*\)?\s*\(", re.DOTALL)
# Headers whose functions are part of the API itself or of its dispatch table; those of the rest are extensions.
HEADERS = ("cl.h", "cl_ext.h", "cl_gl.h", "cl_gl_ext.h", "cl_egl.h", "cl_ext_intel.h", "cl_function_types.h",
           "cl_va_api_media_sharing_intel.h")
NOT_ON_LINUX = ("cl_va_api_media_sharing_intel.h",)  # needs va/va.h


def closing(text, begin):
    """Where the parenthesis that opened just before `begin` closes."""
    depth = 1
    for at in range(begin, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if not depth:
            return at
    raise ValueError("unbalanced parentheses")


def split_parameters(text):
    parts, depth, begin = [], 0, 0
    for at, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and not depth:
            parts.append(text[begin:at])
            begin = at + 1
    parts.append(text[begin:])
    return [" ".join(part.split()) for part in parts]


def read_parameter(text, index):
    pointer = re.search(r"\(\s*CL_CALLBACK\s*\*\s*(\w*)\s*\)", text)
    if pointer:
        name = pointer[1] or f"argument{index}"
        return Parameter(name, text[:pointer.start()] + f"(CL_CALLBACK* {name})" + text[pointer.end():])
    array = re.match(r"(.*\w)\s*\[\s*\w*\s*\]$", text)
    if array:
        text = re.sub(r"(\w+)$", r"*\1", array[1])
    words = re.match(r"(.*[\s*])(\w+)$", text)
    if words and words[1].strip() not in ("", "const", "unsigned", "struct"):
        return Parameter(words[2], f"{words[1].strip()} {words[2]}")
    return Parameter(f"argument{index}", f"{text} argument{index}")


def read_function(name, result, parameters):
    result = re.sub(r"CL_API_PREFIX__\w+|CL_API_SUFFIX__\w+", "", result)
    parts = split_parameters(parameters)
    if parts in ([""], ["void"]):
        parts = []
    return Function(name, " ".join(result.split()), tuple(read_parameter(part, index) for index, part in enumerate(parts)))


def without_comments(text):
    return re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL))


def read_header(text):
    """Prototypes first: they name their parameters."""
    functions = {}
    for pattern in (PROTOTYPE, TYPE):
        for match in pattern.finditer(text):
            end = closing(text, match.end())
            functions.setdefault(match[2], read_function(match[2], match[1], text[match.end():end]))
    return functions


def read_entries(text):
    table = re.search(r"typedef\s+struct\s+_cl_icd_dispatch\s*\{(.*?)\}\s*cl_icd_dispatch\s*;", text, re.DOTALL)
    return re.findall(r"\b(cl\w+)\s*;", re.sub(r"^\s*#.*$", "", table[1], flags=re.MULTILINE))


def read_model(folder):
    folder = Path(folder)
    model = Model()
    for header in HEADERS:
        path = folder / header
        if not path.exists() or header in NOT_ON_LINUX:
            continue
        text = without_comments(path.read_text())
        for name, function in read_header(text).items():
            model.functions.setdefault(name, function)
        for name, value in re.findall(r"^#define\s+(CL_(?:COMMAND|MEM_OBJECT)_\w+)\s+(0x[0-9A-Fa-f]+)\s*$", text, re.MULTILINE):
            model.constants[name] = int(value, 16)
    model.entries = read_entries(without_comments((folder / "cl_icd.h").read_text()))
    # The loader's own, and what never leaves Apple's or the loader's library.
    model.extensions = [name for name in model.functions
                        if name not in model.entries and not name.endswith("APPLE") and name != "clIcdGetPlatformIDsKHR"]
    return model

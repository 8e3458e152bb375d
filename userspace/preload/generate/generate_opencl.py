#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generates the OpenCL layer: generate_opencl.py HEADERS FUNCTIONS.TOML OUTPUT, HEADERS being the folder of cl_icd.h."""
import sys
from pathlib import Path

from classify import Unclassified, classify
from emit_opencl import emit_functions, emit_map, emit_names, emit_preload, emit_wrappers
from read_opencl import read_model


def main():
    headers, table, output = sys.argv[1:4]
    model = read_model(headers)
    try:
        treatments = classify(model, table)
    except Unclassified as error:
        sys.exit(f"generate_opencl.py: {error}")
    output = Path(output)
    output.mkdir(parents=True, exist_ok=True)
    for name, text in (("opencl_names.h", emit_names(model)), ("functions.hpp", emit_functions(model, treatments)),
                       ("wrappers.cpp", emit_wrappers(model, treatments)), ("symbols.cpp", emit_preload(model, treatments)),
                       ("layer.map", emit_map(model, treatments))):
        path = output / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


if __name__ == "__main__":
    main()

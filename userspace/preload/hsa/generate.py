#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generates the HSA layer: generate.py HEADERS FUNCTIONS.TOML OUTPUT, HEADERS being the folder of hsa_api_trace.h. Here
stands what wrappers of HSA functions do and how they come into the runtime's tables; what all layers have is in
../generate."""
import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "generate"))
from api_model import Api  # noqa: E402
from classify import Treatment, Unclassified, read_table  # noqa: E402
from emit_layer import emit_functions, emit_names, emit_wrapper, head, wrapped  # noqa: E402
from read_hsa import read_model  # noqa: E402

DOORS = ("OnLoad", "OnUnload")
INCLUDED = ("hsa_ext_image.h", "hsa_ext_amd.h", "hsa_ext_finalize.h")  # by hsa_api_trace.h, as "inc/NAME"


def classify_hsa(model, path):
    """Name -> Treatment, of every function of the tables. Raises Unclassified."""
    rows, blocking = read_table(path)
    with open(path, "rb") as file:
        rows |= {name: ("quiet", detail) for name, detail in tomllib.load(file)["quiet"].items()}
    unknown = [name for name in [*rows, *blocking] if name not in model.entries]
    if unknown:
        raise Unclassified(f"{path} has what no table has: {', '.join(unknown)}")
    undeclared = [name for name in model.entries if name not in model.functions]
    if undeclared:
        raise Unclassified(f"no header declares: {', '.join(undeclared)}")
    return {name: Treatment(*rows.get(name, ("calls", None)), blocks=name in blocking) for name in model.entries}


def watches(treatment):
    if treatment.section in ("hooks", "quiet"):
        return f"watches_{treatment.detail}()"
    return "watches_blocking_calls()" if treatment.blocks else "watches_calls()"


def body(function, treatment):
    arguments = ", ".join(function.names)
    if treatment.section == "quiet":
        if treatment.detail == "store_signal":
            arguments = f"Name::{function.name}, real, {arguments}"
        else:
            arguments = f"real, {arguments}"
        return [f"    return {treatment.detail}({arguments});"]
    lines = [f"    Call call{{Name::{function.name}}};"]
    if treatment.blocks:
        lines.append("    call.may_block();")
    if treatment.section == "hooks":
        return lines + [f"    return {treatment.detail}({', '.join(['call', 'real', *function.names])});"]
    if function.result == "void":
        return lines + [f"    real({arguments});", "    call.returned(0);"]
    # Parameters may have the name "result".
    code = "told" if function.result == "hsa_status_t" else "0"
    return lines + [f"    const auto told = real({arguments});", f"    call.returned({code});", "    return told;"]


HSA = Api(
    name="hsa", source="the HSA headers", headers="hsa_headers.hpp", calling="",
    wrapper_headers=("calls.hpp", "hooks.hpp", "tables.hpp"), doors=DOORS,
    enumerations=lambda model: [], watches=watches, prologue=lambda function: [], body=body,
    works_in_section=lambda treatment: False, missing=lambda function: [])


def emit_wrappers(model, treatments, tables, settled):
    functions = wrapped(model, treatments)
    lines = [head(HSA), *[f"#include \"{name}\"" for name in HSA.wrapper_headers], "", "namespace lttng_gpu::hsa {", ""]
    for _, function, treatment in functions:
        lines += emit_wrapper(HSA, function, treatment)
    lines += ["const TableSlot table_slots[] = {"]
    for number, (member, kind, names) in enumerate(tables):
        for place, name in enumerate(names):
            if treatments[name].section != "passed":
                is_settled = "true" if place < settled.get(member, 0) else "false"
                lines.append(f"    {{{number}, {is_settled}, offsetof({kind}, {name}_fn), offsetof(Functions, {name}), "
                             f"reinterpret_cast<void*>(&wrapped_{name}<0>)}},")
    lines += ["};", "const unsigned table_slots_count = sizeof(table_slots) / sizeof(*table_slots);", "",
              "} // namespace lttng_gpu::hsa", ""]
    return "\n".join(lines)


def emit_checks(tables):
    """The generator reads the tables as text; the compiler says whether it read them rightly."""
    lines = [head(HSA), "#include \"tables.hpp\"", "", "namespace lttng_gpu::hsa {", "",
             "const unsigned table_bytes[] = {", *[f"    sizeof({kind})," for _, kind, _ in tables], "};", ""]
    for _, kind, names in tables:
        lines.append(f"static_assert(sizeof({kind}) == sizeof(ApiTableVersion) + {len(names)} * sizeof(void*));")
        lines += [f"static_assert(offsetof({kind}, {name}_fn) == sizeof(ApiTableVersion) + {place} * sizeof(void*));"
                  for place, name in enumerate(names)]
    return "\n".join([*lines, "", "} // namespace lttng_gpu::hsa", ""])


def emit_map():
    return "\n".join([f"/* {head(HSA).strip()[3:]} */", "{", "global:", *[f"\t{name};" for name in DOORS], "local:", "\t*;", "};", ""])


def write(path, text):
    """A file that has not changed is left alone, so that nothing is compiled anew because of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    headers, table, output = map(Path, sys.argv[1:4])
    model, tables = read_model(headers)
    try:
        treatments = classify_hsa(model, table)
    except Unclassified as error:
        sys.exit(f"generate.py: {error}")
    with open(table, "rb") as file:
        settled = tomllib.load(file)["settled"]
    write(output / "hsa_names.h", emit_names(HSA, model))
    write(output / "functions.hpp", emit_functions(HSA, model, treatments))
    write(output / "wrappers.cpp", emit_wrappers(model, treatments, tables, settled))
    write(output / "symbols.cpp", emit_checks(tables))
    write(output / "layer.map", emit_map())
    for name in INCLUDED:
        write(output / "inc" / name, f"#include \"{headers.resolve() / name}\"\n")


if __name__ == "__main__":
    main()

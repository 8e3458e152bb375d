# SPDX-License-Identifier: MIT
"""Writes the generated part of a layer: names, wrappers, tables and preloaded symbols. What differs between APIs is in
their Api (api_model.py)."""
from pathlib import Path


def generated_from(api):
    return f"Generated from {api.source} by userspace/preload/generate."


def head(api):
    return f"// {generated_from(api)}\n"


def wrapped(model, treatments):
    """Numbered as the function enumeration is: dispatch entries by their place, then extensions."""
    names = model.entries + model.extensions
    return [(number, model.functions[name], treatments[name]) for number, name in enumerate(names)
            if treatments[name].section != "passed"]


def wrapped_entries(model, treatments):
    return [function for _, function, _ in wrapped(model, treatments) if function.name in model.entries]


def named_pointer(api, function, name):
    return f"{function.result}({api.calling}* {name})({function.declared})"


def emit_names(api, model):
    """Labels and numbers of the enumerations that events have."""
    functions = [(name, number) for number, name in enumerate(model.entries + model.extensions)]
    lines = [f"/* {generated_from(api)} */", "#pragma once", ""]
    for enumeration, rows in [("FUNCTIONS", functions), *api.enumerations(model)]:
        rows = [f"\tX(\"{label}\", {number})" for label, number in rows]
        lines += [" \\\n".join([f"#define LTTNG_GPU_{api.name.upper()}_{enumeration}(X)", *rows]), ""]
    return "\n".join(lines)


def emit_functions(api, model, treatments):
    """The header of what follows: every function that is wrapped, by its type."""
    functions = wrapped(model, treatments)
    return "\n".join([
        head(api), "#pragma once", "", f"#include \"{api.headers}\"", "", f"namespace lttng_gpu::{api.name} {{", "",
        "/// The functions of the next layer or of the driver; null where it has none.", "struct Functions {",
        *[f"    {named_pointer(api, function, function.name)} = nullptr;" for _, function, _ in functions], "};", "",
        f"constexpr unsigned entries_count = {len(model.entries)};", "",
        "enum class Name : unsigned short {", *[f"    {function.name} = {number}," for number, function, _ in functions], "};", "",
        f"}} // namespace lttng_gpu::{api.name}", ""])


def pass_on_in_section(api, function, treatment):
    """A signal handler's call in the middle of the layer's own work."""
    return [] if api.works_in_section(treatment) else ["    if (is_in_section())", f"        return real({', '.join(function.names)});"]


def emit_wrapper(api, function, treatment):
    declared = f"{function.declared}, " if function.parameters else ""
    passed = "".join(f"{name}, " for name in function.names)
    return [
        f"[[gnu::noinline]] static {function.result} traced_{function.name}({declared}{named_pointer(api, function, 'real')})", "{",
        *pass_on_in_section(api, function, treatment), *api.prologue(function), *api.body(function, treatment), "}", "",
        # Two of a line: across the end of one, a call that is not recorded costs half as much again.
        "template <unsigned slot>", f"[[gnu::aligned(32)]] static {function.result} {api.calling} wrapped_{function.name}({function.declared})", "{",
        f"    if (likely(!{api.watches(treatment)}))", f"        return functions[slot].{function.name}({', '.join(function.names)});",
        f"    return traced_{function.name}({passed}functions[slot].{function.name});", "}", ""]


def emit_wrappers(api, model, treatments):
    functions = wrapped(model, treatments)
    lines = [head(api), *[f"#include \"{name}\"" for name in api.wrapper_headers], "", f"namespace lttng_gpu::{api.name} {{", ""]
    for _, function, treatment in functions:
        lines += emit_wrapper(api, function, treatment)
    lines += ["const EntryWrapper entry_wrappers[entries_count] = {"]
    for name in model.entries:
        if treatments[name].section == "passed":
            lines.append("    {nullptr, 0}, // " + name)
        else:
            lines.append(f"    {{reinterpret_cast<void*>(&wrapped_{name}<0>), offsetof(Functions, {name})}},")
    lines += ["};", "", "const ExtensionWrapper extension_wrappers[] = {"]
    for _, function, _ in sorted(functions, key=lambda row: row[1].name):
        slots = ", ".join(f"reinterpret_cast<void*>(&wrapped_{function.name}<{slot}>)" for slot in range(1, 5))
        lines.append(f"    {{\"{function.name}\", offsetof(Functions, {function.name}), {{{slots}}}}},")
    lines += ["};", f"const unsigned extension_wrappers_count = {len(functions)};", "", f"}} // namespace lttng_gpu::{api.name}", ""]
    return "\n".join(lines)


def emit_preload(api, model, treatments):
    """Each symbol jumps through its pointer: at first to what resolves all of them, then to the wrapper."""
    core = wrapped_entries(model, treatments)
    lines = [head(api), "#include \"preload.hpp\"", "#include \"tables.hpp\"", "", f"namespace lttng_gpu::{api.name} {{", ""]
    for function in core:
        lines += [f"static {function.result} {api.calling} first_{function.name}({function.declared});"]
    lines += ["", "/// What the symbols of the same names jump to.", "static Functions symbols = {"]
    lines += [f"    .{function.name} = first_{function.name}," for function in core] + ["};", ""]
    for function in core:
        arguments = ", ".join(function.names)
        lines += [f"static {function.result} {api.calling} first_{function.name}({function.declared})", "{", "    resolve_symbols();",
                  f"    return symbols.{function.name}({arguments});", "}", ""]
    # An extension's or a newer version's function that an older driver lacks: it fails, as it would in a driver that has it.
    for function in core:
        lines += [f"static {function.result} {api.calling} missing_{function.name}({function.declared})", "{", *api.missing(function), "}", ""]
    lines += ["static const Functions missing = {", *[f"    .{function.name} = missing_{function.name}," for function in core], "};", "",
              "const void* missing_symbols()", "{", "    return &missing;", "}", ""]
    lines += ["void* preloaded_symbols()", "{", "    return &symbols;", "}", "",
              "const char* const entry_names[entries_count] = {"]
    lines += [f"    \"{name}\"," for name in model.entries] + ["};", "", f"}} // namespace lttng_gpu::{api.name}", "", "extern \"C\" {", ""]
    for function in core:
        lines += [f"LTTNG_GPU_PRELOADED {function.result} {api.calling} {function.name}({function.declared})", "{",
                  f"    return lttng_gpu::{api.name}::symbols.{function.name}({', '.join(function.names)});", "}", ""]
    return "\n".join(lines + ["} // extern \"C\"", ""])


def emit_map(api, model, treatments):
    names = sorted(function.name for function in wrapped_entries(model, treatments))
    return "\n".join([f"/* {generated_from(api)} */", "{", "global:", *[f"\t{name};" for name in [*api.doors, *names]],
                      "local:", "\t*;", "};", ""])


def emit_layer(api, model, treatments, folder):
    """Files that have not changed are left alone, so that nothing is compiled anew because of them."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in ((f"{api.name}_names.h", emit_names(api, model)), ("functions.hpp", emit_functions(api, model, treatments)),
                       ("wrappers.cpp", emit_wrappers(api, model, treatments)), ("symbols.cpp", emit_preload(api, model, treatments)),
                       ("layer.map", emit_map(api, model, treatments))):
        path = folder / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)

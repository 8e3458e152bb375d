#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generates the Vulkan layer: generate.py VK.XML FUNCTIONS.TOML OUTPUT. Only the functions of functions.toml are wrapped;
the next layer's are given to the program for all others, also for those that no registry knows yet."""
import re
import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "generate"))
from read_vulkan import is_of_device, read_model, read_object_types  # noqa: E402

HEAD = "Generated from vk.xml by userspace/preload/vulkan/generate.py."
LISTS = ("calls", "doors", "used")
TABLES = ("waits", "pipelines", "counts", "hooks")


class Unclassified(Exception):
    pass


def read_table(path):
    with open(path, "rb") as file:
        return tomllib.load(file)


def classify(model, path):
    """(name -> (section, detail) of what is wrapped, names that block, names of doors, names of what the layer uses)."""
    table = read_table(path)
    rows = {}
    for section in (*LISTS, *TABLES):
        entries = table[section]
        details = dict.fromkeys(entries["functions"].split()) if section in LISTS else entries
        for name, detail in details.items():
            if name in rows:
                raise Unclassified(f"{path} has {name} twice")
            rows[name] = (section, detail)
    for kind, pattern in table["commands"].items():
        names = [name for name in model.functions if re.fullmatch(pattern, name)]
        if not names:
            raise Unclassified(f"{path}: no command is {pattern}")
        rows |= {name: ("commands", kind) for name in names}
    later = table["later"]["functions"].split()
    unknown = [name for name in rows if name not in model.functions and name not in later]
    if unknown:
        raise Unclassified(f"{path} has what the registry does not: {', '.join(unknown)}")
    rows = {name: row for name, row in rows.items() if name in model.functions}
    strangers = [name for name, row in rows.items() if row[0] not in ("doors", "used") and not is_of_device(model.functions[name])]
    if strangers:
        raise Unclassified(f"{path}: no device is known by the first argument of {', '.join(strangers)}")
    return rows, set(table["blocks"]["functions"].split())


def wrapped(rows):
    return [name for name, (section, _) in rows.items() if section not in ("doors", "used", "commands")]


def counted(rows):
    """What is wrapped only if the program asks for it."""
    return [name for name, (section, _) in rows.items() if section == "commands"]


def numbered(rows):
    return [name for name, (section, _) in rows.items() if section not in ("used", "commands")]


def loaded(rows, model):
    """What is in a device's table."""
    return [name for name, (section, _) in rows.items() if section != "doors" and is_of_device(model.functions[name])]


def emit_names(rows, object_types):
    lines = [f"/* {HEAD} */", "#pragma once", ""]
    for title, names in (("FUNCTIONS", [(name, number) for number, name in enumerate(numbered(rows))]), ("OBJECT_TYPES", object_types)):
        entries = [f"\tX(\"{label}\", {number})" for label, number in names]
        lines += [" \\\n".join([f"#define LTTNG_GPU_VULKAN_{title}(X)", *entries]), ""]
    return "\n".join(lines)


def emit_functions(rows, model):
    names = loaded(rows, model)
    return "\n".join([
        f"// {HEAD}", "#pragma once", "", "#include \"vulkan_headers.hpp\"", "", "namespace lttng_gpu::vulkan {", "",
        "/// The next layer's functions for one device; null where it has none.", "struct Functions {",
        *[f"    PFN_{name} {name};" for name in names], "};", "",
        f"constexpr unsigned functions_count = {len(names)};",
        "/// In the order of Functions.", "extern const char* const function_names[functions_count];", "",
        "enum class Name : unsigned short {", *[f"    {name} = {number}," for number, name in enumerate(numbered(rows))], "};", "",
        "} // namespace lttng_gpu::vulkan", ""])


def watches(section, detail):
    if section == "hooks":
        return f"watches_{detail}()"
    return f"watches_{section}()"


def body(function, section, detail, blocks):
    name, names = function.name, function.names
    arguments = ", ".join(names)
    lines = [f"    Call call{{Name::{name}}};"]
    if blocks:
        lines.append("    call.may_block();")
    if section == "hooks":
        return lines + [f"    return {detail}({', '.join(['call', 'own', f'own.next.{name}', *names])});"]
    void = function.result == "void"
    lines.append(f"    {'' if void else 'const auto result = '}own.next.{name}({arguments});")
    result = "VK_SUCCESS" if void else "result"
    if section == "calls":
        lines.append(f"    call.returned({result});")
    else:
        lines.append(f"    {section}_returned(call, own, {result}, {detail});")
    return lines if void else [*lines, "    return result;"]


def emit_count(function, detail):
    return [f"    if (likely(!watches_counts()))", f"        return own.next.{function.name}({', '.join(function.names)});",
            f"    __atomic_fetch_add(&own.counts.{detail}, 1, __ATOMIC_RELAXED);",
            f"    return own.next.{function.name}({', '.join(function.names)});", "}", ""]


def emit_wrapper(function, section, detail, blocks):
    head = [f"static VKAPI_ATTR {function.result} VKAPI_CALL wrapped_{function.name}({function.declared})", "{",
            f"    Device& own = device_of({function.names[0]});"]
    if section == "counts":
        return [*head, *emit_count(function, detail)]
    arguments = ", ".join(function.names)
    return [f"[[gnu::noinline]] static {function.result} traced_{function.name}(Device& own, {function.declared})", "{",
            "    if (is_in_section())", f"        return own.next.{function.name}({arguments});",
            *body(function, section, detail, blocks), "}", "", *head,
            f"    if (likely(!{watches(section, detail)}))", f"        return own.next.{function.name}({arguments});",
            f"    return traced_{function.name}(own, {arguments});", "}", ""]


def emit_command(function, kind):
    return [f"static VKAPI_ATTR {function.result} VKAPI_CALL counted_{function.name}({function.declared})", "{",
            f"    Device& own = device_of({function.names[0]});", f"    count_command(own, &CommandCounts::{kind});",
            f"    own.next.{function.name}({', '.join(function.names)});", "}", ""]


def emit_table(table, prefix, names):
    return [f"const Wrapper {table}[] = {{",
            *[f"    {{\"{name}\", reinterpret_cast<PFN_vkVoidFunction>(&{prefix}_{name})}}," for name in sorted(names)],
            "};", f"const unsigned {table}_count = {len(names)};"]


def emit_wrappers(rows, blocking, model):
    lines = [f"// {HEAD}", "#include \"commands.hpp\"", "#include \"hooks.hpp\"", "#include \"wrappers.hpp\"", "", "namespace lttng_gpu::vulkan {", ""]
    for name in wrapped(rows):
        lines += emit_wrapper(model.functions[name], *rows[name], name in blocking)
    for name in counted(rows):
        lines += emit_command(model.functions[name], rows[name][1])
    lines += ["/// Sorted by name.", *emit_table("wrappers", "wrapped", wrapped(rows)), *emit_table("command_wrappers", "counted", counted(rows))]
    return "\n".join([*lines, "", "} // namespace lttng_gpu::vulkan", ""])


def emit_symbols(rows, model):
    return "\n".join([f"// {HEAD}", "#include \"functions.hpp\"", "", "namespace lttng_gpu::vulkan {", "",
                      "const char* const function_names[functions_count] = {", *[f"    \"{name}\"," for name in loaded(rows, model)], "};", "",
                      "} // namespace lttng_gpu::vulkan", ""])


def emit_map():
    return "\n".join([f"/* {HEAD} */", "{", "global:", "\tvkNegotiateLoaderLayerInterfaceVersion;", "local:", "\t*;", "};", ""])


def main():
    registry, table, folder = sys.argv[1:4]
    model = read_model(registry)
    try:
        rows, blocking = classify(model, table)
    except Unclassified as error:
        sys.exit(f"generate.py: {error}")
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    # Files that have not changed are left alone, so that nothing is compiled anew because of them.
    for name, text in (("vulkan_names.h", emit_names(rows, read_object_types(registry))), ("functions.hpp", emit_functions(rows, model)),
                       ("wrappers.cpp", emit_wrappers(rows, blocking, model)), ("symbols.cpp", emit_symbols(rows, model)),
                       ("layer.map", emit_map())):
        path = folder / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


if __name__ == "__main__":
    main()

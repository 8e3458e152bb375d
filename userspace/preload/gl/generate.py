#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generates the OpenGL layer: generate.py REGISTRIES FUNCTIONS.TOML OUTPUT, REGISTRIES being the folder of gl.xml, egl.xml
and glx.xml. Only what functions.toml names is wrapped. Here stands what the wrappers do; what all layers have is in
../generate."""
import re
import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "generate"))
from api_model import Api  # noqa: E402
from classify import Treatment, Unclassified  # noqa: E402
from emit_layer import emit_functions, emit_map, emit_names, head, pass_on_in_section, named_pointer  # noqa: E402
from read_khronos import read_model  # noqa: E402

REGISTRIES = ("gl.xml", "egl.xml", "glx.xml")
SLOTS = 4  # libraries with a function of the same name, besides the one that a program is linked to
FLUSHES = ("glFlush", "glFinish")  # all work is given to the driver
COUNTERS = {"draws": "draws", "dispatches": "dispatches"}
# Give the device work of a frame, of which the first one begins it; these have no events.
UNRECORDED_WORK = ("draws", "clears")
WORK = (*UNRECORDED_WORK, "dispatches", "blits")
# Counts or remembers what events of later sessions need.
ALWAYS = ("hooks",)


def matching(model, pattern):
    names = [name for name in model.functions if re.fullmatch(pattern, name)]
    if not names:
        raise Unclassified(f"functions.toml: no command is {pattern}")
    return names


def classify(model, path):
    """Name -> Treatment, of what is wrapped. Raises Unclassified."""
    with open(path, "rb") as file:
        table = tomllib.load(file)
    rows = [(pattern, section, None) for section, content in table.items() if section not in ("hooks", "blocks")
            for pattern in content["functions"].split()]
    rows += [(pattern, "hooks", hook) for pattern, hook in table["hooks"].items()]
    blocking = {name for pattern in table["blocks"]["functions"].split() for name in matching(model, pattern)}
    treatments = {}
    for pattern, section, hook in rows:
        for name in matching(model, pattern):
            if name in treatments:
                raise Unclassified(f"functions.toml has {name} twice")
            treatments[name] = Treatment(section, hook, name in blocking)
    unused = blocking - treatments.keys()
    if unused:
        raise Unclassified(f"functions.toml: these block, but are not recorded: {' '.join(sorted(unused))}")
    return {name: treatments[name] for name in sorted(treatments)}


def watches(treatment):
    return "watches_blocking_calls()" if treatment.section == "calls" and treatment.blocks else f"watches_{treatment.section}()"


def result_code(function):
    """What the event of the call says that it returned."""
    if function.result == "void" or "*" in function.result or function.result in ("GLsync", "EGLSync", "EGLSyncKHR", "EGLSyncNV"):
        return "0"
    return "int32_t(result)"


def parameter(function, *names):
    return next((name for name in names if function.has(name)), None)


def bytes_of(function):
    """C++ of how many bytes an upload brings, and of the pointer that is null where it brings none."""
    data = parameter(function, "data", "pixels", "bits")
    if function.has("imageSize"):
        return "imageSize", data
    size = parameter(function, "size", "length")
    if size:
        return size, data
    sizes = [name if function.has(name) else "1" for name in ("width", "height", "depth")]
    if function.has("size4d"):
        sizes.append("size4d")
    return f"image_bytes(format, type, uint64_t({') * uint64_t('.join(sizes)}))", data


def text_of(function):
    """C++ of the text that a label, group or marker has, and its length (0: to its end, in one kind of function)."""
    text = parameter(function, "label", "message", "marker", "string", "buf")
    length = parameter(function, "length", "len")
    ends = function.name.endswith(("MarkerEXT", "LabelObjectEXT"))
    if not length:
        length = "-1"
    return f"static_cast<const char*>({text})", f"({length} ? {length} : -1)" if ends else length


def recorded(function, treatment):
    """What is done after the next function has returned."""
    name, section = function.name, treatment.section
    if section == "frames":
        code = {"void": "1", "int64_t": "result >= 0"}.get(function.result, "int32_t(result)")
        return f"frame_ended(call, {code}, handle({parameter(function, 'surface', 'drawable')}));"
    if section == "fence_creates":
        return f"fence_created(call, {'fence' if function.result == 'void' else 'handle(result)'});"
    if section == "fence_waits":
        sync = parameter(function, "sync", "fence")
        sync = sync if function.parameters[function.names.index(sync)].declaration.startswith("GLuint") else f"handle({sync})"
        return f"fence_waited(call, {sync}, {result_code(function)}, {'timeout' if function.has('timeout') else '~uint64_t(0)'});"
    if section == "query_results":
        return "query_read(call, id, pname);"
    if section == "dispatches":
        groups = [name if function.has(name) else "0" for name in ("num_groups_x", "num_groups_y", "num_groups_z")]
        return f"dispatched(call, is_begun, {', '.join(groups)});"
    if section == "blits":
        return "blitted(call, is_begun);"
    if section == "uploads":
        return "uploaded(call, bytes);"
    if section == "labels":
        kind = parameter(function, "identifier", "type") or "0"
        label_of = {"glObjectLabel": "name", "glObjectLabelKHR": "name", "glLabelObjectEXT": "object"}
        return f"labelled({kind}, {label_of.get(name, 'handle(ptr)')}, {', '.join(text_of(function))});"
    if section == "group_pushes":
        return f"group_pushed({'id' if function.has('id') else '0'}, {', '.join(text_of(function))});"
    if section == "group_pops":
        return "group_popped();"
    if section == "markers":
        return f"marked({', '.join(text_of(function))});"
    if name in FLUSHES:
        return "flushed(call);"
    return f"call.returned({result_code(function)});"


def prepared(treatment):
    """What is done before the next function is called."""
    return {"frames": ["    ends_frame();"], "dispatches": ["    const bool is_begun = begins_work();"],
            "blits": ["    const bool is_begun = begins_work();"]}.get(treatment.section, [])


def may_block(function, treatment):
    if treatment.section == "query_results":
        if "Buffer" in function.name:  # the device waits, and writes the result
            return []
        return ["    if (waits_for_query(pname))", "        call.may_block();"]
    if treatment.section == "fence_waits" and function.has("timeout"):
        return ["    if (timeout)", "        call.may_block();"] if "Client" in function.name else []
    return ["    call.may_block();"] if treatment.blocks or treatment.section == "frames" else []


def body(function, treatment):
    arguments = ", ".join(function.names)
    lines = ["    if (is_nested())", f"        return real({arguments});"]
    if treatment.section == "uploads":
        lines += [f"    const uint64_t bytes = {bytes_of(function)[0]};", "    if (!is_large(bytes))", f"        return real({arguments});"]
    lines.append(f"    const Call call{{Name::{function.name}}};")
    if treatment.section == "hooks":
        return [*lines, f"    return {treatment.detail}({', '.join(['call', 'real', *function.names])});"]
    void = function.result == "void"
    lines += [*may_block(function, treatment), *prepared(treatment), f"    {'' if void else 'const auto result = '}real({arguments});",
              f"    {recorded(function, treatment)}"]
    return lines if void else [*lines, "    return result;"]


def counting(function, treatment):
    """What is done whether something is recorded or not: a thread's own number goes up by one."""
    if treatment.section in WORK:
        begun = [] if treatment.section in UNRECORDED_WORK else ["    if (!likely(counts.has_work))", "        begin_frame_work();"]
        return [*([f"    ++counts.{COUNTERS[treatment.section]};"] if treatment.section in COUNTERS else []), *begun]
    if treatment.section == "uploads":
        data = bytes_of(function)[1]
        return [f"    counts.uploads += {data} != nullptr;" if data else "    ++counts.uploads;"]
    return []


def emit_wrapper(api, function, treatment):
    declared = f"{function.declared}, " if function.parameters else ""
    arguments = ", ".join(function.names)
    passed = "".join(f"{name}, " for name in function.names)
    head_of_wrapper = ["template <unsigned slot>", f"[[gnu::aligned(32)]] static {function.result} wrapped_{function.name}({function.declared})", "{",
                       *counting(function, treatment)]
    if treatment.section in UNRECORDED_WORK:
        return [f"[[gnu::noinline]] static {function.result} begun_{function.name}({declared}{named_pointer(api, function, 'real')})", "{",
                "    begin_frame_work();", f"    return real({arguments});", "}", "", *head_of_wrapper,
                f"    const auto next = load(functions[slot].{function.name});", "    if (likely(counts.has_work))",
                f"        return next({arguments});", f"    return begun_{function.name}({passed}next);", "}", ""]
    watched = api.watches(treatment)
    if treatment.section == "uploads" and bytes_of(function)[1]:
        watched = f"({watched} && {bytes_of(function)[1]})"
    return [f"[[gnu::noinline]] static {function.result} traced_{function.name}({declared}{named_pointer(api, function, 'real')})", "{",
            *pass_on_in_section(api, function, treatment), *api.body(function, treatment), "}", "", *head_of_wrapper,
            # Before the look whether there is more to do: both loads are under way at once then.
            f"    const auto next = load(functions[slot].{function.name});", f"    if (likely(!{watched}))",
            f"        return next({arguments});", f"    return traced_{function.name}({passed}next);", "}", ""]


def emit_linked(function):
    """What stands behind a symbol until its first call has found the library's function."""
    arguments = ", ".join(function.names)
    unused = [f"    (void){name};" for name in function.names]
    missing = [] if function.result == "void" else ["    return {};"]
    return [f"static {function.result} missing_{function.name}({function.declared})", "{", *unused, *missing, "}", "",
            f"static {function.result} first_{function.name}({function.declared})", "{",
            f"    void* const found = resolve_linked(unsigned(Name::{function.name}));",
            f"    const auto next = found ? reinterpret_cast<decltype(&first_{function.name})>(found) : missing_{function.name};",
            f"    return next({arguments});", "}", ""]


def emit_wrappers(api, model, treatments):
    functions = [model.functions[name] for name in model.entries]
    lines = [head(api), *[f"#include \"{name}\"" for name in api.wrapper_headers], "", f"namespace lttng_gpu::{api.name} {{", ""]
    for function in functions:
        lines += emit_linked(function)
    lines += ["Functions functions[1 + slots_count] = {{"] + [f"    .{function.name} = first_{function.name}," for function in functions] + ["}};", ""]
    for function in functions:
        lines += emit_wrapper(api, function, treatments[function.name])
    lines += [f"}} // namespace lttng_gpu::{api.name}", "", f"using namespace lttng_gpu::{api.name};", "", "extern \"C\" {", ""]
    for function in functions:
        lines += [f"LTTNG_GPU_LINKED {function.result} {function.name}({function.declared})", "{",
                  f"    return wrapped_{function.name}<0>({', '.join(function.names)});", "}", ""]
    lines += ["} // extern \"C\"", "", f"namespace lttng_gpu::{api.name} {{", "", "const Wrapper wrappers[entries_count] = {"]
    for function in functions:
        slots = ", ".join(f"reinterpret_cast<void*>(&wrapped_{function.name}<{slot}>)" for slot in range(1, SLOTS + 1))
        lines.append(f"    {{\"{function.name}\", offsetof(Functions, {function.name}), reinterpret_cast<void*>(&::{function.name}), {{{slots}}}}},")
    return "\n".join(lines + ["};", "", f"}} // namespace lttng_gpu::{api.name}", ""])


GL = Api(
    name="gl", source="Khronos's registries of OpenGL, EGL and GLX", headers="gl_types.hpp", calling="",
    wrapper_headers=("counts.hpp", "hooks.hpp", "tables.hpp", "uploads.hpp", "watches.hpp"), doors=("dlsym",),
    enumerations=lambda model: [], watches=watches, prologue=lambda function: [], body=body,
    # In the middle of the layer's work, too, a program gets wrappers, and not the library's own functions.
    works_in_section=lambda treatment: treatment.detail == "get_proc_address", missing=lambda function: [])


def read_registries(folder):
    return read_model([Path(folder) / name for name in REGISTRIES])


def write(path, text):
    """A file that has not changed is left alone, so that nothing is compiled anew because of it."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    registries, table, output = sys.argv[1:4]
    try:
        model = read_registries(registries)
        treatments = classify(model, table)
    except (OSError, Unclassified) as error:
        sys.exit(f"generate.py: {error}")
    model.entries = list(treatments)
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "gl_names.h", emit_names(GL, model))
    write(folder / "functions.hpp", emit_functions(GL, model, treatments))
    write(folder / "wrappers.cpp", emit_wrappers(GL, model, treatments))
    write(folder / "symbols.cpp", head(GL))  # the symbols are beside their wrappers
    write(folder / "layer.map", emit_map(GL, model, treatments))


if __name__ == "__main__":
    main()

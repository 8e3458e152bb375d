# SPDX-License-Identifier: MIT
"""Writes the generated part of the OpenCL layer from a model: names, wrappers, tables and preloaded symbols."""
WAIT_LISTS = (("num_events_in_wait_list", "event_wait_list"), ("num_events", "event_list"))
HEAD = "// Generated from the OpenCL headers by userspace/preload/generate.\n"


def wrapped(model, treatments):
    """Numbered as the function enumeration is: dispatch entries by their place, then extensions."""
    names = model.entries + model.extensions
    return [(number, model.functions[name], treatments[name]) for number, name in enumerate(names)
            if treatments[name].section != "passed"]


def pointer(function):
    return f"{function.result} (CL_API_CALL*)({function.declared})"


def named_pointer(function, name):
    return f"{function.result}(CL_API_CALL* {name})({function.declared})"


def emit_names(model):
    def rows(macro, pairs):
        lines = [f"\tX(\"{name}\", {value})" for name, value in pairs]
        return [" \\\n".join([f"#define {macro}(X)", *lines]), ""]

    types = {name.removeprefix("CL_COMMAND_"): value for name, value in model.constants.items()
             if name.startswith("CL_COMMAND_") and not name.startswith("CL_COMMAND_BUFFER_")}
    memory = {name.removeprefix("CL_MEM_OBJECT_"): value for name, value in model.constants.items()
              if name.startswith("CL_MEM_OBJECT_") and 0x10F0 <= value < 0x1100}
    return "\n".join(["/* Generated from the OpenCL headers by userspace/preload/generate. */", "#pragma once", "",
                      *rows("LTTNG_GPU_OPENCL_FUNCTIONS", [(name, number) for number, name in enumerate(model.entries + model.extensions)]),
                      *rows("LTTNG_GPU_OPENCL_COMMANDS", [(name, f"{value:#x}u") for name, value in types.items()]),
                      *rows("LTTNG_GPU_OPENCL_MEMORY_TYPES", [(name, f"{value:#x}u") for name, value in memory.items()])])


def emit_functions(model, treatments):
    """The header of what follows: every function that is wrapped, by its type."""
    functions = wrapped(model, treatments)
    return "\n".join([
        HEAD, "#pragma once", "", "#include \"opencl_headers.hpp\"", "", "namespace lttng_gpu::opencl {", "",
        "/// The functions of the next layer or of the driver; null where it has none.", "struct Functions {",
        *[f"    {named_pointer(function, function.name)} = nullptr;" for _, function, _ in functions], "};", "",
        f"constexpr unsigned entries_count = {len(model.entries)};", "",
        "enum class Name : unsigned short {", *[f"    {function.name} = {number}," for number, function, _ in functions], "};", "",
        "} // namespace lttng_gpu::opencl", ""])


def result_code(function):
    if function.result == "cl_int":
        return "result"
    return "*errcode_ret" if function.has("errcode_ret") else "CL_SUCCESS"


def condition(treatment, row):
    section, detail = treatment.section, treatment.detail
    if section == "enqueues":
        return f"watches_{row}s()"
    if section == "hooks":
        return f"watches_{detail}()"
    if section == "creates":
        return f"watches_{detail}_creation()"
    if section in ("retains", "releases"):
        return f"watches_{section}()"
    return "watches_blocking_calls()" if treatment.blocks else "watches_calls()"


def enqueue_kind(treatment):
    row = treatment.detail
    return "kernel" if "kernel" in row else "transfer" if "bytes" in row else "command"


def enqueue_body(function, treatment):
    row = treatment.detail
    names = function.names
    blocking = next((f"{name} != CL_FALSE" for name in names if name.startswith("blocking")), "false")
    event = "no_event" if "event" not in names else "event ? event : no_event" if row.get("needs_event") else "event"
    count, waits = next(((a, b) for a, b in WAIT_LISTS if a in names and b in names), ("0", "nullptr"))
    queue = row.get("queue", "command_queue")
    arguments = ", ".join("call.event()" if name == event else name for name in names)
    kind = enqueue_kind(treatment)
    details = {
        "kernel": lambda: [row["kernel"], row["work_dim"], row["offset"], row["global"], row["local"]],
        "transfer": lambda: [row.get("source", "nullptr"), row.get("destination", "nullptr"), row["bytes"]],
        "command": lambda: [],
    }[kind]()
    return [f"    EnqueueCall call{{Name::{function.name}, CL_COMMAND_{row['type']}, EnqueueCall::Kind::{kind}, {queue}, {blocking}, {event}}};",
            f"    const auto result = real({arguments});",
            f"    if (call.returned({result_code(function)}, {count}, {waits}))",
            f"        call.record_{kind}({', '.join(details)});",
            "    call.end();",
            "    return result;"]


def call_body(function, treatment):
    section, detail = treatment.section, treatment.detail
    arguments = ", ".join(function.names)
    lines = [f"    Call call{{Name::{function.name}}};"]
    if treatment.blocks:
        lines.append("    call.may_block();")
    if section == "hooks":
        return lines + [f"    return {detail}({', '.join(['call', 'real', *function.names])});"]
    if section == "releases":
        lines.append(f"    before_{detail}_release({arguments});")
    void = function.result == "void"
    lines.append(f"    {'' if void else 'const auto result = '}real({arguments});")
    if section in ("retains", "releases"):
        lines.append(f"    {detail}_{'retained' if section == 'retains' else 'released'}(call, {arguments}, result);")
    else:
        lines.append(f"    call.returned({result_code(function)});")
    if section == "creates":
        lines += ["    if (result)", f"        {detail}_created(result);"]
    return lines if void else [*lines, "    return result;"]


def emit_wrapper(function, treatment):
    row = enqueue_kind(treatment) if treatment.section == "enqueues" else None
    body = enqueue_body(function, treatment) if row else call_body(function, treatment)
    own_error = ["    cl_int own_error = CL_SUCCESS;", "    if (!errcode_ret)", "        errcode_ret = &own_error;"] if function.has("errcode_ret") else []
    declared = f"{function.declared}, " if function.parameters else ""
    passed = "".join(f"{name}, " for name in function.names)
    return [
        f"[[gnu::noinline]] static {function.result} traced_{function.name}({declared}{named_pointer(function, 'real')})", "{", *own_error, *body, "}", "",
        # Two of a line: across the end of one, a call that is not recorded costs half as much again.
        "template <unsigned slot>", f"[[gnu::aligned(32)]] static {function.result} CL_API_CALL wrapped_{function.name}({function.declared})", "{",
        f"    if (likely(!{condition(treatment, row)}))", f"        return functions[slot].{function.name}({', '.join(function.names)});",
        f"    return traced_{function.name}({passed}functions[slot].{function.name});", "}", ""]


def emit_wrappers(model, treatments):
    functions = wrapped(model, treatments)
    lines = [HEAD, "#include \"calls.hpp\"", "#include \"enqueue.hpp\"", "#include \"hooks.hpp\"", "#include \"objects.hpp\"",
             "#include \"tables.hpp\"", "", "namespace lttng_gpu::opencl {", ""]
    for _, function, treatment in functions:
        lines += emit_wrapper(function, treatment)
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
    lines += ["};", f"const unsigned extension_wrappers_count = {len(functions)};", "", "} // namespace lttng_gpu::opencl", ""]
    return "\n".join(lines)


def emit_preload(model, treatments):
    """Each symbol jumps through its pointer: at first to what resolves all of them, then to the wrapper."""
    core = [function for _, function, _ in wrapped(model, treatments) if function.name in model.entries]
    lines = [HEAD, "#include \"preload.hpp\"", "#include \"tables.hpp\"", "", "namespace lttng_gpu::opencl {", ""]
    for function in core:
        lines += [f"static {function.result} CL_API_CALL first_{function.name}({function.declared});"]
    lines += ["", "/// What the symbols of the same names jump to.", "static Functions symbols = {"]
    lines += [f"    .{function.name} = first_{function.name}," for function in core] + ["};", ""]
    for function in core:
        arguments = ", ".join(function.names)
        lines += [f"static {function.result} CL_API_CALL first_{function.name}({function.declared})", "{", "    resolve_symbols();",
                  f"    return symbols.{function.name}({arguments});", "}", ""]
    # An extension's or a newer version's function that an older driver lacks: it fails, as it would in a driver that has it.
    for function in core:
        lines += [f"static {function.result} CL_API_CALL missing_{function.name}({function.declared})", "{",
                  *[f"    (void){name};" for name in function.names if name != "errcode_ret"]]
        if function.has("errcode_ret"):
            lines += ["    if (errcode_ret)", "        *errcode_ret = CL_INVALID_OPERATION;"]
        if function.result != "void":
            lines.append(f"    return {'CL_INVALID_OPERATION' if function.result == 'cl_int' else 'nullptr'};")
        lines += ["}", ""]
    lines += ["static const Functions missing = {", *[f"    .{function.name} = missing_{function.name}," for function in core], "};", "",
              "const void* missing_symbols()", "{", "    return &missing;", "}", ""]
    lines += ["void* preloaded_symbols()", "{", "    return &symbols;", "}", "",
              "const char* const entry_names[entries_count] = {"]
    lines += [f"    \"{name}\"," for name in model.entries] + ["};", "", "} // namespace lttng_gpu::opencl", "", "extern \"C\" {", ""]
    for function in core:
        lines += [f"LTTNG_GPU_PRELOADED {function.result} CL_API_CALL {function.name}({function.declared})", "{",
                  f"    return lttng_gpu::opencl::symbols.{function.name}({', '.join(function.names)});", "}", ""]
    return "\n".join(lines + ["} // extern \"C\"", ""])


def emit_map(model, treatments):
    names = sorted(function.name for _, function, _ in wrapped(model, treatments) if function.name in model.entries)
    return "\n".join(["/* Generated from the OpenCL headers by userspace/preload/generate. */", "{", "global:",
                      *[f"\t{name};" for name in ["clGetLayerInfo", "clInitLayer", "clInitLayerWithProperties", "clDeinitLayer", "lttng_gpu_opencl_give_way", *names]],
                      "local:", "\t*;", "};", ""])

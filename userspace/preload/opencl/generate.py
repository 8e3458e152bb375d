#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generates the OpenCL layer: generate.py HEADERS FUNCTIONS.TOML OUTPUT, HEADERS being the folder of cl_icd.h. Here stands
what wrappers of OpenCL functions do; what all layers have is in ../generate."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "generate"))
from api_model import Api  # noqa: E402
from classify import Unclassified, classify  # noqa: E402
from emit_layer import emit_layer  # noqa: E402
from read_opencl import read_model  # noqa: E402

WAIT_LISTS = (("num_events_in_wait_list", "event_wait_list"), ("num_events", "event_list"))


def enumerations(model):
    types = [(name.removeprefix("CL_COMMAND_"), f"{value:#x}u") for name, value in model.constants.items()
             if name.startswith("CL_COMMAND_") and not name.startswith("CL_COMMAND_BUFFER_")]
    memory = [(name.removeprefix("CL_MEM_OBJECT_"), f"{value:#x}u") for name, value in model.constants.items()
              if name.startswith("CL_MEM_OBJECT_") and 0x10F0 <= value < 0x1100]
    return [("COMMANDS", types), ("MEMORY_TYPES", memory)]


def result_code(function):
    if function.result == "cl_int":
        return "result"
    return "*errcode_ret" if function.has("errcode_ret") else "CL_SUCCESS"


def enqueue_kind(treatment):
    row = treatment.detail
    return "kernel" if "kernel" in row else "transfer" if "bytes" in row else "command_buffer" if "command_buffer" in row else "command"


def watches(treatment):
    section, detail = treatment.section, treatment.detail
    if section == "enqueues":
        return f"watches_{enqueue_kind(treatment)}s()"
    if section == "hooks":
        return f"watches_{detail}()"
    if section == "creates":
        return f"watches_{detail}_creation()"
    if section in ("retains", "releases", "fills"):
        return f"watches_{section}()"
    return "watches_blocking_calls()" if treatment.blocks else "watches_calls()"


def prologue(function):
    return (["    cl_int own_error = CL_SUCCESS;", "    if (!errcode_ret)", "        errcode_ret = &own_error;"]
            if function.has("errcode_ret") else [])


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
        "command_buffer": lambda: [row["command_buffer"]],
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
    if section == "fills":
        lines += ["    if (result == CL_SUCCESS)", f"        command_buffer_filled({function.names[0]});"]
    if section == "creates":
        lines += ["    if (result)", f"        {detail}_created(result);"]
    return lines if void else [*lines, "    return result;"]


def body(function, treatment):
    return (enqueue_body if treatment.section == "enqueues" else call_body)(function, treatment)


def works_in_section(treatment):
    """What hides from the program that a queue is profiled."""
    return treatment.section == "hooks" and treatment.detail in ("queue_info", "profiling_info")


def missing(function):
    lines = [f"    (void){name};" for name in function.names if name != "errcode_ret"]
    if function.has("errcode_ret"):
        lines += ["    if (errcode_ret)", "        *errcode_ret = CL_INVALID_OPERATION;"]
    if function.result != "void":
        lines.append(f"    return {'CL_INVALID_OPERATION' if function.result == 'cl_int' else 'nullptr'};")
    return lines


OPENCL = Api(
    name="opencl", source="the OpenCL headers", headers="opencl_headers.hpp", calling="CL_API_CALL",
    wrapper_headers=("calls.hpp", "command_buffers.hpp", "enqueue.hpp", "hooks.hpp", "objects.hpp", "tables.hpp"),
    doors=("clGetLayerInfo", "clInitLayer", "clInitLayerWithProperties", "clDeinitLayer", "lttng_gpu_opencl_give_way"),
    enumerations=enumerations, watches=watches, prologue=prologue, body=body, works_in_section=works_in_section, missing=missing)


def classify_opencl(model, table):
    return classify(model, table, enqueue_prefix="clEnqueue")


def main():
    headers, table, output = sys.argv[1:4]
    model = read_model(headers)
    try:
        treatments = classify_opencl(model, table)
    except Unclassified as error:
        sys.exit(f"generate.py: {error}")
    emit_layer(OPENCL, model, treatments, output)


if __name__ == "__main__":
    main()

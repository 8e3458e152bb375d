#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_layer.py BUILD: programs that use HSA do and print the same without the layer, with it, and while they are recorded;
each packet that they put into a queue is recorded once. They run on a stand-in for libhsakmt, whose device is a thread.
TAP."""
import shutil
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]
import lttng_session
from tap import Tap
from ways import Place, read_events

PARTS = {"one": 0, "batches": 0, "barriers": 0, "counted": 0, "threads": 0, "fork": 0, "exit": 3, "again": 0, "kernels": 0}
TYPES = {2: "kernel_dispatch", 3: "barrier_and"}
tap = Tap()
work = Path(tempfile.mkdtemp(prefix="lttng-gpu-hsa-"))
place = Place(sys.argv[1], work)


def same(expected, done):
    return [] if (expected.code, expected.output) == (done.code, done.output) else [f"exit code {expected.code}, now {done.code}",
                                                                                    expected.output, done.output, done.errors]


def check_packets(part, folder, ran, queues):
    """What was recorded against what the device ran. Of two threads in one queue, the device may be through with a packet
    of one that the other's doorbell gave it: such packets are counted."""
    recorded = sorted((*queues[int(event["queue"], 16)], int(event["index"]), event["type"]) for event in read_events(folder, "packet"))
    expected = sorted((packet.pid, packet.ring, packet.index, TYPES[packet.type]) for packet in ran)
    missed = sum(int(event["missed"]) for event in read_events(folder, "doorbell"))
    unfinished = [packet for packet in recorded if packet not in expected]
    tap.check_that(f"{part}: the {len(expected)} packets that ran are recorded, each once",
                   expected and len(set(recorded)) == len(recorded) and len(unfinished) == (1 if part == "exit" else 0) and
                   len(recorded) - len(unfinished) + missed == len(expected), f"{len(recorded)} recorded, {missed} missed: {unfinished}")
    tap.check_that(f"{part}: none was gone before the layer saw it", not missed or part == "threads", missed)


def check_part(part, code):
    rounds = ["200"] if part == "threads" else []
    bare = place.packets(part, *rounds)
    tap.check_that(f"{part}: works on the stand-in", bare.code == code and bare.output, bare)
    tap.check(f"{part}: with the layer the same", same(bare, place.packets(part, *rounds, **place.with_layer)))
    folder, done, ran, queues = place.recorded(part, part, *rounds)
    tap.check(f"{part}: recorded the same", same(bare, done))
    check_packets(part, folder, ran, queues)
    return folder


def check_names(folder):
    names = [event["name"] for event in read_events(folder, "packet")]
    tap.check_that("packets have the names of their kernels", names == ["add_numbers", "scale_numbers"], names)


def check_counted(folder):
    """Of four packets with one signal the last one's times are known."""
    validities = [event["validity"] for event in read_events(folder, "command_times")]
    tap.check_that("of packets with one signal the last has times, the others are told to have none",
                   validities.count("valid") == 20 and validities.count("unavailable") == 60 and len(validities) == 80, validities)


def check_times_off():
    folder, done, ran, _ = place.recorded("no-times", "one", LTTNG_GPU_HSA_TIMES="0")
    times = {event["times"] for event in read_events(folder, "packet")}
    tap.check_that("with LTTNG_GPU_HSA_TIMES=0 the device is not asked for times", done.code == 0 and times == {"no_profiling"} and
                   not read_events(folder, "command_times") and not any(packet.profiled for packet in ran), times)


def check_rocminfo():
    (work / "lsmod").write_text("#!/bin/sh\necho amdgpu\n")
    (work / "lsmod").chmod(0o755)
    device = {"LD_PRELOAD": str(place.tests / "stand-in/device.so"), "PATH": f"{work}:{place.base['PATH']}"}
    bare = place.run("rocminfo", **device)
    tap.check_that("rocminfo finds the stand-in's devices", bare.code == 0 and "gfx900" in bare.output and "stand-in GPU" in bare.output,
                   bare)
    tap.check("rocminfo with the layer: the same", same(bare, place.run("rocminfo", **device, **place.with_layer)))
    folder = work / "rocminfo"
    with lttng_session.session("hsa-rocminfo", folder, events="lttng_gpu_hsa:*"):
        done = place.run("rocminfo", **device, **place.with_layer, **lttng_session.application_environment)
    tap.check("rocminfo recorded: the same", same(bare, done))
    functions = {event["function"] for event in read_events(folder, "call")}
    tap.check_that("and its calls are there", {"hsa_iterate_agents", "hsa_agent_get_info", "hsa_shut_down"} <= functions, functions)


def check_without_provider():
    """Where LTTng-UST is not installed there is no provider."""
    alone = Path(shutil.copy(place.layer, work))
    bare = place.packets("one")
    tap.check("without the provider beside it the same", same(bare, place.packets("one", HSA_TOOLS_LIB=str(alone))))


def main():
    missing = [str(path) for path in (place.layer, place.tests / "packets") if not path.exists()]
    missing += [name for name in ("rocminfo", "babeltrace2") if not shutil.which(name)]
    if missing:
        tap.check(f"{', '.join(missing)}: there", ["make check installs and builds it"])
        return tap.finish()
    why_not = lttng_session.why_not()
    tap.check("sessions can be recorded", [why_not] if why_not else [])
    if why_not:
        return tap.finish()
    with lttng_session.daemon():
        folders = {part: check_part(part, code) for part, code in PARTS.items()}
        check_names(folders["kernels"])
        check_counted(folders["counted"])
        check_times_off()
        check_rocminfo()
        check_without_provider()
    return tap.finish()


if __name__ == "__main__":
    try:
        sys.exit(main())
    finally:
        shutil.rmtree(work, ignore_errors=True)

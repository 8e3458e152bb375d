#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_families.py LTTNG_GPU: drivers' events in captures of other people's kernels (values are made up, the forms are not) give
the whole right answer: each job with its times, and all that was seen and is no job. Prints TAP."""
import json
import re
import subprocess
import sys
from pathlib import Path

folder = Path(__file__).resolve().parent
sys.path.insert(0, str(folder.parent))
from tap import Tap

lttng_gpu = sys.argv[1]
tap = Tap()
stages = "queued", "submitted", "started", "completed"


def run(*arguments):
    return subprocess.run([lttng_gpu, *map(str, arguments)], capture_output=True, text=True, errors="replace")


def jobs_of(file):
    """[(ring, seqno, comm, queued, submitted, started, completed in us, basis of the start, fault)], times after the first event's"""
    text = (folder / file).read_text()
    first = min(round(float(time) * 1e9) for time in re.findall(r"\s(\d+\.\d{6}): ", text))
    rows = json.loads(run("jobs", "--format", "json", folder / file).stdout or "[]")
    time = lambda row, stage: None if row[f"{stage}_ns"] is None else (row[f"{stage}_ns"] - first) / 1000
    return [(row["ring"], row["seqno"], row["comm"], *(time(row, stage) for stage in stages), row["started_basis"], row.get("fault"))
            for row in rows]


def report_of(file):
    return json.loads(run("report", "--format", "json", folder / file).stdout or "{}")


def check(file, expected, others, anomalies=None):
    """`others`: display fences, unfenced commands and what is not understood. `anomalies` but zeros."""
    jobs, report = jobs_of(file), report_of(file)
    accounting = report.get("accounting", {})
    seen = {name: accounting.get(name) for name in ("display_fences", "unfenced_commands", "not_understood")}
    problems = [f"missing: {job}" for job in expected if job not in jobs] + [f"too many: {job}" for job in jobs if job not in expected]
    if seen != {"display_fences": [], "unfenced_commands": [], "not_understood": []} | others:
        problems.append(f"seen: {seen}")
    counted = {name: count for name, count in accounting.get("anomalies", {}).items() if count}
    if counted != (anomalies or {}):
        problems.append(f"anomalies: {counted}")
    tap.check(f"{file}: each job and all else is right", problems)
    return report


def firmware(file, expected, driver, anomalies=None, unused=()):
    """`unused`: (event, count) of those that tell nothing of a job's times."""
    others = {"not_understood": [{"driver": None, "event": event, "count": count} for event, count in unused]}
    report = check(file, expected, others, anomalies)
    text = run("report", folder / file).stdout
    queues = report.get("queues", [])
    tap.check_that(f"{file}: firmware schedules, which is said once, and no start is inferred",
                   queues and all(queue["driver"] == driver and queue["is_firmware_scheduled"] and not queue["jobs_start_inferred"]
                                  and not queue["execution"]["latency_ns"]["count"] for queue in queues)
                   and text.count("firmware schedules: start not known") == any(queue["jobs_start_unknown"] for queue in queues), text)
    return report


def fence_job(ring, seqno, comm, begin, queued, submitted, completed, fault=None):
    at = lambda time: None if time is None else begin + time
    return (ring, seqno, comm, at(queued), at(submitted), None, at(completed), "unknown", fault)


def firmware_cases():
    for file, begin, fault in ("firmware-f999.txt", 2, "timed_out"), ("firmware-f999_drm.txt", 0, None), ("firmware-panthor.txt", 0, None):
        is_panthor = "panthor" in file
        one, other = ("panthor-queue-900-1-0", "panthor-queue-900-1-1") if is_panthor else ("ccs5", "ccs6")
        expected = [fence_job(one, 1, "vllm", begin, 0, 48, 3998), fence_job(other, 1, "vllm", begin + 10000, 0, 48, 3998),
                    fence_job(one, 2, "vllm", begin + 20000, 0, 48, 108079998, fault),
                    fence_job(other, 2, "vllm", begin + 30000, 0, 48, 3998)]
        report = firmware(file, expected, "panthor" if is_panthor else "xe", {"job_timed_out": 1} if fault else None,
                          [("xe_guc_ctb_h2g", 6), ("xe_exec_queue_register", 2), ("xe_exec_queue_scheduling_enable", 2),
                           ("xe_guc_ctb_g2h", 2),
                           ("xe_exec_queue_scheduling_done", 2), ("xe_exec_queue_submit", 2)] if fault else ())
        longest = max((queue.get("on_device", {}).get("latency_ns", {}).get("max") or 0 for queue in report.get("queues", [])), default=0)
        tap.check_that(f"{file}: from submitted to completed is one time", longest == 108079950000, longest)
    expected = [fence_job("ccs5", None, "ocl-app", 10012 + 10000 * index - 10000, 0, 38, None) for index in range(5)]
    firmware("firmware-lr612.txt", expected, "xe", {"end_untold": 5}, [("xe_sched_job_create", 5), ("xe_exec_queue_submit", 5)])
    firmware("21-xe-with-drm_sched-starts-inferred.txt",
             [fence_job("ccs0", 16, "infer-worker", 1, 0, 78, 1283),
              fence_job("ccs0", 17, "infer-worker", 2001, 0, 148, 108008601, "timed_out")],
             "xe", {"job_timed_out": 1})


def driver_cases():
    render = [("v3d_render", number, "labwc", queued, queued + 100, queued + 100, queued + 3000, "inferred", None)
              for number, queued in zip(range(1, 9), (0, 16667, 33333, 50000, 66667, 83333, 100000, 116667))]
    check("06-crtc-fences-shown-as-a-ring.txt", render,
          {"display_fences": [{"driver": "vc4", "timeline": "CRTC:98:pixelvalve-2", "made": 8, "signaled": 8}]})
    check("09-amdxdna-job-run.txt", [("amdxdna_js", 1, None, None, 23, None, 1469, "unknown", None),
                                     ("amdxdna_js", 1, None, None, 1200410544, None, None, "unknown", None)], {},
          {"submit_of_unknown_job": 2, "end_untold": 1})
    own = lambda ring, seqno, queued, submitted, completed: (ring, seqno, "benchncnn", queued, submitted, submitted, completed, "observed",
                                                             None)
    check("10-v3d-own-events.txt", [own("v3d_bin", 1, 2546, 5349, 5909), own("v3d_render", 1, 2546, 5950, 6528),
                                    own("v3d_csd", 1, 412067, 412147, 426344), own("v3d_csd", 2, 426867, 426957, 428957),
                                    ("v3d_csd", None, "benchncnn", 426917, None, None, None, "unknown", None)], {})
    check("16-i915-before-4.12.txt", [("ring 1", 1178364, "chrome", 5, 33, 33, 1177, "inferred", None),
                                      ("ring 1", 1178365, "chrome", 355, 355, 1177, 2285, "inferred", None),
                                      ("ring 4", 1178366, "chrome", 2745, 2745, None, None, "unknown", None)],
          {"not_understood": [{"driver": None, "event": name, "count": 1} for name in ("i915_gem_ring_flush", "i915_flip_request")]})


def command_case():
    report = report_of("11-virtio-unfenced-commands-unseen.txt")
    commands = report.get("accounting", {}).get("unfenced_commands")
    tap.check_that("11-virtio-unfenced-commands-unseen.txt: commands without a fence are counted on their queue",
                   commands == [{"device": "virtio0", "queue": "control", "queued": 7, "answered": 7, "answers_unmatched": 0,
                                 "depth_max": 1,
                                 "mean_ns": 9530000, "max_ns": 15830000}] and report["accounting"]["jobs_complete"] == 11, commands)
    text = run("report", folder / "11-virtio-unfenced-commands-unseen.txt").stdout
    tap.check_that("11-virtio-unfenced-commands-unseen.txt: the report tells of them",
                   "7  commands without a fence on virtio0 control" in text, text)


def stranger_case():
    file = folder / "18-fences-of-other-drivers.txt"
    result = run("report", file)
    tap.check_that("18-fences-of-other-drivers.txt: what is not understood is named, and nobody says that nothing was submitted",
                   "8  dma_fence_signaled of driver mali: seen and not understood" in result.stdout
                   and "4  gpu_work_period: seen and not understood" in result.stdout and "Nothing was submitted" not in result.stdout,
                   result.stdout + result.stderr)
    tap.check_that("18-fences-of-other-drivers.txt: JSON names it, too", report_of(file)["accounting"]["not_understood"] ==
                   [{"driver": "mali", "event": "dma_fence_signaled", "count": 8},
                    {"driver": None, "event": "gpu_work_period", "count": 4}])


firmware_cases()
driver_cases()
command_case()
stranger_case()
sys.exit(tap.finish())

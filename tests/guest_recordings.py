# SPDX-License-Identifier: MIT
"""What is done on the host with what a test of tests/kselftest has recorded in a guest."""


def readers(lttng_gpu, strict=False):
    """Of each such test (name of the suite, command that reads the recording and prints TAP, folder of the recording, which is
    its last argument)."""
    judged = ["--strict"] if strict else []
    return {
        "any_driver": ("any-driver", ["tests/end-to-end/any_driver.py", lttng_gpu], "any-driver"),
        "opengl_frames": ("opengl-frames", ["tests/end-to-end/opengl_frames.py", lttng_gpu], "opengl-frames"),
        "opencl_jobs": ("opencl-jobs", ["tests/end-to-end/opencl_kernel_jobs.py", lttng_gpu], "opencl-jobs"),
        "hsa_kfd": ("hsa-kfd", ["tests/end-to-end/hsa_kfd.py"], "hsa-kfd"),
        "planted_causes": ("planted-causes", ["tests/diagnose/judge_guest.py", lttng_gpu, *judged], "planted-causes"),
        "planted_opencl": ("planted-opencl", ["tests/diagnose/judge_guest.py", lttng_gpu, *judged], "planted-opencl"),
        "planted_frames": ("planted-frames", ["tests/diagnose/judge_frames.py", lttng_gpu, *judged], "planted-frames"),
        "fence_storm": ("storm", ["tests/end-to-end/count_storm.py"], "storm"),
    }

# SPDX-License-Identifier: MIT
"""What the tests with the address sanitizer share: how a layer is built, and which of its reports are of faults in it."""
import re

# As that of tests/opencl/test_sanitized.py: what is built once is used by all.
flags = "-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize=alignment,nonnull-attribute"
leaks_found = 23  # the exit code


def innermost(report, frames):
    """The functions in which it happened, without the allocator's and the sanitizer's own."""
    found = [line for line in report.splitlines() if re.match(r"\s+#\d+ ", line)]
    return "\n".join([line for line in found if not re.search(r"interceptor|libsanitizer|libasan", line)][:frames])


def faults(text, ours):
    """Those in functions that the pattern `ours` knows, or in what these call directly, and leaks of what they allocated: drivers have faults of their own."""
    reports = re.split(r"\n\s*\n", text)
    return ([report[:1500] for report in reports if "ERROR: AddressSanitizer" in report and ours.search(innermost(report, 3))] +
            [report[:1500] for report in reports if report.lstrip().startswith("Direct leak") and ours.search(innermost(report, 1))] +
            [line for line in text.splitlines() if "runtime error:" in line and ours.search(line)])

# SPDX-License-Identifier: MIT
"""Sessions of ust-shapes in every form that LTTng-UST writes. record_all(program, directory) yields (name, trace
directory, what must be found in it: "events", "losses" or "nothing")."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lttng_session import daemon, lttng, run_application, session

lossless = ["--blocking-timeout=inf"]
small = ["--subbuf-size=8192", "--num-subbuf=4"]
tiny = ["--subbuf-size=4096", "--num-subbuf=2"]
contexts = ["vpid", "vtid", "procname"]


def few_events(program, trace):
    """Per process; an event class numbered below 31 in each header."""
    with session("few", trace, channel=["--buffers-pid", *lossless, *small], events="shapes:integers", contexts=contexts):
        run_application(program, 20)
    return "events"


def all_events(program, trace):
    with session("all", trace, channel=["--buffers-uid", *lossless, *small], events="shapes:*", contexts=[*contexts, "pthread_id", "ip"]):
        run_application(program, 1)
    return "events"


def state_dump(program, trace):
    """What LTTng-UST says about the process: build ids, paths."""
    with session("statedump", trace, channel=[*lossless, "--subbuf-size=64K", "--num-subbuf=4"], events="*", contexts=["vpid"]):
        run_application(program, 20)
    return "events"


def two_applications(program, trace):
    with session("two", trace, channel=["--buffers-pid", *lossless, *small], events="shapes:*", contexts=contexts):
        run_application(program, 3)
        run_application(program, 5, "one-cpu")
    return "events"


def discarded(program, trace):
    with session("discarded", trace, channel=["--discard", *tiny], events="shapes:*"):
        run_application(program, 2000)
    return "losses"


def overwritten(program, trace):
    """Packets that were lost before they were written."""
    with session("overwritten", trace, channel=["--overwrite", *tiny], events="shapes:*", contexts=contexts):
        run_application(program, 2000)
    return "losses"


def snapshot(program, trace):
    """A flight recorder: what was in the buffers when it was asked for, twice."""
    create = ["--snapshot", "--output", trace]
    with session("snapshot", trace, create=create, channel=["--overwrite", *small], events="shapes:*", contexts=contexts) as name:
        for rounds in (1, 500):
            run_application(program, rounds)
            lttng("snapshot", "record", "--session", name)
    return "events"


def file_rotation(program, trace):
    """Of many files of a stream the last three are kept."""
    channel = [*lossless, *small, "--tracefile-size=32768", "--tracefile-count=3"]
    with session("files", trace, channel=channel, events="shapes:*", contexts=contexts):
        run_application(program, 200)
    return "events"


def session_rotation(program, trace):
    with session("chunks", trace, channel=[*lossless, *small], events="shapes:*", contexts=contexts) as name:
        for rounds in (1, 5, 2):
            run_application(program, rounds)
            lttng("rotate", name)
    return "events"


def empty_streams(program, trace):
    with session("one-cpu", trace, channel=[*lossless, *small], events="shapes:*"):
        run_application(program, 2, "one-cpu")
    return "events"


def nothing_recorded(program, trace):
    with session("nothing", trace, channel=small, events="no_such_provider:*"):
        run_application(program, 1)
    return "nothing"


def stopped_and_started(program, trace):
    with session("stopped", trace, channel=[*lossless, *small], events="shapes:*", contexts=contexts) as name:
        run_application(program, 2)
        lttng("stop", name)
        run_application(program, 2)
        lttng("start", name)
        run_application(program, 2)
    return "events"


def enabled_later(program, trace):
    """The metadata grows while the session runs."""
    with session("later", trace, channel=[*lossless, *small], events="shapes:integers") as name:
        run_application(program, 2)
        lttng("enable-event", "--userspace", "--session", name, "--channel", "channel0", "shapes:*")
        run_application(program, 2)
    return "events"


sessions = [few_events, all_events, state_dump, two_applications, discarded, overwritten, snapshot, file_rotation, session_rotation,
            empty_streams, nothing_recorded, stopped_and_started, enabled_later]


def record_all(program, directory):
    with daemon():
        for record in sessions:
            trace = Path(directory) / record.__name__
            yield record.__name__, trace, record(program, trace)

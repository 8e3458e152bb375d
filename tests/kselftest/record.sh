#!/bin/sh
# SPDX-License-Identifier: MIT
# `lttng-gpu record` with real kernel events beside those of user space: what it loads and starts, what it records, when
# it takes snapshots of late jobs, and that nothing stays behind. Traces of snapshots stay in record/.
. ./tap.sh
export LD_LIBRARY_PATH="$PWD/lib"

record() { ./lttng-gpu record "$@"; }
modules() { cut -d' ' -f1 /proc/modules | sort; }
sessions() { lttng --no-sessiond list 2>/dev/null | grep -c '^ *[0-9]*) '; }
# All that a recording must undo; $before are the modules that were there.
nothing_left() {
    [ "$(modules)" = "$before" ] || { echo "modules:"; echo "$before" >/tmp/before; modules | diff /tmp/before - ; return 1; }
    ! pgrep lttng-sessiond && [ ! -e /run/lttng-gpu ] && ! ls /dev/shm | grep -v '^lttng-ust-wait'
}
jobs_in() { ./lttng-gpu jobs --format csv "$1" 2>/dev/null | grep -c ',gputest,.*,complete,'; }
steps_in() { cat "$1"/ust/uid/0/64-bit/gpu_* | grep -ao ust-events | wc -l; } # its name is in each event

whole_session() {
    record -o /tmp/whole --no-loss --no-report -- sh -c 'lsmod | grep -q ^lttng_probe_gpu_drm_sched && ./gputest-load --processes 2 --jobs 200 && ./ust-events 1000' &&
        nothing_left || return 1
    echo "$(jobs_in /tmp/whole) jobs, $(steps_in /tmp/whole) events of user space"
    [ "$(jobs_in /tmp/whole)" = 400 ] && [ "$(steps_in /tmp/whole)" = 1000 ]
}
says_processes() { ./lttng-gpu jobs --format csv /tmp/whole | grep -q ',gputest-0,' && ./lttng-gpu report /tmp/whole | grep gputest-1; }
failing_command() {
    record -o /tmp/failing --no-report -- sh -c './gputest-load --jobs 10; exit 9'
    [ $? = 9 ] && nothing_left
}
without_probes() { # what a machine without them says
    mv modules/lttng-probe-gpu.ko modules/lttng-probe-gpu.away
    ./lttng-gpu record -o /tmp/without -- ./ust-events 100 2>/tmp/words
    code=$?
    mv modules/lttng-probe-gpu.away modules/lttng-probe-gpu.ko
    cat /tmp/words
    [ $code = 0 ] && grep -q 'user space only: .*modprobe' /tmp/words && nothing_left && [ "$(steps_in /tmp/without)" = 100 ]
}
probes_of_others() {
    modprobe lttng-probe-gpu && lttng-sessiond --daemonize && lttng create mine --output=/tmp/mine $LTTNG_CREATE_OPTIONS || return 1
    there=$(modules) daemon=$(pgrep -o lttng-sessiond)
    record -o /tmp/beside -- ./gputest-load --processes 1 --jobs 50 || return 1
    [ "$(modules)" = "$there" ] && [ "$(pgrep -o lttng-sessiond)" = "$daemon" ] && [ "$(sessions)" = 1 ] && [ "$(jobs_in /tmp/beside)" = 50 ] || return 1
    lttng destroy mine && end_daemon && modprobe -r lttng-probe-gpu
}
end_daemon() {
    pkill -x lttng-sessiond
    for _ in $(seq 100); do
        pgrep lttng-sessiond >/dev/null || return 0
        sleep 0.2
    done
    return 1
}
signalled() {
    ./lttng-gpu record -o /tmp/signalled -- ./gputest-load --processes 2 --jobs 100000 &
    pid=$!
    until [ "$(pgrep -c gputest-load)" -gt 0 ]; do sleep 0.2; done
    sleep 1
    kill -TERM $pid
    wait $pid
    [ $? = 143 ] && nothing_left && [ "$(jobs_in /tmp/signalled)" -gt 0 ]
}
killed() {
    ./lttng-gpu record -o /tmp/killed -- sleep 1000 &
    pid=$!
    until pgrep -x sleep >/dev/null; do sleep 0.2; done
    kill -KILL $pid
    wait $pid
    pkill -KILL -x sleep
    ! nothing_left >/dev/null && record --recover && nothing_left
}
on_request() {
    ./lttng-gpu record -o record/request --snapshot -- ./gputest-load --processes 2 --jobs 20000 &
    pid=$!
    until [ "$(pgrep -c gputest-load)" -gt 0 ]; do sleep 0.2; done
    sleep 1
    kill -USR1 $pid
    until [ -e record/request/request-1 ]; do sleep 0.2; done
    pkill -TERM -x gputest-load
    wait $pid
    nothing_left && [ "$(jobs_in record/request/request-1)" -gt 0 ]
}
# Bursts of 8 jobs, of which a ring takes some at a time: most wait for milliseconds.
late_jobs() {
    record -o record/late --trigger 2ms --max-snapshots 3 --no-report -- \
        ./gputest-load --processes 2 --jobs 600 --exec-us 500:3000 --burst 16 2>/tmp/words
    code=$?
    cat /tmp/words
    [ $code = 0 ] && nothing_left && grep -q 'snapshot late-1: a job of gputest' /tmp/words || return 1
    ! grep -q 'does not reach back' /tmp/words && [ "$(jobs_in record/late/late-1)" -gt 0 ]
}
no_late_jobs() {
    record -o record/none --trigger 60s -- ./gputest-load --processes 1 --jobs 50 2>/tmp/words && cat /tmp/words && grep -q 'no snapshot was taken' /tmp/words
}

modprobe gputest
rm -rf record
mkdir record
before=$(modules)
ok "jobs of the kernel and events of user space are in one recording, and nothing stays loaded" whole_session
ok "the jobs have their processes" says_processes
ok "the command's exit code is handed on" failing_command
ok "probes that do not load: user space only, and why" without_probes
ok "probes, a daemon and a session of somebody else's stay" probes_of_others
ok "SIGTERM ends command and recording" signalled
ok "what a killed record leaves is cleaned up" killed
ok "a snapshot on request has jobs" on_request
ok "late jobs make snapshots that hold them" late_jobs
grep -E 'snapshot late-.*later|looked' /tmp/words | sed 's/^/# /'
ok "jobs that are not late make none" no_late_jobs
ok "the kernel log has no splat" no_splat
plan

#!/bin/sh
# SPDX-License-Identifier: MIT
# `lttng-gpu record` with real kernel events beside those of user space: what it loads and starts, what it records, when
# it takes snapshots of late jobs, and that nothing stays behind. Traces of snapshots stay in record/.
. ./tap.sh
export LD_LIBRARY_PATH="$PWD/lib"
# A daemon loads all of LTTng's probes otherwise, which takes seconds under emulation, each time.
export LTTNG_KMOD_PROBES=sched

record() { timeout --foreground $(seconds 400) ./lttng-gpu record "$@"; }
modules() { cut -d' ' -f1 /proc/modules | sort; }
# LTTng 2.13 and 2.16 have different lists for people.
sessions() { lttng --no-sessiond --mi xml list 2>/dev/null | grep -o '<session><name>' | wc -l; }
# after SECONDS COMMAND...: waits until that succeeds, but not forever.
after() {
    most=$(($(cut -d. -f1 /proc/uptime) + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$(cut -d. -f1 /proc/uptime)" -lt $most ] || { echo "still not after all that time: $*"; return 1; }
        sleep 0.2
    done
}
# ended PID SECONDS: waits for a child, and gives its exit code; one that does not end is killed.
ended() {
    ( sleep "$2" && echo "process $1 did not end" && kill -KILL "$1" ) &
    guard=$!
    wait "$1"
    code=$?
    kill $guard 2>/dev/null
    return $code
}
# All that a recording must undo; $before are the modules that were there.
nothing_left() {
    [ "$(modules)" = "$before" ] || { echo "modules:"; echo "$before" >/tmp/before; modules | diff /tmp/before - ; return 1; }
    ! pgrep lttng-sessiond && [ ! -e /run/lttng-gpu ] && ! ls /dev/shm | grep -v '^lttng-ust-wait'
}
# As ok; what a failure leaves behind must not make the next ones fail.
check() {
    ok "$@"
    [ "$result" = ok ] || restore >/dev/null 2>&1
}
restore() {
    pkill -KILL -x lttng-gpu
    pkill -KILL -x gputest-load
    lttng --no-sessiond destroy --all
    ./lttng-gpu record --recover
    end_daemon
    modprobe -r lttng-probe-gpu
    unload_lttng
    rm -rf /run/lttng-gpu
}
# On a slow kernel a daemon leaves modules of LTTng, and `modprobe -r` those that the ones it removes needed.
unload_lttng() {
    for _ in 1 2 3 4 5 6 7 8; do
        [ "$(modules)" != "$before" ] || return 0
        rmmod $(modules | grep ^lttng) 2>/dev/null
    done
    [ "$(modules)" = "$before" ]
}
jobs_in() { ./lttng-gpu jobs --format csv "$1" 2>/dev/null | grep -c ',gputest,.*,complete,'; }
steps_in() { cat "$1"/ust/uid/0/64-bit/gpu_* | grep -ao ust-events | wc -l; } # its name is in each event

whole_session() {
    record -o /tmp/whole --no-loss --no-report -- sh -c 'lsmod | grep -q ^lttng_probe_gpu_drm_sched && ./gputest-load --processes 2 --jobs 200 && ./ust-events 1000' &&
        nothing_left || return 1
    echo "$(jobs_in /tmp/whole) jobs, $(steps_in /tmp/whole) events of user space"
    [ "$(jobs_in /tmp/whole)" = 400 ] && [ "$(steps_in /tmp/whole)" = 1000 ]
}
says_processes() { # the report names only those of the slowest jobs
    ./lttng-gpu jobs --format csv /tmp/whole >/tmp/whole.csv && grep -q ',gputest-0,' /tmp/whole.csv && grep ',gputest-1,' /tmp/whole.csv
}
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
    lttng destroy mine && end_daemon && modprobe -r lttng-probe-gpu && unload_lttng
}
no_daemon() { ! pgrep lttng-sessiond; }
end_daemon() {
    pkill -x lttng-sessiond
    after $(seconds 240) no_daemon
}
signalled() {
    ./lttng-gpu record -o /tmp/signalled -- ./gputest-load --processes 2 --jobs 100000 &
    pid=$!
    after $(seconds 240) pgrep -x gputest-load || return 1
    sleep 1
    kill -TERM $pid
    ended $pid $(seconds 240)
    [ $? = 143 ] && nothing_left && [ "$(jobs_in /tmp/signalled)" -gt 0 ]
}
killed() {
    ./lttng-gpu record -o /tmp/killed -- sleep 1000 &
    pid=$!
    after $(seconds 240) pgrep -f '^sleep 1000' || return 1
    kill -KILL $pid
    wait $pid
    pkill -KILL -f '^sleep 1000'
    ! nothing_left >/dev/null && record --recover && nothing_left
}
on_request() {
    ./lttng-gpu record -o record/request --snapshot -- ./gputest-load --processes 2 --jobs 20000 &
    pid=$!
    after $(seconds 240) pgrep -x gputest-load || return 1
    sleep 1
    kill -USR1 $pid
    after $(seconds 240) [ -e record/request/request-1 ] || return 1
    pkill -TERM -x gputest-load
    ended $pid $(seconds 240)
    nothing_left && [ "$(jobs_in record/request/request-1)" -gt 0 ]
}
# Bursts of 8 jobs, of which a ring takes some at a time: most wait for milliseconds.
late_jobs() {
    record -o record/late --trigger 2ms --max-snapshots 3 --no-report -- \
        ./gputest-load --processes 2 --jobs 600 --exec-us 500:3000 --burst 16 2>/tmp/words
    code=$?
    cat /tmp/words
    echo "exit code $code"
    [ $code = 0 ] && nothing_left && grep -q 'snapshot late-1: a job of gputest' /tmp/words || return 1
    ! grep -q 'does not include that job' /tmp/words && [ "$(jobs_in record/late/late-1)" -gt 0 ]
}
no_late_jobs() {
    record -o record/none --trigger 60s -- ./gputest-load --processes 1 --jobs 50 2>/tmp/words && cat /tmp/words && grep -q 'no snapshot was taken' /tmp/words
}

modprobe gputest
rm -rf record
mkdir record
before=$(modules)
check "jobs of the kernel and events of user space are in one recording, and nothing stays loaded" whole_session
check "the jobs have their processes" says_processes
check "the exit code of the command is returned" failing_command
check "probes that do not load: user space only, and why" without_probes
check "probes, a daemon and a session of somebody else's stay" probes_of_others
check "SIGTERM ends command and recording" signalled
check "what a killed record leaves is cleaned up" killed
check "a snapshot on request has jobs" on_request
check "late jobs make snapshots that hold them" late_jobs
grep -E 'snapshot late-.*later|searched' /tmp/words | sed 's/^/# /'
check "jobs that are not late make none" no_late_jobs
check "the kernel log has no splat" no_splat
plan

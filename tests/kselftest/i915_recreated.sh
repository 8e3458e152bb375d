#!/bin/sh
# SPDX-License-Identifier: MIT
# The i915 events that the probe makes by hooks: while i915 and the probe come and go, and when its functions are called.
. ./tap.sh

# One takes some seconds under emulation.
rounds=$(repeated 2 8)
recreated='i915_request_submit,i915_request_execute,i915_request_in,i915_request_out,i915_request_guc_submit'
functions='submit_notify __i915_request_submit intel_guc_submission_cancel_requests execlists_submission_tasklet
process_csb __guc_add_request intel_guc_ct_send'
hooks=/sys/kernel/debug/kprobes/list

number_of_hooks() { grep -c ' i915\>' $hooks; }
all_hooked() { for function in $functions; do grep -q " $function+.* i915\\>" $hooks || { cat $hooks; return 1; }; done; }
none_hooked() { ! grep ' i915\>' $hooks; }
start() { lttng create --output=/tmp/trace-i915 $LTTNG_CREATE_OPTIONS i915 && lttng enable-event --kernel "$1" && lttng start; }
stop() { lttng destroy i915 && rm -rf /tmp/trace-i915; }

enabled_first() { start "$recreated" && none_hooked && modprobe i915 && all_hooked; }
unloaded_while_enabled() { modprobe -r i915 && none_hooked && modprobe i915 && all_hooked; }
disabled() { stop && none_hooked; }
loaded_first() { none_hooked && start "$recreated" && all_hooked && stop && none_hooked; }
# submit needs one hook, execute another one.
only_what_is_needed() {
    start i915_request_submit && [ "$(number_of_hooks)" = 1 ] &&
        lttng enable-event --kernel i915_request_execute && [ "$(number_of_hooks)" = 2 ] && stop && none_hooked
}
refuses_to_go_while_enabled() { start "$recreated" && ! rmmod lttng-probe-gpu-i915 && stop && rmmod lttng-probe-gpu-i915 && modprobe lttng-probe-gpu-i915; }
# Each round: events first, then the driver; the driver goes while they are enabled; then the probe goes, too.
come_and_go() {
    for round in $(seq $rounds); do
        echo "guest: $(cut -d. -f1 /proc/uptime) s: round $round" >/dev/console
        start "$recreated" && modprobe i915 && all_hooked && modprobe -r i915 && none_hooked && stop && rmmod lttng-probe-gpu-i915 &&
            modprobe lttng-probe-gpu-i915 || { echo "in round $round"; return 1; }
    done
}
calls() {
    modprobe i915 && modprobe i915calls || { dmesg | tail -5; return 1; }
    cat /sys/module/i915calls/parameters/tap
    ! grep '^not ok' /sys/module/i915calls/parameters/tap && grep -q '^1\.\.16$' /sys/module/i915calls/parameters/tap
}

# Hooks wait for RCU when they go.
echo 1 >/sys/kernel/rcu_expedited
mountpoint -q /sys/kernel/debug || mount -t debugfs debugfs /sys/kernel/debug
lttng-sessiond --daemonize 2>/dev/null || true
modprobe lttng-probe-gpu-i915
ok "events that were enabled first are hooked when i915 is loaded" enabled_first
ok "i915 is unloaded and loaded while they are enabled" unloaded_while_enabled
ok "nothing stays hooked when they are disabled" disabled
ok "events are hooked when i915 was loaded first" loaded_first
ok "an event hooks only what it needs" only_what_is_needed
ok "the probe stays loaded while an event is enabled, and unloads then" refuses_to_go_while_enabled
ok "calls of the hooked functions make the right events" calls
modprobe -r i915calls i915
ok "events, driver and probe are loaded and unloaded $rounds times" come_and_go
ok "every function was hooked, no call was missed" sh -c '! dmesg | grep lttng-probe-gpu-i915:'
ok "the kernel log has no splat" no_splat
plan

# SPDX-License-Identifier: MIT
# Test Anything Protocol, for the tests of this folder. Each is a shell script that is run in the guest.
number=0
ok() { # ok WORDS COMMAND...: a test that passes when the command does
    words=$1 result=ok
    shift
    "$@" >/tmp/tap.log 2>&1 || result="not ok"
    number=$((number + 1))
    echo "$result $number - $words"
    [ "$result" = ok ] || sed 's/^/# /' /tmp/tap.log
}
skip() { # skip WORDS REASON
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}
# repeated SHORT LONG: how often to repeat something; the second for the long form of the tests.
repeated() { [ "${LONG:-}" ] && echo "$2" || echo "$1"; }
# seconds NUMBER: what may take so long on a stock kernel; SLOWER says how many times slower this one is.
seconds() { echo $(($1 * ${SLOWER:-1})); }
plan() { echo "1..$number"; }

# What a kernel prints when something is wrong. Its own start-up and the taint of out-of-tree modules are no splats.
splats='WARNING:|BUG:|UBSAN|KASAN|Oops|general protection fault|NULL pointer|lockdep|possible (recursive|circular) locking'
splats="$splats|scheduling while atomic|sleeping function|refcount_t:|use-after-free|rcu.*stall|Call Trace:"
no_splat() { ! dmesg | grep -E "$splats"; }

// SPDX-License-Identifier: MIT
//
// LTTng-UST in a child of fork() that it was not told of (by liblttng-ust-fork). Its destructor
// cancels its two listener threads, which the child has not got: their stacks belong to other
// threads by then, or are unmapped, and the child dies at exit() (LTTng-UST 2.13 to 2.16,
// lttng_ust_exit() in lttng-ust-comm.c). It also takes locks that a listener may have held.
//
// To tell LTTng of every fork is no way out: it would start two threads in each child, which then
// may no longer unshare() its user namespace, wait for the session daemon, and have descriptors
// that daemons close. So such a child is left alone: nothing is recorded in it, and at its end
// LTTng's destructors, whose work the end of the process does, are left out.
#pragma once

namespace lttng_gpu {

/// To be called once, in the process that has loaded LTTng. `provider`: what dlopen() gave.
void watch_exits_of_children(void* provider);
/// In a child, as the handler of pthread_atfork(). Other children are known by their number.
void note_that_this_is_a_child();

} // namespace lttng_gpu

// SPDX-License-Identifier: MIT
//
// Functions of liblttng-ust-common.so.1 that no installed header declares (LTTng-UST 2.13 to 2.16).
// LTTng's own liblttng-ust-fd.so.1 calls the two that close.
#pragma once

#include <stdio.h>

extern "C" {

void lttng_ust_lock_fd_tracker();
void lttng_ust_unlock_fd_tracker();
/// Calls `close` unless the descriptor is LTTng's; then -1 with errno EBADF. LTTng itself, which
/// holds the lock, may close it.
int lttng_ust_safe_close_fd(int descriptor, int (*close)(int));
int lttng_ust_safe_fclose_stream(FILE* stream, int (*close)(FILE*));
}

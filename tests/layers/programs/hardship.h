/* SPDX-License-Identifier: MIT */
/* What programs that use an API do to a layer of it: many threads, small stacks, signal handlers that call the API, children. */
#pragma once

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

/* Of child_storm.so, where that is preloaded. */
extern void make_children(void) __attribute__((weak));

static inline void have_children(void)
{
	fflush(stdout);
	if (make_children)
		make_children();
}

/* All run at once; a stack of 0 bytes is the usual one. */
static inline void run_threads(unsigned count, size_t stack_bytes, void *(*run)(void *), void *const *arguments)
{
	pthread_t threads[64];
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	if (stack_bytes)
		pthread_attr_setstacksize(&attributes, stack_bytes);
	for (unsigned i = 0; i < count; ++i) {
		if (pthread_create(&threads[i], &attributes, run, arguments ? arguments[i] : NULL)) {
			puts("no thread");
			exit(9);
		}
	}
	for (unsigned i = 0; i < count; ++i)
		pthread_join(threads[i], NULL);
	pthread_attr_destroy(&attributes);
}

/* A signal comes to this thread every so many microseconds, or none does (0). */
static inline void storm_of_signals(void (*handler)(int), long every_us)
{
	struct sigaction action;
	const struct itimerval time = {{0, every_us}, {0, every_us}};

	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	action.sa_flags = SA_RESTART;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &time, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Events: what a thread sleeps on until a signal changes. */
#include "stand_in.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/*
 * ROCr 5.2 can lose a wakeup: hsa_signal_store_*() changes the value and then looks whether somebody waits, without a fence
 * between the two, so that it may see nobody, and who begins to wait at that moment the old value. Whoever is woken for
 * nothing looks at the value again.
 */
enum { most_events = 4096, longest_wait_ms = 1000 };

struct event {
	HsaEvent told; /* first: the runtime has its address */
	bool is_manual;
	bool is_set;
	unsigned waiters;
	uint64_t pulses; /* how often it was set while somebody waited: that wakes all of them, as the kernel does it */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct event *events[most_events]; /* by number; 0 is none */
static uint64_t mailbox;		  /* nobody reads it: the number says enough */

static void make_condition(void)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&changed, &attributes);
}

API HSAKMT_STATUS hsaKmtCreateEvent(HsaEventDescriptor *description, bool is_manual, bool is_set, HsaEvent **told)
{
	HSAKMT_STATUS status = HSAKMT_STATUS_NO_MEMORY;
	struct event *event = calloc(1, sizeof(*event));

	pthread_once(&once, make_condition);
	pthread_mutex_lock(&lock);
	for (uint32_t number = 1; event && number < most_events; ++number) {
		if (events[number])
			continue;
		event->told.EventId = number;
		event->told.EventData.EventType = description->EventType;
		event->told.EventData.HWData2 = (uintptr_t)&mailbox;
		event->is_manual = is_manual;
		event->is_set = is_set;
		events[number] = event;
		*told = &event->told;
		status = HSAKMT_STATUS_SUCCESS;
		break;
	}
	pthread_mutex_unlock(&lock);
	if (status != HSAKMT_STATUS_SUCCESS)
		free(event);
	return status;
}

API HSAKMT_STATUS hsaKmtDestroyEvent(HsaEvent *told)
{
	if (!told)
		return HSAKMT_STATUS_INVALID_HANDLE;
	pthread_mutex_lock(&lock);
	events[told->EventId] = NULL;
	pthread_mutex_unlock(&lock);
	free(told);
	return HSAKMT_STATUS_SUCCESS;
}

void set_event_of_signal(uint32_t number)
{
	pthread_mutex_lock(&lock);
	if (number && number < most_events && events[number]) {
		struct event *event = events[number];

		event->is_set = event->is_manual || !event->waiters;
		event->pulses += event->waiters != 0;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
}

API HSAKMT_STATUS hsaKmtSetEvent(HsaEvent *told)
{
	if (!told)
		return HSAKMT_STATUS_INVALID_HANDLE;
	set_event_of_signal(told->EventId);
	return HSAKMT_STATUS_SUCCESS;
}

static bool take_set(HsaEvent *told[], HSAuint32 count)
{
	bool is_met = false;

	for (HSAuint32 i = 0; i < count; ++i) {
		struct event *event = (struct event *)told[i];

		is_met = is_met || event->is_set;
		event->is_set = event->is_set && event->is_manual;
	}
	return is_met;
}

static bool has_pulsed(HsaEvent *told[], const uint64_t *before, HSAuint32 count)
{
	for (HSAuint32 i = 0; i < count; ++i) {
		if (((struct event *)told[i])->pulses != before[i])
			return true;
	}
	return false;
}

static struct timespec end_of(HSAuint32 milliseconds)
{
	struct timespec end;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += milliseconds / 1000;
	end.tv_nsec += milliseconds % 1000 * 1000000;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	return end;
}

/* The runtime waits for any of several only. */
API HSAKMT_STATUS hsaKmtWaitOnMultipleEvents(HsaEvent *told[], HSAuint32 count, bool all, HSAuint32 milliseconds)
{
	const struct timespec end = end_of(milliseconds < longest_wait_ms ? milliseconds : longest_wait_ms);
	uint64_t *before = calloc(count, sizeof(*before));
	bool is_met;
	int error = 0;

	(void)all;
	if (!before)
		return HSAKMT_STATUS_NO_MEMORY;
	pthread_mutex_lock(&lock);
	is_met = take_set(told, count);
	for (HSAuint32 i = 0; i < count; ++i) {
		before[i] = ((struct event *)told[i])->pulses;
		++((struct event *)told[i])->waiters;
	}
	while (!is_met && !error) {
		error = pthread_cond_timedwait(&changed, &lock, &end);
		is_met = has_pulsed(told, before, count) || take_set(told, count);
	}
	for (HSAuint32 i = 0; i < count; ++i)
		--((struct event *)told[i])->waiters;
	pthread_mutex_unlock(&lock);
	free(before);
	return is_met ? HSAKMT_STATUS_SUCCESS : HSAKMT_STATUS_WAIT_TIMEOUT;
}

API HSAKMT_STATUS hsaKmtWaitOnEvent(HsaEvent *told, HSAuint32 milliseconds)
{
	if (!told)
		return HSAKMT_STATUS_INVALID_HANDLE;
	return hsaKmtWaitOnMultipleEvents(&told, 1, true, milliseconds);
}

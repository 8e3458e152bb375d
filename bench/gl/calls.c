/* SPDX-License-Identifier: MIT */
/* Reads lines "FUNCTION COUNT" and answers each with the nanoseconds of a call, of the thread's own time: other programs
 * take turns on the processor. Linked to the empty library. */
#include <stdio.h>
#include <string.h>
#include <time.h>

int eglInitialize(void *display, int *major, int *minor);
unsigned eglSwapBuffers(void *display, void *surface);
void glDrawArrays(unsigned mode, int first, int count);
void glDeleteSync(void *sync);
void glDispatchCompute(unsigned x, unsigned y, unsigned z);

static double now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double measure(const char *what, long count)
{
	double begin = now_ns();

	if (!strcmp(what, "draw"))
		for (long i = 0; i < count; i++)
			glDrawArrays(4, 0, 3);
	else if (!strcmp(what, "call"))
		for (long i = 0; i < count; i++)
			glDeleteSync(NULL);
	else if (!strcmp(what, "dispatch"))
		for (long i = 0; i < count; i++)
			glDispatchCompute(1, 1, 1);
	else
		for (long i = 0; i < count; i++)
			eglSwapBuffers(NULL, &begin);
	return (now_ns() - begin) / (double)count;
}

int main(void)
{
	char what[32];
	long count;

	eglInitialize(NULL, NULL, NULL);
	while (scanf("%31s %ld", what, &count) == 2) {
		printf("%.3f\n", measure(what, count));
		fflush(stdout);
	}
	return 0;
}

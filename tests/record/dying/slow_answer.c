/* SPDX-License-Identifier: MIT */
/*
 * slow-answer.so, preloaded: LTTng-UST's own thread gives one of its answers to the session daemon after 7 s, as on a machine that is
 * busy or emulated. The daemon's own limit is 5 s.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <string.h>
#include <unistd.h>

enum { THE_SLOW_ONE = 6, SECONDS = 7 };

static int is_lttngs_thread(void)
{
	char name[16] = "";

	return prctl(PR_GET_NAME, name) == 0 && strstr(name, "-ust") != NULL;
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags)
{
	static ssize_t (*next)(int, const struct msghdr *, int);
	static int answers;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "sendmsg");
	if (is_lttngs_thread() && __atomic_add_fetch(&answers, 1, __ATOMIC_RELAXED) == THE_SLOW_ONE)
		sleep(SECONDS);
	return next(socket, message, flags);
}

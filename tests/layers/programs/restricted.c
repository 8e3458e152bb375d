/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into a program of any API: before main() it gives up what LTTng needs to begin, as sandboxed programs do before they use the API.
 * RESTRICTED is "prctl" or "syscall" (a filter of seccomp kills for socket(), set in one way or the other) or "setresuid" (another user).
 */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void forbid_sockets(int is_by_prctl)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (is_by_prctl ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) : syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)) {
		perror("seccomp");
		exit(99);
	}
}

__attribute__((constructor)) static void restrict_program(void)
{
	const char *way = getenv("RESTRICTED");

	if (!way)
		return;
	if (!strcmp(way, "setresuid")) {
		if (setresuid(65534, 65534, 65534))
			exit(98);
		return;
	}
	forbid_sockets(!strcmp(way, "prctl"));
}

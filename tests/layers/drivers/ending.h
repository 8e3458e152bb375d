/* SPDX-License-Identifier: MIT */
/*
 * A driver that ends by itself, made of one that does not: each function that it hands out looks first whether the driver is
 * still there, and ends the program with code 99 when it is not. Real ones crash. The driver registers its exit handler when the
 * function that $ENDING_DRIVER names is called for the first time. Handlers run in the opposite order of registering.
 */
#pragma once

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 8192 /* OpenGL's loader asks for some thousand */
#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number
#define HIDDEN __attribute__((visibility("hidden")))

#ifdef __cplusplus
extern "C" {
#endif

HIDDEN unsigned char ending_states[MOST]; /* 0: only to be handed on */
HIDDEN void *ending_targets[MOST];
static char *ending_names[MOST];
static unsigned ending_count;
static int ending_has_ended, ending_is_registered;
static pthread_mutex_t ending_lock = PTHREAD_MUTEX_INITIALIZER;

static void end_driver(void)
{
	puts("the driver ends");
	__atomic_store_n(&ending_has_ended, 1, __ATOMIC_SEQ_CST);
	memset(ending_states, 1, sizeof(ending_states));
}

/* Returns the driver's function. */
HIDDEN void *ending_is_called(unsigned long number);
void *ending_is_called(unsigned long number)
{
	if (__atomic_load_n(&ending_has_ended, __ATOMIC_SEQ_CST)) {
		printf("%s() after the driver's end\n", ending_names[number]);
		fflush(stdout);
		_exit(99);
	}
	ending_states[number] = 0;
	if (!__atomic_exchange_n(&ending_is_registered, 1, __ATOMIC_SEQ_CST))
		atexit(end_driver);
	return ending_targets[number];
}

/* One for each function. They keep all registers with arguments. */
HIDDEN extern const char ending_stubs[];
enum { ending_stub_bytes = 32 };
__asm__(".text\n"
	".hidden ending_stubs\n"
	".balign 32\n"
	"ending_stubs:\n"
	".set number, 0\n"
	".rept " TEXT(MOST) "\n"
	"	cmpb $0, ending_states+number(%rip)\n"
	"	jne 1f\n"
	"	jmp *ending_targets+8*number(%rip)\n"
	"1:	push $number\n"
	"	jmp ending_looks\n"
	"	.balign 32\n"
	"	.set number, number+1\n"
	".endr\n"
	"ending_looks:\n"
	"	push %rdi\n	push %rsi\n	push %rdx\n	push %rcx\n	push %r8\n	push %r9\n	push %rax\n"
	"	sub $136, %rsp\n"
	"	movups %xmm0, 0(%rsp)\n	movups %xmm1, 16(%rsp)\n	movups %xmm2, 32(%rsp)\n	movups %xmm3, 48(%rsp)\n"
	"	movups %xmm4, 64(%rsp)\n	movups %xmm5, 80(%rsp)\n	movups %xmm6, 96(%rsp)\n	movups %xmm7, 112(%rsp)\n"
	"	mov 192(%rsp), %rdi\n"
	"	call ending_is_called\n"
	"	mov %rax, 192(%rsp)\n" /* to return to */
	"	movups 0(%rsp), %xmm0\n	movups 16(%rsp), %xmm1\n	movups 32(%rsp), %xmm2\n	movups 48(%rsp), %xmm3\n"
	"	movups 64(%rsp), %xmm4\n	movups 80(%rsp), %xmm5\n	movups 96(%rsp), %xmm6\n	movups 112(%rsp), %xmm7\n"
	"	add $136, %rsp\n"
	"	pop %rax\n	pop %r9\n	pop %r8\n	pop %rcx\n	pop %rdx\n	pop %rsi\n	pop %rdi\n"
	"	ret\n");

/* What stands in the place of the driver's function. */
static void *ending_stub(const char *name, void *function)
{
	const char *const watched = getenv("ENDING_DRIVER");
	unsigned number = 0;

	if (!function)
		return NULL;
	pthread_mutex_lock(&ending_lock);
	while (number < ending_count && !(ending_targets[number] == function && !strcmp(ending_names[number], name)))
		++number;
	if (number == MOST) {
		fprintf(stderr, "ending driver: more than %d functions\n", MOST);
		_exit(3);
	}
	if (number == ending_count) {
		ending_names[number] = strdup(name);
		ending_targets[number] = function;
		ending_states[number] = ending_has_ended || (watched && !strcmp(watched, name));
		++ending_count;
	}
	pthread_mutex_unlock(&ending_lock);
	return (void *)(ending_stubs + (size_t)number * ending_stub_bytes);
}

#ifdef __cplusplus
}
#endif

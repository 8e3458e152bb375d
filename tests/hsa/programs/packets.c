/* SPDX-License-Identifier: MIT */
/*
 * packets PART [ROUNDS]: packets in the ways in which programs put them into queues. Prints what it counted, which is the
 * same in every run. PACKETS_LOG=FILE: a line for each queue, with its address and that of its ring buffer.
 * PACKETS_CODE=FILE: the code object of the part "kernels".
 */
#include "../../layers/programs/hardship.h"
#include "packets.h"

#include <hsa/amd_hsa_signal.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static hsa_agent_t gpu;
static unsigned rounds = 20;
static uint64_t counter;

static hsa_queue_t *make_noted_queue(void)
{
	hsa_queue_t *queue = make_queue(gpu);
	const char *path = getenv("PACKETS_LOG");
	FILE *file = path ? fopen(path, "a") : NULL;

	if (file) {
		fprintf(file, "%d %p %p\n", getpid(), (void *)queue, queue->base_address);
		fclose(file);
	}
	return queue;
}

/* One packet, one doorbell, one wait; the signal is used again. */
static void one_by_one(hsa_queue_t *queue, unsigned count)
{
	hsa_signal_t signal = make_signal(1);
	struct kernel_arguments arguments = {KERNEL_MAGIC, 200000, &counter};

	for (unsigned i = 0; i < count; ++i) {
		const uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);

		hsa_signal_store_relaxed(signal, 1);
		write_dispatch(queue, index, 0x1000, &arguments, signal);
		hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
		wait_below(signal, 1);
	}
	CHECK(hsa_signal_destroy(signal));
}

/* Eight packets, one doorbell: each has a signal, but the last two, which nobody waits for. */
static void batches(hsa_queue_t *queue, unsigned count)
{
	struct kernel_arguments arguments = {KERNEL_MAGIC, 100000, &counter};

	for (unsigned i = 0; i < count; ++i) {
		hsa_signal_t signals[6];
		const uint64_t index = hsa_queue_add_write_index_scacq_screl(queue, 8);

		for (unsigned at = 0; at < 8; ++at) {
			const hsa_signal_t none = {0};

			if (at < 6)
				signals[at] = make_signal(1);
			write_dispatch(queue, index + at, 0x2000 + at, &arguments, at < 6 ? signals[at] : none);
		}
		hsa_signal_store_relaxed(queue->doorbell_signal, (hsa_signal_value_t)index + 7);
		for (unsigned at = 6; at-- > 0;)
			wait_below(signals[at], 1);
		for (unsigned at = 0; at < 6; ++at)
			CHECK(hsa_signal_destroy(signals[at]));
	}
	while (hsa_queue_load_read_index_scacquire(queue) != hsa_queue_load_write_index_relaxed(queue))
		usleep(100);
}

/* A barrier of the second queue waits for a packet of the first. */
static void barriers(hsa_queue_t *first, hsa_queue_t *second, unsigned count)
{
	struct kernel_arguments arguments = {KERNEL_MAGIC, 300000, &counter};

	for (unsigned i = 0; i < count; ++i) {
		hsa_signal_t dispatched = make_signal(1), passed = make_signal(1);
		uint64_t index = hsa_queue_load_write_index_relaxed(first);
		hsa_barrier_and_packet_t *packet;

		hsa_queue_store_write_index_relaxed(first, index + 1);
		write_dispatch(first, index, 0x3000, &arguments, dispatched);
		hsa_signal_store_screlease(first->doorbell_signal, (hsa_signal_value_t)index);
		do
			index = hsa_queue_load_write_index_relaxed(second);
		while (hsa_queue_cas_write_index_relaxed(second, index, index + 1) != index);
		packet = packet_at(second, index);
		memset((char *)packet + 2, 0, 62);
		packet->dep_signal[0] = dispatched;
		packet->completion_signal = passed;
		publish(packet, HSA_PACKET_TYPE_BARRIER_AND);
		hsa_signal_store_screlease(second->doorbell_signal, (hsa_signal_value_t)index);
		while (hsa_signal_load_scacquire(passed) != 0) /* never waits: its times are read when the signal goes */
			usleep(100);
		CHECK(hsa_signal_destroy(dispatched));
		CHECK(hsa_signal_destroy(passed));
	}
}

/* One signal for four packets. */
static void counted(hsa_queue_t *queue, unsigned count)
{
	struct kernel_arguments arguments = {KERNEL_MAGIC, 100000, &counter};
	hsa_signal_t signal = make_signal(0);

	for (unsigned i = 0; i < count; ++i) {
		const uint64_t index = hsa_queue_add_write_index_relaxed(queue, 4);

		hsa_signal_store_relaxed(signal, 4);
		for (unsigned at = 0; at < 4; ++at)
			write_dispatch(queue, index + at, 0x4000, &arguments, signal);
		hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index + 3);
		wait_below(signal, 1);
	}
	CHECK(hsa_signal_destroy(signal));
}

struct thread {
	pthread_t id;
	hsa_queue_t *queue;
};

static void *run_thread(void *argument)
{
	one_by_one(((struct thread *)argument)->queue, rounds);
	return NULL;
}

/* Three threads: two in one queue. */
static void threads(hsa_queue_t *first, hsa_queue_t *second)
{
	struct thread all[3] = {{.queue = first}, {.queue = first}, {.queue = second}};

	for (unsigned i = 0; i < 3; ++i)
		pthread_create(&all[i].id, NULL, run_thread, &all[i]);
	for (unsigned i = 0; i < 3; ++i)
		pthread_join(all[i].id, NULL);
}

/* A queue of each one's own; each prints the same. */
static void *use_queue(void *unused)
{
	hsa_queue_t *queue = make_noted_queue();

	(void)unused;
	one_by_one(queue, rounds);
	CHECK(hsa_queue_destroy(queue));
	return NULL;
}

static hsa_signal_t handlers_signal;
static hsa_queue_t *handlers_queue; /* nothing runs in it */
static volatile sig_atomic_t handled;

/* What changes and reads signals and the indices of queues: the runtime takes no lock for these, and makes no system call while nobody
 * waits. */
static void use_signal_and_indices(void)
{
	hsa_signal_silent_store_relaxed(handlers_signal, 1);
	hsa_signal_silent_store_screlease(handlers_signal, 1);
	hsa_signal_store_screlease(handlers_signal, 1);
	hsa_signal_exchange_scacq_screl(handlers_signal, 1);
	hsa_signal_cas_relaxed(handlers_signal, 5, 1);
	hsa_signal_add_relaxed(handlers_signal, 2);
	hsa_signal_subtract_screlease(handlers_signal, 2);
	hsa_signal_or_relaxed(handlers_signal, 2);
	hsa_signal_and_relaxed(handlers_signal, 1);
	hsa_signal_xor_relaxed(handlers_signal, 0);
	(void)hsa_signal_load_scacquire(handlers_signal);
	(void)hsa_queue_load_read_index_scacquire(handlers_queue);
	(void)hsa_queue_load_write_index_relaxed(handlers_queue);
	(void)hsa_queue_add_write_index_relaxed(handlers_queue, 1);
	(void)hsa_queue_cas_write_index_relaxed(handlers_queue, UINT64_MAX, 0);
}

static void call_hsa(int number)
{
	(void)number;
	use_signal_and_indices();
	handled = 1;
}

static void in_signals(hsa_queue_t *queue)
{
	handlers_signal = make_signal(1);
	handlers_queue = make_queue(gpu);
	one_by_one(queue, rounds);
	/* Not while the runtime is at work: with its signals' storage it fails now and then, also without a layer. */
	storm_of_signals(call_hsa, 50);
	for (unsigned i = 0; i < 100000; ++i)
		use_signal_and_indices();
	storm_of_signals(call_hsa, 0);
	one_by_one(queue, rounds);
	CHECK(hsa_queue_destroy(handlers_queue));
	CHECK(hsa_signal_destroy(handlers_signal));
	puts(handled ? "handled" : "none came");
}

/* Kernels of a code object, by their names. */
static void kernels(hsa_queue_t *queue, const char *path)
{
	static const char *const names[] = {"add_numbers.kd", "scale_numbers.kd"};
	struct kernel_arguments arguments = {KERNEL_MAGIC, 100000, &counter};
	FILE *file = path ? fopen(path, "r") : NULL;
	hsa_code_object_reader_t reader;
	hsa_executable_t executable;

	if (!file) {
		fprintf(stderr, "no code object\n");
		exit(1);
	}
	CHECK(hsa_code_object_reader_create_from_file(fileno(file), &reader));
	CHECK(hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable));
	CHECK(hsa_executable_load_agent_code_object(executable, gpu, reader, NULL, NULL));
	CHECK(hsa_executable_freeze(executable, NULL));
	for (unsigned i = 0; i < 2; ++i) {
		hsa_executable_symbol_t symbol;
		uint64_t kernel = 0;
		const hsa_signal_t signal = make_signal(1);
		const uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);

		CHECK(hsa_executable_get_symbol_by_name(executable, names[i], &gpu, &symbol));
		CHECK(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel));
		write_dispatch(queue, index, kernel, &arguments, signal);
		hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
		wait_below(signal, 1);
		CHECK(hsa_signal_destroy(signal));
		printf("%s ran\n", names[i]);
	}
	CHECK(hsa_executable_destroy(executable));
	CHECK(hsa_code_object_reader_destroy(reader));
	fclose(file);
}

/* The program ends without having asked the runtime about five packets, though they are done, and before a sixth is. */
static void leave_unasked(hsa_queue_t *queue)
{
	static struct kernel_arguments arguments = {KERNEL_MAGIC, 100000, &counter}, long_time = {KERNEL_MAGIC, 60000000000, &counter};

	for (unsigned i = 0; i < 6; ++i) {
		const hsa_signal_t signal = make_signal(1);
		const uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);

		write_dispatch(queue, index, 0x6000 + i, i < 5 ? &arguments : &long_time, signal);
		hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
		while (i < 5 && __atomic_load_n(&((amd_signal_t *)signal.handle)->value, __ATOMIC_ACQUIRE) > 0)
			usleep(100);
	}
	puts("unasked");
	exit(4);
}

static void *wait_for_ever(void *argument)
{
	(void)argument;
	wait_below(make_signal(1), 1);
	return NULL;
}

int main(int count, char **arguments)
{
	const char *part = count > 1 ? arguments[1] : "";
	hsa_queue_t *first, *second;

	if (count > 2)
		rounds = (unsigned)atoi(arguments[2]);
	CHECK(hsa_init());
	CHECK(hsa_init()); /* as a library and its program do */
	gpu = find_gpu();
	first = make_noted_queue();
	second = make_noted_queue();
	if (!strcmp(part, "one"))
		one_by_one(first, rounds);
	if (!strcmp(part, "batches"))
		batches(second, rounds);
	if (!strcmp(part, "barriers"))
		barriers(first, second, rounds);
	if (!strcmp(part, "counted"))
		counted(first, rounds);
	if (!strcmp(part, "kernels"))
		kernels(first, getenv("PACKETS_CODE"));
	if (!strcmp(part, "threads"))
		threads(first, second);
	if (!strcmp(part, "many-threads"))
		run_threads(64, 0, use_queue, NULL);
	if (!strcmp(part, "small-stacks"))
		run_threads(4, 32 << 10, use_queue, NULL);
	if (!strcmp(part, "signals"))
		in_signals(first);
	if (!strcmp(part, "unasked"))
		leave_unasked(first);
	if (!strcmp(part, "fork-storm")) {
		one_by_one(first, rounds);
		have_children();
		one_by_one(second, rounds);
	}
	if (!strcmp(part, "fork")) {
		int status = 0;
		pid_t child;

		one_by_one(first, rounds);
		child = fork();
		if (!child)
			exit(7);
		waitpid(child, &status, 0);
		one_by_one(second, rounds);
		printf("the child ended with %d\n", WEXITSTATUS(status));
	}
	if (!strcmp(part, "exit")) {
		pthread_t thread;
		const hsa_signal_t none = make_signal(1);
		static struct kernel_arguments long_time = {KERNEL_MAGIC, 60000000000, &counter};
		const uint64_t index = hsa_queue_add_write_index_relaxed(first, 1);

		one_by_one(second, rounds);
		write_dispatch(first, index, 0x5000, &long_time, none);
		hsa_signal_store_screlease(first->doorbell_signal, (hsa_signal_value_t)index);
		pthread_create(&thread, NULL, wait_for_ever, NULL);
		printf("%llu work items\n", (unsigned long long)counter);
		exit(3);
	}
	CHECK(hsa_queue_destroy(first));
	CHECK(hsa_queue_destroy(second));
	CHECK(hsa_shut_down());
	CHECK(hsa_shut_down());
	if (!strcmp(part, "again")) { /* the runtime comes back, and with it the tools */
		CHECK(hsa_init());
		gpu = find_gpu();
		first = make_noted_queue();
		one_by_one(first, rounds);
		CHECK(hsa_queue_destroy(first));
		CHECK(hsa_shut_down());
	}
	printf("%llu work items\n", (unsigned long long)counter);
	return 0;
}

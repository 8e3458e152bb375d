// SPDX-License-Identifier: GPL-2.0-only
/*
 * What i915's self-tests need and a stock kernel does not export; build-i915 compiles it into that i915.
 */
#include <linux/bug.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/math64.h>
#include <linux/moduleparam.h>
#include <linux/prime_numbers.h>
#include <linux/sched/signal.h>

#include "selftest_parts.h"

/*
 * The tests run while the module is loaded, before anything could enable its ftrace events. With this parameter set
 * its init waits, with its events already in tracefs, until 0 is written to it.
 */
static bool selftest_wait;
module_param(selftest_wait, bool, 0600);

int selftest_wait_for_start(void)
{
	while (READ_ONCE(selftest_wait)) {
		if (signal_pending(current))
			return -EINTR;
		msleep_interruptible(10);
	}
	return 0;
}

/* CONFIG_PRIME_NUMBERS is not in stock kernels. */
bool is_prime_number(unsigned long number)
{
	unsigned long divisor;

	if (number < 4)
		return number > 1;
	if (!(number & 1))
		return false;
	for (divisor = 3; divisor <= number / divisor; divisor += 2)
		if (!(number % divisor))
			return false;
	return true;
}

unsigned long next_prime_number(unsigned long number)
{
	do
		number++;
	while (!is_prime_number(number));
	return number;
}

/* Only live self-tests, which need the hardware, open the device; a mock one that did would fail here. */
struct file *mock_drm_getfile(struct drm_minor *minor, unsigned int flags)
{
	return ERR_PTR(-EOPNOTSUPP);
}

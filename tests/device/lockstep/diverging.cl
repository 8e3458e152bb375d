// SPDX-License-Identifier: MIT
/* Kernels whose lanes come apart, in loops above all: out[] has something of each path. */

/* A loop in which nothing else is recorded: a table of counts, of one form or another. */
kernel void counted(global int *out, int n)
{
	int id = get_global_id(0), sum = 0;
	for (int i = 0; i < id % 7; ++i)
		sum += i;
	for (int i = 0; i < 100 + id % 32 * 1000; ++i)
		sum ^= i;
	for (int i = 0; i < 40; ++i)
		sum += n;
	if (id % 3)
		for (int i = 0; i < id * id; ++i)
			sum += i;
	out[id] = sum;
}

/* Paths through a loop, with more passes than fit into a register, ended by itself, by break and by continue. */
kernel void paths(global int *out, int n)
{
	int id = get_global_id(0), sum = 0;
	for (int i = 0; i < 3 + id % 45; ++i) {
		if ((i ^ id) & 1)
			sum += 3;
		else if (i % 5 == id % 5)
			sum -= 1;
		if (i == id + 20)
			break;
		if (i & 4)
			continue;
		sum = sum * 2 + 1;
	}
	int left = id % 11;
	while (left > 0) {
		if (left % 3 == 0) {
			left -= 2;
			sum += left;
		} else {
			left--;
		}
	}
	out[id] = sum + n;
}

int step(int value, int more)
{
	if (value % 2)
		return value * 3 + more;
	return value / 2;
}

/* Loops in loops, functions, labels, and returns before the end. */
kernel void nested(global int *out, int n)
{
	int id = get_global_id(0), value = id + 1, steps = 0;
	if (id % 17 == 16) {
		out[id] = -1;
		return;
	}
	do {
		value = step(value, 1);
		for (int i = 0; i < value % 4; ++i)
			steps += i;
		switch (value % 3) {
		case 0:
			steps++;
			break;
		case 1:
			steps += 2;
		default:
			steps += 3;
		}
	} while (value > 1 && ++steps < 60);
	for (int i = 0; i < id % 5; ++i)
		for (int j = 0; j <= i; ++j)
			if ((i + j) & 1)
				steps += j;
	out[id] = steps + n;
}

/* Lanes that meet again at barriers. */
kernel void meeting(global int *out, int n)
{
	int id = get_global_id(0), sum = 0;
	for (int round = 0; round < 4; ++round) {
		if (id & (1 << round))
			sum += round;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int i = 0; i < (id >> round) % 3; ++i)
			sum += 10;
	}
	out[id] = sum + n;
}

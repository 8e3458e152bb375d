// SPDX-License-Identifier: MIT
// Every control-flow form of OpenCL C, with and without braces.
#define EIGHT(end) 8 end
#define SQUARE(x) ((x) * (x))
#define BODY total += 1; total += 2
#define FOR_EACH(i, n) for (int i = 0; i < (n); ++i)
#define ONE_CASE case 9:

int helper(int x);

static int twice(int x)
{
    if (x > 100)
        return x;
    return helper(x) * 2;
}

int helper(int x) { return x + 1; }

float nothing(void) { return 1.0f; }

static int met(int x)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    return x;
}

__kernel void forms(__global int *out, int n)
{
    int id = get_global_id(0);
    int total = 0;
    if (id >= n)
        return;
    if (id & 1) total = 1; else total = 2;
    if (id & 2) {
        total += 4;
    } else if (id & 4)
        total += SQUARE(id); // a comment
    else {
        total -= 1;
    }
    for (int i = 0; i < 3; ++i)
        total += i;
    for (int i = 0; i < 4; ++i) {
        if (i == 2) continue;
        if (i == 3) break;
        total += twice(i);
    }
    int w = 0;
    while (w < 3) w++;
    do { w--; } while (w > 0);
    do w++; while (w < 2);
    switch (id % 5) {
    case 0:
    case 1:
        total += 10;
        /* falls through */
    case 2: {
        total += 20;
        break;
    }
    ONE_CASE
        total += 90;
        break;
    default:
        total += 30;
    }
    FOR_EACH(k, 2) { total += k; }
    if (total > 1000) BODY;
    total += total > 3 ? 1 : 0;
again:
    if (total < 20) { total += (int)nothing() + 6; goto again; }
    barrier(CLK_LOCAL_MEM_FENCE);
    { int nested = total; { if (nested > 5) { nested--; } } total = nested; }
    for (;;) { if (total-- < 5) break; else ; }
    for (int i = 0, j = 9; i < j /* ; ) */; ++i, --j) { if (i & 1) continue; total += j; }
    for (total += 60; total > 50;) if (total & 1) total -= 3; else total -= 7;
    for (int i = 0; i < 40; ++i) { // more passes than a register has room for
        if (i == 37) break;
        if (id & i) total ^= i;
    }
    for (int i = 0; i < EIGHT(;) ++i) if (i & id) total++;
    int turns = 0;
    while (barrier(CLK_LOCAL_MEM_FENCE), turns < 2) turns++;
    do turns--; while ((barrier(CLK_LOCAL_MEM_FENCE), turns > 0));
    for (barrier(CLK_LOCAL_MEM_FENCE); met(turns) < 2; ++turns) total += turns;
    if ((barrier(CLK_LOCAL_MEM_FENCE), total & 1)) total -= 3;
    if (met(total) & 2)
        total++;
    switch ((barrier(CLK_LOCAL_MEM_FENCE), total & 1)) {
    case 0: total += 5;
    }
    out[id] = total;
}

kernel void empty() {}

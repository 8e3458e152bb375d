// SPDX-License-Identifier: MIT
// Each work-item writes how often its loop runs, so that the records can be checked against the result.
static int step(int value) { return value + 1; }

__kernel void counted(__global int *out, int n)
{
    int id = (int)get_global_id(0);
    int runs = 0;
    if (id >= n)
        return;
    for (int i = 0; i < id % 13; ++i)
        runs = step(runs);
    out[id] = runs;
}

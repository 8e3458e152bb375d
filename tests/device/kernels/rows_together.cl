// SPDX-License-Identifier: MIT
// rows.cl with its rows in another order: those of one warp are as long as each other. The results are the same.
static int length_of(int row) { return row % 32 == 0 ? 4000 : 100; }

__kernel void rows(__global int *out, int n)
{
    int id = (int)get_global_id(0), warps = n / 32;
    int row = id % warps * 32 + id / warps;
    int length = length_of(row);
    unsigned int sum = (unsigned int)row;
    for (int i = 0; i < length; ++i)
        sum = sum * 1664525u + 1013904223u;
    if (row < n)
        out[row] = (int)(sum >> 8);
}

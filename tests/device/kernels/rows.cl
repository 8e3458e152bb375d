// SPDX-License-Identifier: MIT
// Each work-item has a row; one of 32 is long. The tutorial's kernel: a warp has one of each.
static int length_of(int row) { return row % 32 == 0 ? 4000 : 100; }

__kernel void rows(__global int *out, int n)
{
    int row = (int)get_global_id(0);
    int length = length_of(row);
    unsigned int sum = (unsigned int)row;
    for (int i = 0; i < length; ++i)
        sum = sum * 1664525u + 1013904223u;
    if (row < n)
        out[row] = (int)(sum >> 8);
}

// SPDX-License-Identifier: MIT
// More records than a small buffer has room for: each run of equal events has a length of one.
__kernel void endless(__global int *out, int n)
{
    int value = (int)get_global_id(0);
    for (int i = 0; i < 2000; ++i) {
        if (value & 1)
            value = value * 3 + 1;
        else
            value /= 2;
    }
    out[get_global_id(0)] = value + n;
}

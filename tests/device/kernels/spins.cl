// SPDX-License-Identifier: MIT
// Its first launch ends; the next one finds what that wrote, and never does.
__kernel void spins(__global int *out, int n)
{
    volatile __global int *own = out + get_global_id(0);
    if (*own != 12345) {
        *own = 12345;
        return;
    }
    while (*own == 12345) {
        if (n < 0)
            *own = 0;
    }
}

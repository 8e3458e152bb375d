// SPDX-License-Identifier: MIT
// A sum over each work-group, with local memory of the kernel's own and barriers within a loop.
__kernel void barriers(__global int *out, int n)
{
    __local int sums[64];
    int local_id = (int)get_local_id(0);
    int id = (int)get_global_id(0);
    sums[local_id] = id < n ? id * 3 + 1 : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int width = (int)get_local_size(0) / 2; width > 0; width /= 2) {
        if (local_id < width)
            sums[local_id] += sums[local_id + width];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[id] = sums[0] + local_id;
}

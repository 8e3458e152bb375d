// SPDX-License-Identifier: MIT
// A stencil on a grid with conditions at its edges (Rodinia's kind), several steps in local memory.
__kernel void hotspot(__global int *out, __global const float *heat, __global const int *unused, int size, int steps)
{
    __local float tile[2][256];
    int l = (int)get_local_id(0);
    int id = (int)get_global_id(0);
    int now = 0;
    tile[0][l] = heat[id % (size * 4)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 0; step < steps; ++step) {
        float left = l > 0 ? tile[now][l - 1] : 0.0f, right = l < 255 ? tile[now][l + 1] : 0.0f;
        float value = tile[now][l];
        if (l >= step && l < 256 - step)
            value = 0.5f * value + 0.25f * (left + right);
        tile[1 - now][l] = value;
        now = 1 - now;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[id] = (int)(1000.0f * tile[now][l]);
}

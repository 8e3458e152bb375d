// SPDX-License-Identifier: MIT
// One step of all pairs; positions and masses in a tile of local memory.
__kernel void nbody(__global int *out, __global const float *bodies, __global const int *unused, int n, int unused2)
{
    __local float4 tile[256];
    int id = (int)get_global_id(0), l = (int)get_local_id(0);
    __global const float4 *all = (__global const float4 *)bodies;
    float4 me = id < n ? all[id] : (float4)(0.0f);
    float3 force = (float3)(0.0f);
    for (int first = 0; first < n; first += 256) {
        tile[l] = first + l < n ? all[first + l] : (float4)(0.0f);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 256; ++j) {
            float3 d = tile[j].xyz - me.xyz;
            float r2 = dot(d, d) + 0.01f;
            force += d * (tile[j].w * rsqrt(r2) / r2);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (id < n)
        out[id] = (int)(1000.0f * (force.x + force.y + force.z));
}

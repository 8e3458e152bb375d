// SPDX-License-Identifier: MIT
// A triangular loop: work-items of one group have trip counts from 1 to its size (Rodinia's LU decomposition is of that kind).
__kernel void lud(__global int *out, __global const float *matrix, __global const int *unused, int size, int depth)
{
    int l = (int)get_local_id(0), id = (int)get_global_id(0);
    float sum = 0.0f;
    for (int block = 0; block < depth; ++block) {
        for (int k = 0; k <= l; ++k)
            sum += matrix[(id + k * 7) % (size * 4)] * matrix[(block + k) % (size * 4)];
        if (sum > 100.0f)
            sum -= 100.0f;
    }
    out[id] = (int)(1000.0f * sum);
}

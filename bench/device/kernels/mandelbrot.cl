// SPDX-License-Identifier: MIT
// Escape times; a work-item for each point.
__kernel void mandelbrot(__global int *out, __global const float *unused, __global const int *unused2, int size, int depth)
{
    int x = (int)get_global_id(0) % size, y = (int)get_global_id(0) / size;
    float cr = -2.0f + 3.0f * (float)x / (float)size, ci = -1.5f + 3.0f * (float)y / (float)size;
    float zr = 0.0f, zi = 0.0f;
    int n = 0;
    while (n < depth && zr * zr + zi * zi < 4.0f) {
        float t = zr * zr - zi * zi + cr;
        zi = 2.0f * zr * zi + ci;
        zr = t;
        n++;
    }
    out[get_global_id(0)] = n;
}

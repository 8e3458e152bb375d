// SPDX-License-Identifier: MIT
// Refinement of a mesh: each work-item has a triangle, which is cut at its longest side until a function is flat enough in each
// part. How deep that goes differs from part to part. out: the parts that are left.
static float surface(float2 at)
{
    float2 d = at - (float2)(0.4f, 0.6f);
    return 1.0f / (0.002f + dot(d, d));
}

__kernel void refine(__global int *out, __global const float *unused, __global const int *unused2, int size, int depth)
{
    int id = (int)get_global_id(0), top = 0, parts = 0;
    float2 corners[48][3];
    float2 origin = (float2)((float)(id / 2 % size), (float)(id / 2 / size)) / (float)size;
    float step = 1.0f / (float)size;
    corners[0][0] = origin + (float2)(step, 0.0f);
    corners[0][1] = origin + (float2)(0.0f, step);
    corners[0][2] = id & 1 ? origin : origin + (float2)(step, step);
    while (top >= 0) {
        float2 a = corners[top][0], b = corners[top][1], c = corners[top][2];
        float2 middle = 0.5f * (a + b);
        float bend = fabs(surface(middle) - 0.5f * (surface(a) + surface(b)));
        if (bend < 0.25f || top + 1 >= depth) {
            ++parts;
            --top;
        } else {
            corners[top][0] = a;
            corners[top][1] = c;
            corners[top][2] = middle;
            ++top;
            corners[top][0] = c;
            corners[top][1] = b;
            corners[top][2] = middle;
        }
    }
    out[id] = parts;
}

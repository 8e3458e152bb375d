// SPDX-License-Identifier: MIT
// One level of a breadth-first search (Rodinia's kind). out: the level, -1 unknown; node 0 has 0.
__kernel void bfs(__global int *out, __global const float *unused, __global const int *graph, int n, int round)
{
    int node = (int)get_global_id(0);
    if (node < n) {
        if (round == 0 && node < 64)
            out[node] = 1;
        if (out[node] == round + 1) {
            for (int edge = graph[node]; edge < graph[node + 1]; ++edge) {
                int other = graph[n + 1 + edge];
                if (out[other] == 0)
                    out[other] = round + 2;
            }
        }
    }
}

// SPDX-License-Identifier: MIT
// The inner step of a minimum spanning tree (Boruvka): each node's lightest edge to another component. out: the component
// at first, the edge's other node after it.
__kernel void mst(__global int *out, __global const float *weights, __global const int *graph, int n, int round)
{
    int node = (int)get_global_id(0);
    if (node >= n)
        return;
    int component = node >> (2 * round);
    float least = 1e30f;
    int best = -1;
    for (int edge = graph[node]; edge < graph[node + 1]; ++edge) {
        int other = graph[n + 1 + edge];
        if ((other >> (2 * round)) == component)
            continue;
        float weight = weights[edge];
        if (weight < least) {
            least = weight;
            best = other;
        }
    }
    while (best >= 0 && (best & 1) == 0 && best > n / 2)
        best >>= 1;
    out[node] = best;
}

// SPDX-License-Identifier: MIT
// One round of a maximal independent set (Luby): a node whose priority is the least of its undecided neighbours' joins.
// graph: n + 1 offsets, then neighbours. out: 0 undecided, 1 in the set, 2 out.
static unsigned int priority(int node)
{
    unsigned int x = (unsigned int)node * 2654435761u;
    x ^= x >> 15;
    return x * 2246822519u ^ (unsigned int)node;
}

__kernel void mis(__global int *out, __global const float *unused, __global const int *graph, int n, int round)
{
    int node = (int)get_global_id(0);
    if (node >= n)
        return;
    int state = out[node];
    if (state != 0)
        return;
    unsigned int mine = priority(node);
    int is_least = 1;
    for (int edge = graph[node]; edge < graph[node + 1]; ++edge) {
        int other = graph[n + 1 + edge];
        int known = out[other];
        if (known == 1) {
            is_least = 0;
            out[node] = 2;
            break;
        }
        if (known == 0 && priority(other) < mine)
            is_least = 0;
    }
    if (is_least)
        out[node] = 1;
}

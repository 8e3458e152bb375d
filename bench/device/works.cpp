// SPDX-License-Identifier: MIT
#include "works.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace {

/// Neighbours by offsets: a grid with a few long roads, or many edges at few nodes.
std::vector<int> make_graph(int nodes, bool is_road)
{
    std::mt19937 random{1};
    std::vector<std::vector<int>> edges(static_cast<std::size_t>(nodes));
    const auto add = [&](int one, int other) {
        if (one != other && one >= 0 && other >= 0 && one < nodes && other < nodes) {
            edges[static_cast<std::size_t>(one)].push_back(other);
            edges[static_cast<std::size_t>(other)].push_back(one);
        }
    };
    const int side = static_cast<int>(std::sqrt(nodes));
    for (int node = 0; node < nodes; ++node) {
        if (is_road) {
            if (random() % 4 != 0)
                add(node, node + 1);
            if (random() % 4 != 0)
                add(node, node + side);
        } else {
            for (int edge = 0; edge < 4; ++edge) {
                const double r = (random() % 1000000 + 1) / 1000001.0;
                add(node, static_cast<int>(nodes * r * r * r * r));
            }
        }
    }
    std::vector<int> packed{0};
    for (const auto& list : edges)
        packed.push_back(packed.back() + static_cast<int>(list.size()));
    for (const auto& list : edges)
        packed.insert(packed.end(), list.begin(), list.end());
    return packed;
}

} // namespace

Graphs make_graphs()
{
    return {make_graph(1'000'000, true), make_graph(200'000, false)};
}

std::vector<float> make_floats()
{
    std::vector<float> floats(8'000'000);
    std::mt19937 random{2};
    for (float& value : floats)
        value = float(random() % 1000) / 1000.0f;
    return floats;
}

std::vector<Work> make_works(const Graphs& graphs)
{
    const std::size_t image = std::size_t{2048} * 2048;
    return {{"mandelbrot-1024", "mandelbrot", image, 2048, 1024, nullptr, false},
            {"mandelbrot-4096", "mandelbrot", image, 2048, 4096, nullptr, false},
            {"mandelbrot-small", "mandelbrot", 16384, 128, 64, nullptr, false},
            {"mandelbrot-deep", "mandelbrot", 16384, 128, 4096, nullptr, false},
            {"nbody-50000", "nbody", 50'000, 50'000, 0, nullptr, false},
            {"nbody-60000", "nbody", 60'000, 60'000, 0, nullptr, false},
            {"mis-road", "mis", 1'000'000, 1'000'000, 0, &graphs.road, true},
            {"mis-power", "mis", 200'000, 200'000, 0, &graphs.power, true},
            {"mst-road", "mst", 1'000'000, 1'000'000, 1, &graphs.road, false},
            {"mst-power", "mst", 200'000, 200'000, 1, &graphs.power, false},
            {"bfs-power", "bfs", 200'000, 200'000, 0, &graphs.power, true},
            {"refine", "refine", 524'288, 512, 24, nullptr, false},
            {"hotspot", "hotspot", 1'048'576, 1000, 64, nullptr, false},
            {"lud", "lud", 262'144, 1000, 32, nullptr, false}};
}

bool is_chosen(const std::string& name, const std::vector<std::string>& words)
{
    return std::find(words.begin(), words.end(), "@" + name) != words.end() ||
           std::none_of(words.begin(), words.end(),
                        [](const auto& word) { return word[0] == '@'; });
}

// SPDX-License-Identifier: MIT
//
// The programs that the device bench runs, with their data: the same in each run and for each API.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

/// Work-items of a work-group.
constexpr std::size_t group_items = 256;
/// Room for results, in words: those of the largest program.
constexpr std::size_t most_results = std::size_t{2048} * 2048 + group_items;

struct Work {
    std::string name;
    std::string file; // kernels/FILE.cl, and the kernel's name
    std::size_t items;
    int first; // the kernel's two numbers
    int second;
    const std::vector<int>* graph; // not owned; nullptr: it uses none
    bool races;                    // results depend on the order of work-items

    /// With the last work-group full.
    std::size_t all_items() const { return (items + group_items - 1) / group_items * group_items; }
};

struct Graphs {
    std::vector<int> road;
    std::vector<int> power;
};

Graphs make_graphs();
/// Numbers from 0 to 1.
std::vector<float> make_floats();
/// They refer to `graphs`.
std::vector<Work> make_works(const Graphs& graphs);

/// Whether `words` has "@NAME", or no word that begins with @.
bool is_chosen(const std::string& name, const std::vector<std::string>& words);

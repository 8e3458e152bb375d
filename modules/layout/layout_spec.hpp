// SPDX-License-Identifier: MIT
//
// The facts that one probe module relies on, as written in a .layout file (grammar:
// layout_spec.cpp): handler prototypes of tracepoints, prototypes of functions, structure fields by
// name and type, sizes and enumerators.
#pragma once

#include <istream>
#include <set>
#include <string>
#include <vector>

namespace lttng_gpu::layout {

struct Callable {
    std::string name;
    // Accepted argument lists, e.g. "(struct dma_fence *, u32)", the preferred one first.
    std::vector<std::string> prototypes;
    std::vector<std::string> needed_groups;
    std::string group; // of a function; "optional": no event needs it
};

// An event that is emitted by a kprobe on a function, where the kernel has no tracepoint of its
// name.
struct Recreated {
    std::string event;
    Callable function;
};

struct Field {
    std::string structure;
    std::vector<std::string> paths; // alternatives, the preferred one first; members joined by '.'
    std::string name;               // how the generated header calls it
    std::string type;
    std::string group; // "optional": no tracepoint needs it
};

// The size of a structure, or the value of an enumerator.
struct Number {
    enum Kind { size, constant } kind;
    std::string name;
    std::string group;
};

struct Spec {
    std::string module; // empty: the kernel image
    std::vector<Callable> tracepoints;
    std::vector<Recreated> recreated;
    std::vector<Callable> functions;
    std::vector<Field> fields;
    std::vector<Number> numbers;
    std::set<std::string> groups;
};

// Throws std::runtime_error naming the line.
Spec read_spec(std::istream& text);

} // namespace lttng_gpu::layout

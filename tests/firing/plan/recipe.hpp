// SPDX-License-Identifier: MIT
//
// A recipe (tests/firing/*.fire): for every event of one LTTng provider, the objects that its
// tracepoint is fired with. The grammar stands in recipe.cpp.
#pragma once

#include <istream>
#include <string>
#include <vector>

namespace lttng_gpu::firing {

struct Value {
    enum Kind {
        nothing, // a statement without '='
        number,  // NUMBER
        text,    // "text"
        null,    // null
        symbol,  // symbol NAME
        address, // &STRUCT, &STRUCT.member or &NAME[.path]
        content, // NAME[.path], in an expect statement
    } kind = nothing;
    std::string words; // the text, symbol or path
    std::string digits;
    unsigned count = 1; // &STRUCT * COUNT
};

struct Statement {
    enum Kind { assign, within, expect, renamed, omit } kind = assign;
    int line = 0;
    bool optional = false;
    // if / unless: by whether the kernel has a type, function or STRUCT.member of that name.
    std::string condition;
    bool condition_negated = false;
    std::string path;      // assign, within; the field's name for the others
    Value value;           // assign, expect
    std::string structure; // within
    std::string name;      // within; the LTTng field for renamed
    std::string reason;    // renamed, omit
};

struct Event {
    int line = 0;
    std::string tracepoint;
    std::string recorded_as; // the LTTng event
    bool recreated = false;  // the probe may offer it where the kernel has no tracepoint
    std::vector<std::vector<std::string>> arguments; // alternatives, told apart by their number
    std::vector<Statement> statements;
};

struct Recipe {
    std::string module; // empty: the kernel image
    std::vector<Event> events;
};

// Throws std::runtime_error naming the line.
Recipe read_recipe(std::istream& text);

} // namespace lttng_gpu::firing

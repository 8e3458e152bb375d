// SPDX-License-Identifier: MIT
//
// The program with calls of the recorder in it: at the points that were chosen, in the kernels that
// were chosen and in the functions that they call.
#pragma once

#include "program.hpp"

#include <map>
#include <set>

namespace lttng_gpu::instrument {

/// What a location is. The order is that of the trace's enumeration.
enum class Kind { Entry, Branch, Loop, Case, Label, Barrier, Return, Function, Point };
const char* name_of(Kind kind);

/// Which kinds of points are recorded. An entry always is, and what TRACE_POINT() places.
enum class Points { Loops, Branches, Functions, All, Placed };
bool wants(Points points, Kind kind);

struct Choice {
    Points points = Points::Branches;
    bool counts_loops = true;         // else each pass is a point: for tests
    std::vector<std::string> kernels; // patterns of fnmatch(3); none: all
};

struct Location {
    unsigned number = 0; // 0 and up
    Kind kind = Kind::Entry;
    std::string function;
    unsigned line = 0;
    unsigned column = 0;
};

/// What was left as it is: a kernel, a function or a point.
struct LeftAlone {
    std::string reason;
    std::string name;
};

struct Instrumented {
    std::string text; // without the recorder; empty: no kernel was changed
    std::vector<std::string> kernels;
    std::vector<Location> locations;
    std::vector<LeftAlone> left;
};

Instrumented instrument(const Program& program, const Choice& choice);

/// Texts to be put in at offsets; what is put in first at one offset stands first.
class Edits {
public:
    void insert(std::size_t offset, std::string text)
    {
        m_insertions.emplace(offset, std::move(text));
    }
    std::string applied_to(const std::string& text) const;

private:
    std::multimap<std::size_t, std::string> m_insertions;
};

/// A function that is defined in the text, with all that names it.
struct Function {
    std::string name;
    bool is_kernel = false;
    CXCursor definition = libclang.getNullCursor();
    std::vector<CXCursor> declarations; // the definition, too
    std::vector<CXCursor> calls;        // of it, anywhere in the text
    std::set<std::string> callers;      // functions in which they are
    std::string obstacle;               // why it cannot be changed; empty: it can
};

/// By name. Overloaded functions, which have one name, have an obstacle.
std::map<std::string, Function> find_functions(const Program& program);

} // namespace lttng_gpu::instrument

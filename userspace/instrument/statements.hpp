// SPDX-License-Identifier: MIT
//
// Where calls of the recorder go in one function's body.
#pragma once

#include "instrumentation.hpp"
#include "loops.hpp"

namespace lttng_gpu::instrument {

inline constexpr unsigned most_locations = 2046; // the recorder's next two are none

/// Puts the points of a function's body into the edits.
class Body {
public:
    Body(const Program& program, const Choice& choice, const Function& function,
         Instrumented& result, Edits& edits)
        : m_program{program}, m_points{choice.points}, m_counts_loops{choice.counts_loops},
          m_function{function}, m_result{result}, m_edits{edits}
    {
    }

    /// False: it cannot be done in this function, and nothing was changed.
    bool instrument(CXCursor compound);
    /// Whether each way out of a kernel can be seen.
    bool can_end(CXCursor compound) const;

private:
    void visit(CXCursor statement, CXCursor parent);
    void visit_if(CXCursor statement);
    bool joins_lanes(CXCursor statement) const;
    void visit_loop(CXCursor statement, CXCursor body);
    bool split_path_loop(CXCursor statement, const std::string& name, const PathLoop& path);
    bool visit_path_loop(CXCursor statement, CXCursor body);
    /// What is put into a loop's body at its begin, and the end of one without braces.
    void begin_pass(CXCursor body, const std::string& text);
    bool can_count(CXCursor statement, CXCursor body) const;
    void visit_switched(CXCursor statement, CXCursor parent);
    /// A statement that a branch or a loop leads to.
    void enter(CXCursor statement, Kind kind, CXCursor place);
    void before_return(CXCursor statement);
    /// Of a kernel: what it has after `return` runs before the recorder ends.
    void split_return(CXCursor statement, const std::string& before);
    void before_barrier(CXCursor call, CXCursor parent);
    /// Only barriers are looked for in there: an expression has no other points.
    void visit_expression(CXCursor expression, CXCursor parent);
    bool wants(Kind kind) const;
    void leave(const char* reason, CXCursor place);
    /// A new location's number; nothing: there are too many.
    std::optional<unsigned> locate(Kind kind, Place place, const std::string& name);
    void add_placed(const Extent& body);
    /// The text of a call of the recorder for a new location; empty: there are too many.
    std::string point(Kind kind, CXCursor place);
    /// After a statement, with its semicolon.
    std::optional<std::size_t> end_of(CXCursor statement) const;

    const Program& m_program;
    Points m_points;
    bool m_counts_loops;
    /// The loop whose lanes keep what they pass.
    std::optional<unsigned> m_path;
    const Function& m_function;
    Instrumented& m_result;
    Edits& m_edits;
};

} // namespace lttng_gpu::instrument

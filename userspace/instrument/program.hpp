// SPDX-License-Identifier: MIT
//
// A program as libclang understands it: its tree, and where a piece of it stands in the text. What
// comes out of a macro or of another file stands nowhere: it cannot be changed.
#pragma once

#include "libclang.hpp"
#include "source_text.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lttng_gpu::instrument {

/// Offsets of the text, `end` is the first one after it.
struct Extent {
    std::size_t begin = 0;
    std::size_t end = 0;
};

struct Place {
    unsigned line = 0;
    unsigned column = 0;
};

/// TRACE_POINT(name) of the program.
struct PlacedPoint {
    Extent extent;
    std::string name;
    Place place;
};

class Program {
public:
    /// `arguments`: the compiler's. See error() before anything else.
    Program(std::string text, const std::vector<std::string>& arguments);
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program();

    const SourceText& text() const { return m_text; }
    /// Empty: it was understood.
    const std::string& error() const { return m_error; }
    CXCursor root() const { return libclang.getTranslationUnitCursor(m_unit); }

    /// Nothing if any of its ends comes from a macro or another file.
    std::optional<Extent> extent(CXCursor cursor) const;
    /// Of the place that names it (of a function's name, say).
    std::optional<std::size_t> place(CXCursor cursor) const;
    bool is_in_file(CXCursor cursor) const;
    /// Those in there that stand in the text, and do not come out of a macro.
    std::vector<PlacedPoint> placed_points(const Extent& within) const;
    /// Line and column where people look for it: of what comes out of a macro, the macro's use.
    Place place_of(CXCursor cursor) const;

private:
    /// What a macro's name (and arguments) becomes something else in.
    struct Expansion {
        Extent extent;
        std::string name;
        Place place;
        bool has_statements; // its text has a semicolon or a brace: a statement may end within
    };

    std::optional<std::size_t> offset_of(CXSourceLocation location) const;
    std::optional<Extent> range_of(CXCursor cursor) const;
    bool has_statements(CXCursor expansion) const;
    void note_expansions();

    SourceText m_text;
    std::string m_error;
    CXIndex m_index = nullptr;
    CXTranslationUnit m_unit = nullptr;
    std::vector<Expansion> m_expansions;
};

std::vector<CXCursor> children(CXCursor cursor);
std::string spelling(CXCursor cursor);
/// Calls `visit` for everything below the cursor, parents first.
void walk(CXCursor cursor, const std::function<void(CXCursor cursor, CXCursor parent)>& visit);

} // namespace lttng_gpu::instrument

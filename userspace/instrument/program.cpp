// SPDX-License-Identifier: MIT
//
// See program.hpp.
#include "program.hpp"

#include <algorithm>

namespace lttng_gpu::instrument {
namespace {

constexpr const char* file_name = "program.cl";

std::string taken(CXString string)
{
    const char* text = libclang.getCString(string);
    std::string copy = text != nullptr ? text : "";
    libclang.disposeString(string);
    return copy;
}

/// The first error; empty if there is none.
std::string first_error(CXTranslationUnit unit)
{
    for (unsigned number = 0; number < libclang.getNumDiagnostics(unit); ++number) {
        CXDiagnostic diagnostic = libclang.getDiagnostic(unit, number);
        const bool is_error = libclang.getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
        const std::string text =
            taken(libclang.formatDiagnostic(diagnostic, CXDiagnostic_DisplaySourceLocation));
        libclang.disposeDiagnostic(diagnostic);
        if (is_error) {
            return text.empty() ? "error" : text;
        }
    }
    return {};
}

} // namespace

Program::Program(std::string text, const std::vector<std::string>& arguments)
    : m_text{std::move(text)}
{
    std::vector<const char*> words;
    for (const std::string& word : arguments) {
        words.push_back(word.c_str());
    }
    CXUnsavedFile file{file_name, m_text.text().c_str(), static_cast<unsigned long>(m_text.size())};
    m_index = libclang.createIndex(0, 0);
    const CXErrorCode code = libclang.parseTranslationUnit2(
        m_index, file_name, words.data(), static_cast<int>(words.size()), &file, 1,
        CXTranslationUnit_DetailedPreprocessingRecord, &m_unit);
    m_error = code != CXError_Success ? "libclang cannot read it" : first_error(m_unit);
    if (m_error.empty()) {
        note_expansions();
    }
}

Program::~Program()
{
    if (m_unit != nullptr) {
        libclang.disposeTranslationUnit(m_unit);
    }
    libclang.disposeIndex(m_index);
}

bool Program::has_statements(CXCursor expansion) const
{
    const CXCursor definition = libclang.getCursorReferenced(expansion);
    CXToken* tokens = nullptr;
    unsigned count = 0;
    libclang.tokenize(m_unit, libclang.getCursorExtent(definition), &tokens, &count);
    bool has = libclang.Cursor_isNull(definition) != 0;
    for (unsigned number = 0; number < count; ++number) {
        const std::string word = taken(libclang.getTokenSpelling(m_unit, tokens[number]));
        has |= word == ";" || word == "{" || word == "}";
    }
    libclang.disposeTokens(m_unit, tokens, count);
    return has;
}

void Program::note_expansions()
{
    for (const CXCursor& cursor : children(root())) {
        if (libclang.getCursorKind(cursor) == CXCursor_MacroExpansion && is_in_file(cursor)) {
            if (const auto extent = range_of(cursor)) {
                m_expansions.push_back(
                    {*extent, spelling(cursor), place_of(cursor), has_statements(cursor)});
            }
        }
    }
}

std::optional<std::size_t> Program::offset_of(CXSourceLocation location) const
{
    CXFile file = nullptr;
    unsigned offset = 0;
    libclang.getFileLocation(location, &file, nullptr, nullptr, &offset);
    if (file == nullptr || libclang.Location_isFromMainFile(location) == 0) {
        return {};
    }
    return offset;
}

std::optional<Extent> Program::range_of(CXCursor cursor) const
{
    const CXSourceRange range = libclang.getCursorExtent(cursor);
    const auto begin = offset_of(libclang.getRangeStart(range));
    const auto end = offset_of(libclang.getRangeEnd(range));
    if (!begin || !end || *begin >= *end || *end > m_text.size()) {
        return {};
    }
    return Extent{*begin, *end};
}

/// libclang gives what comes out of a macro the place of the macro's name, and what stands in an
/// argument its own place, where the text may come out several times or not at all.
std::optional<Extent> Program::extent(CXCursor cursor) const
{
    const auto extent = range_of(cursor);
    if (!extent) {
        return {};
    }
    for (const Expansion& expansion : m_expansions) {
        const Extent& macro = expansion.extent;
        const bool begins_inside = extent->begin >= macro.begin && extent->begin < macro.end;
        const bool ends_inside =
            extent->end > macro.begin &&
            (extent->end < macro.end || (extent->end == macro.end && expansion.has_statements));
        if (begins_inside || ends_inside) {
            return {};
        }
    }
    return extent;
}

std::optional<std::size_t> Program::place(CXCursor cursor) const
{
    const auto offset = offset_of(libclang.getCursorLocation(cursor));
    const bool is_spelled = offset && m_text.word(*offset) == spelling(cursor);
    const bool is_from_macro =
        offset &&
        std::any_of(m_expansions.begin(), m_expansions.end(), [&](const Expansion& expansion) {
            return *offset >= expansion.extent.begin && *offset < expansion.extent.end;
        });
    return is_spelled && !is_from_macro ? offset : std::nullopt;
}

std::vector<PlacedPoint> Program::placed_points(const Extent& within) const
{
    std::vector<PlacedPoint> points;
    for (const Expansion& expansion : m_expansions) {
        const Extent& extent = expansion.extent;
        if (expansion.name != "TRACE_POINT" || extent.begin < within.begin ||
            extent.end > within.end || m_text.word(extent.begin) != expansion.name) {
            continue;
        }
        const bool is_argument =
            std::any_of(m_expansions.begin(), m_expansions.end(), [&](const Expansion& other) {
                return other.extent.begin < extent.begin && other.extent.end > extent.begin;
            });
        const std::size_t open = m_text.skip_space(extent.begin + expansion.name.size());
        const std::string name = m_text.word(m_text.skip_space(open + 1));
        if (!is_argument && m_text.at(open) == '(' && !name.empty()) {
            points.push_back({extent, name, expansion.place});
        }
    }
    return points;
}

bool Program::is_in_file(CXCursor cursor) const
{
    return libclang.Location_isFromMainFile(libclang.getCursorLocation(cursor)) != 0;
}

Place Program::place_of(CXCursor cursor) const
{
    Place place;
    libclang.getExpansionLocation(libclang.getCursorLocation(cursor), nullptr, &place.line,
                                  &place.column, nullptr);
    return place;
}

std::vector<CXCursor> children(CXCursor cursor)
{
    std::vector<CXCursor> found;
    libclang.visitChildren(
        cursor,
        [](CXCursor child, CXCursor, CXClientData data) {
            static_cast<std::vector<CXCursor>*>(data)->push_back(child);
            return CXChildVisit_Continue;
        },
        &found);
    return found;
}

std::string spelling(CXCursor cursor)
{
    return taken(libclang.getCursorSpelling(cursor));
}

void walk(CXCursor cursor, const std::function<void(CXCursor, CXCursor)>& visit)
{
    for (const CXCursor& child : children(cursor)) {
        visit(child, cursor);
        walk(child, visit);
    }
}

} // namespace lttng_gpu::instrument

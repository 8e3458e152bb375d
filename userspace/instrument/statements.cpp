// SPDX-License-Identifier: MIT
//
// See statements.hpp.
#include "statements.hpp"

#include "loops.hpp"

namespace lttng_gpu::instrument {
namespace {

bool is_statement(CXCursor cursor)
{
    return libclang.isStatement(libclang.getCursorKind(cursor)) != 0;
}

/// The statement that ends where this one does; the same one if none is in it.
std::optional<CXCursor> last_part(CXCursor statement)
{
    switch (libclang.getCursorKind(statement)) {
    case CXCursor_IfStmt:
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_SwitchStmt:
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt:
    case CXCursor_UnexposedStmt: {
        const auto parts = children(statement);
        return parts.empty() ? std::nullopt : std::optional{parts.back()};
    }
    default:
        return {};
    }
}

} // namespace

const char* name_of(Kind kind)
{
    switch (kind) {
    case Kind::Entry:
        return "entry";
    case Kind::Branch:
        return "branch";
    case Kind::Loop:
        return "loop";
    case Kind::Case:
        return "case";
    case Kind::Label:
        return "label";
    case Kind::Barrier:
        return "barrier";
    case Kind::Return:
        return "return";
    case Kind::Function:
        return "function";
    case Kind::Point:
        return "point";
    }
    return "";
}

bool Body::wants(Kind kind) const
{
    return instrument::wants(m_points, kind);
}

void Body::leave(const char* reason, CXCursor place)
{
    m_result.left.push_back(
        {reason, m_function.name + ":" + std::to_string(m_program.place_of(place).line)});
}

std::optional<unsigned> Body::locate(Kind kind, Place place, const std::string& name)
{
    if (m_result.locations.size() >= most_locations) {
        m_result.left.push_back({"too_many_points", name + ":" + std::to_string(place.line)});
        return {};
    }
    const auto number = static_cast<unsigned>(m_result.locations.size());
    m_result.locations.push_back({number, kind, name, place.line, place.column});
    return number;
}

/// TRACE_POINT(name) stays what it is and becomes nothing: another macro's name ends with its own.
void Body::add_placed(const Extent& body)
{
    for (const PlacedPoint& placed : m_program.placed_points(body)) {
        if (const auto number = locate(Kind::Point, placed.place, placed.name)) {
            m_edits.insert(placed.extent.begin, "lttng_gpu_point(lttng_gpu_r, " +
                                                    std::to_string(*number) + "u) LTTNG_GPU_NO_");
        }
    }
}

std::string Body::point(Kind kind, CXCursor place)
{
    const auto number = locate(kind, m_program.place_of(place), m_function.name);
    if (number && m_path) {
        return "LTTNG_GPU_PATHS_POINT(" + std::to_string(*m_path) + ", " +
               std::to_string(*number - *m_path) + "u); ";
    }
    return number ? "lttng_gpu_point(lttng_gpu_r, " + std::to_string(*number) + "u); "
                  : std::string{};
}

std::optional<std::size_t> Body::end_of(CXCursor statement) const
{
    if (libclang.getCursorKind(statement) == CXCursor_CompoundStmt) {
        const auto extent = m_program.extent(statement);
        const bool is_plain = extent && m_program.text().at(extent->end - 1) == '}';
        return is_plain ? std::optional{extent->end} : std::nullopt;
    }
    if (const auto part = last_part(statement)) {
        return end_of(*part);
    }
    const auto extent = m_program.extent(statement);
    if (!extent) {
        return {};
    }
    const SourceText& text = m_program.text();
    const CXCursorKind kind = libclang.getCursorKind(statement);
    if ((kind == CXCursor_NullStmt || kind == CXCursor_DeclStmt) &&
        text.at(extent->end - 1) == ';') {
        return extent->end;
    }
    const std::size_t semicolon = text.skip_space(extent->end);
    return text.at(semicolon) == ';' ? std::optional{semicolon + 1} : std::nullopt;
}

void Body::enter(CXCursor statement, Kind kind, CXCursor place)
{
    const auto extent = m_program.extent(statement);
    const auto end = extent ? end_of(statement) : std::nullopt;
    if (!end) {
        if (wants(kind)) {
            leave("point_in_macro", place);
        }
        return;
    }
    const bool is_compound = libclang.getCursorKind(statement) == CXCursor_CompoundStmt;
    if (is_compound && m_program.text().at(extent->begin) != '{') {
        leave("point_in_macro", place);
        return;
    }
    const std::string call = wants(kind) ? point(kind, place) : std::string{};
    if (is_compound) {
        m_edits.insert(extent->begin + 1, call.empty() ? "" : " " + call);
    } else {
        m_edits.insert(extent->begin, "{ " + call);
    }
    visit(statement, libclang.getNullCursor());
    if (!is_compound) {
        m_edits.insert(*end, " }");
    }
}

/// Recording in a branch can keep lanes apart that would have come together after it: they wait for
/// one another, if all of them come there.
bool Body::joins_lanes(CXCursor statement) const
{
    return !m_path && m_counts_loops && wants(Kind::Branch) && m_program.extent(statement) &&
           end_of(statement) && is_left_at_its_end(statement) && !may_wait(statement);
}

void Body::visit_if(CXCursor statement)
{
    const auto parts = children(statement);
    const bool joins = joins_lanes(statement);
    const std::string name = "lttng_gpu_j" + std::to_string(m_result.locations.size());
    if (joins) {
        m_edits.insert(m_program.extent(statement)->begin,
                       "{ uint " + name + " = LTTNG_GPU_TOGETHER(); ");
    }
    if (!parts.empty()) {
        visit_expression(parts.front(), statement);
    }
    for (std::size_t number = 1; number < parts.size(); ++number) {
        enter(parts[number], Kind::Branch, parts[number]);
    }
    if (joins) {
        m_edits.insert(*end_of(statement), " LTTNG_GPU_SYNC(" + name + "); }");
    }
}

/// A point takes the label's statement's place, and that one follows it: only where statements
/// follow one another.
void Body::visit_switched(CXCursor statement, CXCursor parent)
{
    const auto parts = children(statement);
    if (parts.empty()) {
        return;
    }
    const CXCursorKind kind = libclang.getCursorKind(statement);
    const bool is_label = kind == CXCursor_LabelStmt;
    const Kind point_kind = is_label ? Kind::Label : Kind::Case;
    const auto extent = m_program.extent(statement);
    const auto own = m_program.extent(parts.back());
    const bool is_in_row = libclang.getCursorKind(parent) == CXCursor_CompoundStmt;
    if (wants(point_kind)) {
        if (extent && own && is_in_row) {
            m_edits.insert(own->begin, point(point_kind, statement));
        } else {
            leave("point_in_macro", statement);
        }
    }
    visit(parts.back(), parent);
}

/// The word itself becomes a comment, as nothing can be taken out.
void Body::split_return(CXCursor statement, const std::string& before)
{
    const std::size_t begin = m_program.extent(statement)->begin;
    m_edits.insert(begin, "{ " + before + "/* ");
    m_edits.insert(begin + 6, " */");
    for (const CXCursor& expression : children(statement)) {
        visit_expression(expression, statement);
    }
    m_edits.insert(*end_of(statement), " lttng_gpu_end(lttng_gpu_r); return; }");
}

void Body::before_return(CXCursor statement)
{
    const auto parts = children(statement);
    const auto extent = m_program.extent(statement);
    const auto end = extent ? end_of(statement) : std::nullopt;
    std::string before;
    if (end) {
        before = wants(Kind::Return) ? point(Kind::Return, statement) : std::string{};
        if (m_function.is_kernel && !parts.empty()) {
            split_return(statement, before);
            return;
        }
        before += m_function.is_kernel ? "lttng_gpu_end(lttng_gpu_r); " : "";
    }
    if (!before.empty()) {
        m_edits.insert(extent->begin, "{ " + before);
    }
    for (const CXCursor& expression : parts) {
        visit_expression(expression, statement);
    }
    if (!before.empty()) {
        m_edits.insert(*end, " }");
    }
}

void Body::before_barrier(CXCursor call, CXCursor parent)
{
    const auto extent = m_program.extent(call);
    if (!wants(Kind::Barrier) || !is_barrier(spelling(call))) {
        return;
    }
    if (!extent) {
        leave("point_in_macro", call);
        return;
    }
    if (libclang.getCursorKind(parent) == CXCursor_CompoundStmt ||
        libclang.Cursor_isNull(parent) != 0) { // null: it has braces of its own now
        m_edits.insert(extent->begin, point(Kind::Barrier, call));
    } else if (const auto number =
                   locate(Kind::Barrier, m_program.place_of(call), m_function.name)) {
        m_edits.insert(extent->begin,
                       "(lttng_gpu_point(lttng_gpu_r, " + std::to_string(*number) + "u), ");
        m_edits.insert(extent->end, ")");
    }
}

void Body::visit_expression(CXCursor expression, CXCursor parent)
{
    const auto look = [&](CXCursor cursor, CXCursor above) {
        if (libclang.getCursorKind(cursor) == CXCursor_CallExpr) {
            before_barrier(cursor, above);
        }
    };
    look(expression, parent);
    walk(expression, look);
}

void Body::visit(CXCursor statement, CXCursor parent)
{
    const auto parts = children(statement);
    switch (libclang.getCursorKind(statement)) {
    case CXCursor_IfStmt:
        visit_if(statement);
        return;
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
        for (std::size_t number = 0; number + 1 < parts.size(); ++number) {
            visit_expression(parts[number], statement);
        }
        if (!parts.empty()) {
            visit_loop(statement, parts.back());
        }
        return;
    case CXCursor_DoStmt:
        if (!parts.empty()) {
            visit_loop(statement, parts.front());
            visit_expression(parts.back(), statement);
        }
        return;
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt:
        visit_switched(statement, parent);
        return;
    case CXCursor_ReturnStmt:
        before_return(statement);
        return;
    case CXCursor_CallExpr:
        visit_expression(statement, parent);
        return;
    default:
        break;
    }
    for (const CXCursor& part : parts) {
        if (is_statement(part)) {
            visit(part, statement);
        } else {
            visit_expression(part, statement);
        }
    }
}

bool Body::can_end(CXCursor compound) const
{
    bool can = true;
    walk(compound, [&](CXCursor cursor, CXCursor) {
        if (libclang.getCursorKind(cursor) == CXCursor_ReturnStmt) {
            can &= m_program.extent(cursor) && end_of(cursor);
        }
    });
    return can;
}

bool Body::instrument(CXCursor compound)
{
    const auto extent = m_program.extent(compound);
    const SourceText& text = m_program.text();
    if (!extent || text.at(extent->begin) != '{' || text.at(extent->end - 1) != '}' ||
        (m_function.is_kernel && !can_end(compound))) {
        return false;
    }
    std::string begin;
    if (m_function.is_kernel) {
        const auto entry =
            locate(Kind::Entry, m_program.place_of(m_function.definition), m_function.name);
        begin = " lttng_gpu_recorder lttng_gpu_own; "
                "__private lttng_gpu_recorder *lttng_gpu_r = &lttng_gpu_own; "
                "lttng_gpu_begin(lttng_gpu_r, lttng_gpu_local, lttng_gpu_buffer, " +
                (entry ? std::to_string(*entry) + "u" : std::string{"LTTNG_GPU_NOTHING"}) + "); ";
    } else if (wants(Kind::Function)) {
        begin = " " + point(Kind::Function, m_function.definition);
    }
    m_edits.insert(extent->begin + 1, begin);
    visit(compound, libclang.getNullCursor());
    add_placed(*extent);
    if (m_function.is_kernel) {
        m_edits.insert(extent->end - 1, " lttng_gpu_end(lttng_gpu_r); ");
    }
    return true;
}

} // namespace lttng_gpu::instrument

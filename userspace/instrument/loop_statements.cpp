// SPDX-License-Identifier: MIT
//
// Where calls of the recorder go in loops; see statements.hpp.
#include "statements.hpp"

namespace lttng_gpu::instrument {

bool Body::can_count(CXCursor statement, CXCursor body) const
{
    const auto inner = m_program.extent(body);
    return wants(Kind::Loop) && m_counts_loops && m_program.extent(statement) &&
           end_of(statement) && inner && end_of(body) &&
           (libclang.getCursorKind(body) != CXCursor_CompoundStmt ||
            m_program.text().at(inner->begin) == '{');
}

void Body::begin_pass(CXCursor body, const std::string& text)
{
    const std::size_t begin = m_program.extent(body)->begin;
    const bool is_compound = libclang.getCursorKind(body) == CXCursor_CompoundStmt;
    m_edits.insert(is_compound ? begin + 1 : begin, (is_compound ? " " : "{ ") + text);
    visit(body, libclang.getNullCursor());
    if (!is_compound) {
        m_edits.insert(*end_of(body), " }");
    }
}

/// A `for` becomes two: the inner one makes as many passes as fit into a register, so that it has
/// nothing of the recorder's but this register, and compilers unroll it where they would have done
/// so without. False: its header cannot be taken apart.
bool Body::split_path_loop(CXCursor statement, const std::string& name, const PathLoop& path)
{
    const auto header = libclang.getCursorKind(statement) == CXCursor_ForStmt
                            ? m_program.text().for_header(m_program.extent(statement)->begin)
                            : std::nullopt;
    if (!header) {
        return false;
    }
    const auto is_empty = [&](std::size_t after, std::size_t end) {
        return m_program.text().is_blank(after + 1, end);
    };
    const bool has_condition = !is_empty(header->first_semicolon, header->second_semicolon);
    const bool has_step = !is_empty(header->second_semicolon, header->close);
    m_edits.insert(header->first_semicolon + 1, " ;) { LTTNG_GPU_PATHS_EMPTY(" + name + ", " +
                                                    std::to_string(path.most_passes) +
                                                    "u); for (; LTTNG_GPU_PATHS_ROOM(" + name +
                                                    ")" + (has_condition ? " && (" : ""));
    m_edits.insert(header->second_semicolon, has_condition ? ")" : "");
    m_edits.insert(header->close,
                   std::string{has_step ? ", " : ""} + "LTTNG_GPU_PATHS_PASSED(" + name + ")");
    return true;
}

/// A loop with branches: each lane keeps what it passes in a register.
bool Body::visit_path_loop(CXCursor statement, CXCursor body)
{
    const auto path = as_path_loop(m_program, m_points, statement);
    const bool has_room = m_result.locations.size() + 16 < most_locations;
    const auto number = path && has_room
                            ? locate(Kind::Loop, m_program.place_of(statement), m_function.name)
                            : std::nullopt;
    if (!number) {
        return false;
    }
    const std::string name = std::to_string(*number);
    const std::string words = name + ", " + std::to_string(path->bits) + "u";
    m_edits.insert(m_program.extent(statement)->begin,
                   "{ LTTNG_GPU_PATHS_BEGIN(" + name + ", " +
                       (may_wait(statement) ? "0u" : "LTTNG_GPU_TOGETHER()") + "); ");
    const bool is_split = split_path_loop(statement, name, *path);
    m_path = number;
    begin_pass(body, is_split ? "LTTNG_GPU_PATHS_SHIFT(" + words + "); "
                              : "LTTNG_GPU_PATHS_PASS(" + words + ", " +
                                    std::to_string(path->most_passes) + "u); ");
    m_path.reset();
    m_edits.insert(*end_of(statement),
                   (is_split ? " LTTNG_GPU_PATHS_NEXT(" + words + "); }" : std::string{}) +
                       " LTTNG_GPU_PATHS_END(" + words + "); }");
    return true;
}

/// A loop in which nothing else is recorded: each lane counts its passes in a register, and what
/// was recorded follows from these counts after it.
void Body::visit_loop(CXCursor statement, CXCursor body)
{
    const bool can = can_count(statement, body);
    const auto number = can && is_plain_loop(m_program, m_points, statement)
                            ? locate(Kind::Loop, m_program.place_of(statement), m_function.name)
                            : std::nullopt;
    if (!number) {
        if (!can || !visit_path_loop(statement, body)) {
            enter(body, Kind::Loop, statement);
        }
        return;
    }
    const std::string name = std::to_string(*number);
    m_edits.insert(m_program.extent(statement)->begin,
                   "{ uint lttng_gpu_t" + name + " = 0u, lttng_gpu_u" + name +
                       " = LTTNG_GPU_NOW(), lttng_gpu_m" + name + " = " +
                       (may_wait(statement) ? "0u" : "LTTNG_GPU_TOGETHER()") + "; ");
    begin_pass(body, "++lttng_gpu_t" + name + "; ");
    m_edits.insert(*end_of(statement), " lttng_gpu_trips(lttng_gpu_r, " + name + "u, lttng_gpu_t" +
                                           name + ", lttng_gpu_u" + name + ", lttng_gpu_m" + name +
                                           "); }");
}

} // namespace lttng_gpu::instrument

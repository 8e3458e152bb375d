// SPDX-License-Identifier: MIT
//
// See text_table.hpp.
#include "text_table.hpp"

#include <algorithm>

namespace lttng_gpu::report {
namespace {

std::string spaces(std::size_t count)
{
    return std::string(count, ' ');
}

/// Painted after it was filled up, as colours have no width.
std::string placed(const std::string& text, TableColumn::Side side, std::size_t width,
                   const Screen& screen, Ink ink)
{
    const std::size_t columns = columns_of(text);
    const std::string fill = spaces(width > columns ? width - columns : 0);
    const std::string painted = screen.painted(text, ink);
    return side == TableColumn::Side::Right ? fill + painted : painted + fill;
}

/// The first of the alternatives that fits; the last is cut.
std::string fitting(std::string_view alternatives, std::size_t width)
{
    for (auto end = alternatives.find('|'); end != std::string_view::npos;
         end = alternatives.find('|')) {
        if (columns_of(alternatives.substr(0, end)) <= width) {
            return std::string{alternatives.substr(0, end)};
        }
        alternatives.remove_prefix(end + 1);
    }
    return cut_end(alternatives, width);
}

std::string without_end_spaces(std::string line)
{
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

} // namespace

std::size_t TextTable::total(const Layout& layout) const
{
    std::size_t sum = 0;
    for (std::size_t place = 0; place < m_columns.size(); ++place) {
        if (layout.is_shown[place]) {
            sum += layout.widths[place] + (sum > 0 ? m_columns[place].gap : 0);
        }
    }
    return sum;
}

TextTable::Layout TextTable::lay_out(std::size_t room) const
{
    Layout layout;
    for (std::size_t place = 0; place < m_columns.size(); ++place) {
        const TableColumn& column = m_columns[place];
        std::size_t width =
            std::max(columns_of(column.title),
                     column.most > 0 || column.keep == TableColumn::Keep::All ? column.least : 0);
        for (const std::vector<Cell>& row : m_rows) {
            width = std::max(width, row[place].draw ? 0 : columns_of(row[place].text));
        }
        layout.widths.push_back(width);
        layout.is_shown.push_back(true);
    }
    const auto shorten = [&] {
        for (std::size_t place = 0; place < m_columns.size(); ++place) {
            const std::size_t all = total(layout);
            const std::size_t least = std::max(m_columns[place].least, std::size_t{1});
            std::size_t& width = layout.widths[place];
            if (all > room && m_columns[place].keep != TableColumn::Keep::All && width > least) {
                width = std::max(least, width - std::min(width, all - room));
            }
        }
    };
    const Layout whole = layout;
    shorten();
    while (total(layout) > room) {
        std::size_t last = 0;
        for (std::size_t place = 0; place < m_columns.size(); ++place) {
            if (layout.is_shown[place] && m_columns[place].rank >= m_columns[last].rank) {
                last = place;
            }
        }
        if (m_columns[last].rank == 0 || !layout.is_shown[last]) {
            break; // no column can go
        }
        layout.is_shown[last] = false;
        layout.widths = whole.widths; // with one less, the others may not need to be shortened
        shorten();
    }
    for (std::size_t place = 0; place < m_columns.size(); ++place) {
        const std::size_t all = total(layout);
        if (m_columns[place].most > 0 && layout.is_shown[place] && all < room) {
            layout.widths[place] =
                std::min(m_columns[place].most, layout.widths[place] + room - all);
        }
    }
    return layout;
}

std::string TextTable::above_line(const Layout& layout, const Screen& screen) const
{
    std::string line;
    bool is_any = false;
    for (std::size_t place = 0; place < m_columns.size(); ++place) {
        const TableColumn& column = m_columns[place];
        if (!layout.is_shown[place]) {
            continue;
        }
        const std::size_t begin = columns_of(line) + (line.empty() ? 0 : column.gap);
        if (column.above.empty()) {
            line +=
                spaces(std::max(begin + layout.widths[place], columns_of(line)) - columns_of(line));
            continue;
        }
        // over this column and those that follow without a word of their own
        std::size_t width = layout.widths[place];
        std::size_t next = place + 1;
        for (; next < m_columns.size() && m_columns[next].above == "-"; ++next) {
            width += layout.is_shown[next] ? m_columns[next].gap + layout.widths[next] : 0;
        }
        if (column.above == "-") {
            continue;
        }
        is_any = true;
        const std::string word = fitting(column.above, width);
        const std::size_t before = (width - columns_of(word) + 1) / 2;
        line += spaces(begin - columns_of(line) + before) + word +
                spaces(width - before - columns_of(word));
    }
    return is_any
               ? screen.painted(without_end_spaces(line).erase(without_end_spaces(line).size() - 1),
                                Ink::Faint) +
                     "\n"
               : std::string{};
}

std::string TextTable::title_line(const Layout& layout, const Screen& screen) const
{
    std::string line;
    for (std::size_t place = 0; place < m_columns.size(); ++place) {
        if (layout.is_shown[place]) {
            line += spaces(line.empty() ? 0 : m_columns[place].gap) +
                    placed(cut_end(m_columns[place].title, layout.widths[place]),
                           m_columns[place].side, layout.widths[place], {}, Ink::Plain);
        }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return screen.painted(line, Ink::Faint) + "\n";
}

std::string TextTable::row_line(const Layout& layout, const std::vector<Cell>& row,
                                const Screen& screen) const
{
    std::string line;
    bool is_first = true;
    for (std::size_t place = 0; place < m_columns.size(); ++place) {
        const TableColumn& column = m_columns[place];
        if (!layout.is_shown[place]) {
            continue;
        }
        line += spaces(is_first ? 0 : column.gap);
        is_first = false;
        if (row[place].draw) {
            line += row[place].draw(layout.widths[place], screen);
            continue;
        }
        const std::string& text = row[place].text;
        const std::string shown =
            column.keep == TableColumn::Keep::End     ? cut_begin(text, layout.widths[place])
            : column.keep == TableColumn::Keep::Begin ? cut_end(text, layout.widths[place])
                                                      : text;
        line += placed(shown, column.side, layout.widths[place], screen, row[place].ink);
    }
    return without_end_spaces(std::move(line));
}

std::string TextTable::text(const Screen& screen) const
{
    if (screen.is_ascii) { // some letters become two
        TextTable table = *this;
        for (std::vector<Cell>& row : table.m_rows) {
            for (Cell& cell : row) {
                cell.text = as_ascii(cell.text);
            }
        }
        Screen letters = screen;
        letters.is_ascii = false;
        return table.text(letters);
    }
    const Layout layout = lay_out(screen.width);
    std::string text = above_line(layout, screen) + title_line(layout, screen);
    for (const std::vector<Cell>& row : m_rows) {
        text += row_line(layout, row, screen);
    }
    return text;
}

} // namespace lttng_gpu::report

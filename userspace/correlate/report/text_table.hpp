// SPDX-License-Identifier: MIT
//
// Tables of texts for people that fit on the screen: first what can be shortened is, then the
// columns go that matter least. A column may take the room that is left.
#pragma once

#include "screen.hpp"

#include <functional>
#include <vector>

namespace lttng_gpu::report {

struct Cell {
    std::string text = {};
    Ink ink = Ink::Plain;
    /// Instead of a text: how it looks in so many columns, and with colours.
    std::function<std::string(std::size_t columns, const Screen& screen)> draw = {};
};

struct TableColumn {
    enum class Side : std::uint8_t { Left, Right };
    /// Which part of a text that is too long is shown.
    enum class Keep : std::uint8_t { All, Begin, End };

    std::string title;
    Side side = Side::Right;
    /// Columns with a greater number go first; with 0 never.
    unsigned rank = 0;
    Keep keep = Keep::All;
    std::size_t least = 0;  // when it is shortened, or drawn
    std::size_t most = 0;   // of what takes the room that is left; else 0
    std::string above = {}; // a word over this column and the following ones that have none
    std::size_t gap = 1;    // before it
};

class TextTable {
public:
    explicit TextTable(std::vector<TableColumn> columns) : m_columns{std::move(columns)} {}

    /// A cell for each column.
    void add_row(std::vector<Cell> row) { m_rows.push_back(std::move(row)); }
    std::string text(const Screen& screen) const;

private:
    struct Layout {
        std::vector<std::size_t> widths;
        std::vector<bool> is_shown;
    };

    Layout lay_out(std::size_t room) const;
    std::size_t total(const Layout& layout) const;
    std::string title_line(const Layout& layout, const Screen& screen) const;
    std::string above_line(const Layout& layout, const Screen& screen) const;
    std::string row_line(const Layout& layout, const std::vector<Cell>& row,
                         const Screen& screen) const;

    std::vector<TableColumn> m_columns;
    std::vector<std::vector<Cell>> m_rows;
};

} // namespace lttng_gpu::report

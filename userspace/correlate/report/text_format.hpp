// SPDX-License-Identifier: MIT
//
// Small pieces of text that several sinks need: CSV cells, JSON texts and
// durations for people.
#pragma once

#include "../base/ids.hpp"
#include "../base/known.hpp"
#include "../base/time.hpp"

#include <string>
#include <string_view>

namespace lttng_gpu::report {

/// Of a text. RFC 4180: quoted when it holds a comma, a quote or a line break. What a
/// spreadsheet would run as a formula gets an apostrophe before it, as OWASP advises
/// (owasp.org/www-community/attacks/CSV_Injection).
std::string csv_cell(std::string_view text);
void append_csv_cell(std::string& line, std::string_view text);

/// JSON has it as it is: printing ASCII without '"' and '\\'.
bool is_plain_json(std::string_view text);
/// In quotes. What is not UTF-8 is replaced: names of threads are bytes.
void append_json_text(std::string& line, std::string_view text);

/// Three significant digits and a unit: "850 ns", "12.3 µs", "4.56 ms".
std::string human_duration(Duration duration);

/// "37.5 %"
std::string human_percent(double ratio);

/// A thread's name, with its id where that is known: "game", "game-101" as ftrace has it, "?".
std::string thread_name(std::string_view comm, Known<Tid> tid);

/// Cut to `width` characters, with a mark where something is missing.
std::string shortened(std::string_view text, std::size_t width);

} // namespace lttng_gpu::report

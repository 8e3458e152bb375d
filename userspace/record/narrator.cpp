// SPDX-License-Identifier: MIT
//
// See narrator.hpp.
#include "narrator.hpp"

#include "../correlate/base/printable_text.hpp"

#include <algorithm>
#include <utility>

namespace lttng_gpu::record {
namespace {

bool is_plain(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') ||
           std::string_view{"_-./:=,+@%"}.find(character) != std::string_view::npos;
}

} // namespace

std::string shell_text(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words) {
        text += text.empty() ? "" : " ";
        if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) {
            text += word;
            continue;
        }
        text += '\'';
        for (const char character : word) {
            text += character == '\'' ? std::string{"'\\''"} : std::string(1, character);
        }
        text += '\'';
    }
    return text;
}

void Narrator::note(std::string_view line)
{
    print("lttng-gpu: " + printable_text(line) + "\n");
}

void Narrator::command(std::string_view text)
{
    if (m_is_dry_run) {
        m_commands << text << std::endl;
    } else if (m_is_verbose) {
        print("+ " + printable_text(text) + "\n");
    }
}

void Narrator::print(std::string line)
{
    for (auto at = m_path.empty() ? std::string::npos : line.find(m_path); at != std::string::npos;
         at = line.find(m_path, at + m_name.size())) {
        line.replace(at, m_path.size(), m_name);
    }
    m_held += line;
    if (!m_is_held || !m_is_held()) {
        m_errors << std::exchange(m_held, {}) << std::flush;
    }
}

void Narrator::release()
{
    m_is_held = nullptr;
    m_errors << std::exchange(m_held, {}) << std::flush;
}

void Narrator::comment(std::string_view line)
{
    if (m_is_dry_run) {
        m_commands << "# " << line << std::endl;
    } else {
        note(line);
    }
}

} // namespace lttng_gpu::record

// SPDX-License-Identifier: MIT
//
// What record prints: notes for people, one line each, and the commands it runs.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace lttng_gpu::record {

/// The words, quoted for a shell.
std::string shell_text(const std::vector<std::string>& words);

class Narrator {
public:
    /// `commands`: where a dry run writes, so that it can be read by a shell.
    Narrator(std::ostream& errors, std::ostream& commands, bool is_verbose, bool is_dry_run)
        : m_errors{errors}, m_commands{commands}, m_is_verbose{is_verbose}, m_is_dry_run{is_dry_run}
    {
    }

    bool is_dry_run() const { return m_is_dry_run; }
    void note(std::string_view line);
    /// A command that changes something and is about to run, or would in a real run.
    void command(std::string_view text);
    /// Prints a note; in a dry run as a comment of the script.
    void comment(std::string_view line);
    /// Shown instead of that path, which no reader knows.
    void set_name(std::string path, std::string name)
    {
        m_path = std::move(path);
        m_name = std::move(name);
    }
    /// Notes and commands are kept while it returns true, so that they do not come in the middle
    /// of what another process prints.
    void hold_while(std::function<bool()> is_held) { m_is_held = std::move(is_held); }
    /// Prints what was kept, unless it is still to be kept.
    void print_held() { print({}); }
    /// Prints what was kept, and keeps nothing any more.
    void release();

private:
    void print(std::string line);

    std::ostream& m_errors;
    std::ostream& m_commands;
    bool m_is_verbose;
    bool m_is_dry_run;
    std::string m_path; // empty: none has another name
    std::string m_name;
    std::function<bool()> m_is_held;
    std::string m_held; // lines
};

} // namespace lttng_gpu::record

// SPDX-License-Identifier: MIT
//
// Opens a page whose address is a secret. All users can read the arguments of all processes, so
// what xdg-open gets is a file that only its user can read, and that leads there. Under sudo the
// browser is that of the user who called it.
#pragma once

#include <string>
#include <sys/types.h>

namespace lttng_gpu::cli {

class Browser {
public:
    /// Before there are threads: it forks a helper, which waits for an address.
    explicit Browser(bool is_wanted);
    Browser(const Browser&) = delete;
    Browser& operator=(const Browser&) = delete;
    /// The file goes; the browser may stay open.
    ~Browser();

    void open(const std::string& address) const;

private:
    int m_helper = -1; // a pipe
    pid_t m_pid = 0;
};

} // namespace lttng_gpu::cli

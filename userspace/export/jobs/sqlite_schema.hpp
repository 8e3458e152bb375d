// SPDX-License-Identifier: MIT
//
// The tables and views of the SQLite export. Names are promises, like the columns of CSV:
// columns may be added, none goes. docs/formats.md has the list.
#pragma once

namespace lttng_gpu::exporting {

extern const char* const sqlite_tables;
extern const char* const sqlite_views;

} // namespace lttng_gpu::exporting

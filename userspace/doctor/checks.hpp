// SPDX-License-Identifier: MIT
//
// The questions doctor asks, by subject.
#pragma once

#include "doctor.hpp"
#include "findings.hpp"
#include "machine.hpp"

namespace lttng_gpu::doctor {

void check_kernel(const Machine& machine, Findings& findings);
void check_module_loading(const Machine& machine, const Environment& environment,
                          Findings& findings);
void check_gpus(const Machine& machine, Findings& findings);
void check_drivers(const Machine& machine, Findings& findings);
void check_lttng(const Machine& machine, const Environment& environment, Findings& findings);
void check_probes(const Machine& machine, const Environment& environment, Findings& findings);
/// Drivers whose loaded probe does not read them. The other probes work.
void check_drivers_of_probes(const Machine& machine, Findings& findings);
void check_building(const Machine& machine, const Environment& environment, Findings& findings);

/// Returns true when programs of an API can be recorded, provided that lttng-tools is installed.
bool check_user_space(const Machine& machine, const Environment& environment, Findings& findings);

/// After all checks: states what can be recorded.
void list_capabilities(const Machine& machine, bool has_user_space, Findings& findings);

/// GPU drivers with jobs, of those that are loaded now.
std::vector<std::string> loaded_drivers(const Machine& machine);

/// Whether any of our probes is installed for this kernel.
bool has_probes(const Machine& machine);

} // namespace lttng_gpu::doctor

// SPDX-License-Identifier: MIT
//
// See input_plan.hpp.
#include "input_plan.hpp"

#include "../correlate/base/apis.hpp"
#include "../correlate/trace/ctf/metadata.hpp"
#include "translated_trace.hpp"

#include <algorithm>
#include <map>

namespace lttng_gpu::exporting {

namespace fs = std::filesystem;

namespace {

using trace::ctf::Environment;

std::string entry_of(const Environment& environment, std::string_view name)
{
    return std::string{text_of(environment, name)};
}

/// What an environment can say only once.
std::vector<std::string> place_of(const Environment& environment)
{
    return {entry_of(environment, "hostname"), entry_of(environment, "procname"),
            entry_of(environment, "vpid")};
}

std::string group_name(const std::vector<std::string>& place)
{
    std::string name;
    for (const std::string& part : place) {
        if (!part.empty()) {
            name += (name.empty() ? "" : "-") + part;
        }
    }
    return name.empty() ? "trace" : name;
}

bool has_provider(const trace::ctf::Schema& schema, std::string_view provider)
{
    return std::ranges::any_of(schema.streams, [provider](const auto& stream) {
        return std::ranges::any_of(stream.events, [provider](const auto& event) {
            return event.name.starts_with(provider);
        });
    });
}

/// Fields of API events hold times of the trace's clock.
bool has_api_events(const trace::ctf::Schema& schema)
{
    return std::ranges::any_of(schema.streams, [](const auto& stream) {
        return std::ranges::any_of(stream.events, [](const auto& event) {
            return std::ranges::any_of(
                apis, [&](const Api& api) { return is_event_of(api, event.name); });
        });
    });
}

/// Chooses the clock that the group's trace gets.
void consider_clock(InputGroup& group, const trace::ctf::Schema& schema)
{
    const bool is_needed = has_api_events(schema);
    if (schema.clocks.size() != 1 || schema.clocks.front().frequency != 1'000'000'000 ||
        (group.clock && (group.needs_clock || !is_needed))) {
        return;
    }
    group.clock = {schema.clocks.front().offset_seconds, schema.clocks.front().offset_cycles};
    group.needs_clock = is_needed;
}

void append_paths(const InputSource& source, std::vector<fs::path>& paths)
{
    for (const trace::TraceDirectory& directory : source.directories) {
        paths.push_back(directory.path);
    }
}

class Planner {
public:
    Expected<void> add_run(const std::vector<fs::path>& roots, std::size_t run);
    InputPlan finish();

private:
    Expected<void> add(const trace::TraceDirectory& directory, std::size_t run);
    std::size_t group_of(const std::vector<std::string>& place);
    std::string free_label(const Environment& environment, std::size_t group,
                           std::size_t run) const;

    InputPlan x_plan;
    std::map<std::vector<std::string>, std::size_t> x_groups;
    std::map<std::pair<std::size_t, std::string>, std::size_t> x_sources; // by run and identity
};

Expected<void> Planner::add_run(const std::vector<fs::path>& roots, std::size_t run)
{
    const auto found = trace::find_traces(roots);
    if (!found) {
        return Failure{found.error()};
    }
    for (const trace::TraceDirectory& directory : *found) {
        if (auto added = add(directory, run); !added) {
            return added;
        }
    }
    return {};
}

Expected<void> Planner::add(const trace::TraceDirectory& directory, std::size_t run)
{
    const auto schema = trace::ctf::read_metadata_file(directory.path / "metadata");
    if (!schema) {
        return Failure{schema.error()};
    }
    std::string identity =
        schema->uuid ? std::string{schema->uuid->begin(), schema->uuid->end()} : schema->identity;
    if (identity.empty()) {
        identity = "path " + directory.path.string();
    }
    fs::path readable = directory.path;
    if (directory.kind == trace::MetadataKind::Ctf2) {
        auto translated = translate_trace(directory.path, *schema);
        if (!translated) {
            return Failure{translated.error()};
        }
        readable = translated->path();
        x_plan.scratch.push_back(std::move(*translated));
    }
    const auto [place, is_new] = x_sources.try_emplace({run, identity}, x_plan.sources.size());
    if (!is_new) {
        x_plan.sources[place->second].directories.push_back(directory);
        x_plan.sources[place->second].readable.push_back(std::move(readable));
        return {};
    }
    const std::size_t group = group_of(place_of(schema->environment));
    x_plan.groups[group].sources.push_back(x_plan.sources.size());
    x_plan.groups[group].has_device_events =
        x_plan.groups[group].has_device_events || has_provider(*schema, "lttng_gpu_device:");
    consider_clock(x_plan.groups[group], *schema);
    InputSource source;
    source.directories = {directory};
    source.readable = {std::move(readable)};
    source.group = group;
    source.run = run;
    source.label = free_label(schema->environment, group, run);
    x_plan.sources.push_back(std::move(source));
    return {};
}

std::size_t Planner::group_of(const std::vector<std::string>& place)
{
    const auto [found, is_new] = x_groups.try_emplace(place, x_plan.groups.size());
    if (is_new) {
        x_plan.groups.push_back({group_name(place), {}, false, {}, false});
    }
    return found->second;
}

std::string Planner::free_label(const Environment& environment, std::size_t group,
                                std::size_t run) const
{
    const std::string domain = entry_of(environment, "domain");
    const std::string wanted = domain.empty() ? "input" : domain;
    const auto is_taken = [&](const std::string& label) {
        return std::any_of(
            x_plan.sources.begin(), x_plan.sources.end(), [&](const InputSource& source) {
                return source.group == group && source.run == run && source.label == label;
            });
    };
    std::string label = wanted;
    for (unsigned number = 2; is_taken(label); ++number) {
        label = wanted + "-" + std::to_string(number);
    }
    return label;
}

InputPlan Planner::finish()
{
    return std::move(x_plan);
}

} // namespace

std::vector<fs::path> InputPlan::paths() const
{
    std::vector<fs::path> all;
    for (std::size_t group = 0; group < groups.size(); ++group) {
        const auto some = paths_of_group(group);
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

std::vector<fs::path> InputPlan::paths_of_group(std::size_t group) const
{
    std::vector<fs::path> paths;
    for (const std::size_t source : groups[group].sources) {
        append_paths(sources[source], paths);
    }
    return paths;
}

std::vector<fs::path> InputPlan::paths_of_run(std::size_t run) const
{
    std::vector<fs::path> paths;
    for (const InputSource& source : sources) {
        if (source.run == run) {
            append_paths(source, paths);
        }
    }
    return paths;
}

Expected<InputPlan> plan_input(const std::vector<std::vector<fs::path>>& runs)
{
    Planner planner;
    for (std::size_t index = 0; index < runs.size(); ++index) {
        if (const auto added = planner.add_run(runs[index], runs.size() > 1 ? index + 1 : 0);
            !added) {
            return Failure{added.error()};
        }
    }
    return planner.finish();
}

} // namespace lttng_gpu::exporting

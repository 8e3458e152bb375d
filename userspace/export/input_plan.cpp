// SPDX-License-Identifier: MIT
//
// See input_plan.hpp.
#include "input_plan.hpp"

#include "../correlate/base/apis.hpp"
#include "../correlate/trace/ctf/metadata/machine_name.hpp"
#include "../correlate/trace/ctf/metadata/read_metadata.hpp"
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

/// What a trace can say only once.
struct Place {
    std::string boot; // empty: not said
    std::string host;
    std::string process;
    std::string pid;

    friend auto operator<=>(const Place&, const Place&) = default;
};

Place place_of(const trace::ctf::Schema& schema)
{
    const trace::MachineName machine = trace::ctf::machine_of(schema);
    return {machine.boot_id, machine.host, entry_of(schema.environment, "procname"),
            entry_of(schema.environment, "vpid")};
}

std::string group_name(const Place& place)
{
    std::string name;
    for (const std::string* part : {&place.host, &place.process, &place.pid}) {
        if (!part->empty()) {
            name += (name.empty() ? "" : "-") + *part;
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

/// What the group of a source has to know of its metadata.
struct SourceFacts {
    Place place;
    std::string domain;
    bool has_device_events = false;
    std::optional<NanosecondClock> clock;
    bool needs_clock = false;
};

SourceFacts facts_of(const trace::ctf::Schema& schema)
{
    SourceFacts facts;
    facts.place = place_of(schema);
    facts.domain = entry_of(schema.environment, "domain");
    facts.has_device_events = has_provider(schema, "lttng_gpu_device:");
    facts.needs_clock = has_api_events(schema);
    if (schema.clocks.size() == 1 && schema.clocks.front().frequency == 1'000'000'000) {
        facts.clock = {schema.clocks.front().offset_seconds, schema.clocks.front().offset_cycles};
    }
    return facts;
}

/// Chooses the clock that the group's trace gets.
void consider_clock(InputGroup& group, const SourceFacts& facts)
{
    if (!facts.clock || (group.clock && (group.needs_clock || !facts.needs_clock))) {
        return;
    }
    group.clock = facts.clock;
    group.needs_clock = facts.needs_clock;
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
    Place full_place(const Place& place) const;
    std::size_t group_of(const Place& place);
    std::string free_name(const Place& place) const;
    std::string free_label(const std::string& domain, std::size_t source) const;

    InputPlan m_plan;
    std::vector<SourceFacts> m_facts; // of each source
    std::map<Place, std::size_t> m_groups;
    std::map<std::pair<std::size_t, std::string>, std::size_t> m_sources; // by run and identity
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
        m_plan.scratch.push_back(std::move(*translated));
    }
    const auto [place, is_new] = m_sources.try_emplace({run, identity}, m_plan.sources.size());
    if (!is_new) {
        m_plan.sources[place->second].directories.push_back(directory);
        m_plan.sources[place->second].readable.push_back(std::move(readable));
        return {};
    }
    InputSource source;
    source.directories = {directory};
    source.readable = {std::move(readable)};
    source.run = run;
    m_plan.sources.push_back(std::move(source));
    m_facts.push_back(facts_of(*schema));
    return {};
}

/// A trace that does not say its boot is of the one that others of its host name say, if that is
/// one.
Place Planner::full_place(const Place& place) const
{
    if (!place.boot.empty()) {
        return place;
    }
    Place full = place;
    for (const SourceFacts& facts : m_facts) {
        const Place& other = facts.place;
        if (other.boot.empty() || other.host != place.host) {
            continue;
        }
        if (!full.boot.empty() && full.boot != other.boot) {
            return place;
        }
        full.boot = other.boot;
    }
    return full;
}

std::size_t Planner::group_of(const Place& place)
{
    const auto [found, is_new] = m_groups.try_emplace(place, m_plan.groups.size());
    if (is_new) {
        m_plan.groups.push_back({free_name(place), {}, false, {}, false});
    }
    return found->second;
}

/// Two boots of one host, or two hosts of one name, get "host" and "host-2".
std::string Planner::free_name(const Place& place) const
{
    const std::string wanted = group_name(place);
    std::string name = wanted;
    for (unsigned number = 2;
         std::ranges::find(m_plan.groups, name, &InputGroup::name) != m_plan.groups.end();
         ++number) {
        name = wanted + "-" + std::to_string(number);
    }
    return name;
}

/// Among the sources before this one.
std::string Planner::free_label(const std::string& domain, std::size_t source) const
{
    const std::string wanted = domain.empty() ? "input" : domain;
    const InputSource& own = m_plan.sources[source];
    const auto is_taken = [&](const std::string& label) {
        return std::any_of(
            m_plan.sources.begin(), m_plan.sources.begin() + static_cast<std::ptrdiff_t>(source),
            [&](const InputSource& other) {
                return other.group == own.group && other.run == own.run && other.label == label;
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
    for (std::size_t source = 0; source < m_plan.sources.size(); ++source) {
        const SourceFacts& facts = m_facts[source];
        const std::size_t number = group_of(full_place(facts.place));
        InputGroup& group = m_plan.groups[number];
        group.sources.push_back(source);
        group.has_device_events = group.has_device_events || facts.has_device_events;
        consider_clock(group, facts);
        m_plan.sources[source].group = number;
        m_plan.sources[source].label = free_label(facts.domain, source);
    }
    return std::move(m_plan);
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

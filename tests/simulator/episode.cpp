// SPDX-License-Identifier: MIT
//
// See episode.hpp.
#include "episode.hpp"

#include "run/pipeline.hpp"

#include <set>

namespace lttng_gpu::simulator {
namespace {

class Collector final : public model::JobSink {
public:
    explicit Collector(Shown& shown) : m_shown{shown} {}

    void on_job(const model::Job& job) override { m_shown.rows.push_back(job); }
    void on_dependency(const model::Dependency& dependency) override
    {
        m_shown.dependencies.push_back(dependency);
    }
    void on_wait(const model::Wait& wait) override { m_shown.waits.push_back(wait); }

private:
    Shown& m_shown;
};

} // namespace

Episode make_episode(const Scenario& scenario, std::uint64_t seed, std::uint32_t jobs)
{
    Random random{seed};
    Workload workload = scenario.workload;
    workload.jobs = jobs;
    if (workload.script.empty()) {
        workload.clients = static_cast<std::uint32_t>(random.between(1, 8));
        workload.depth = static_cast<unsigned>(random.between(1, 12));
        workload.think = random.spread(2000, 200'000);
        workload.execution = random.spread(4000, 400'000);
    }
    Episode episode;
    episode.world = simulate(scenario.hardware, workload, random);
    episode.whole = Recorder{episode.world, scenario.recording, random}.record();
    retime(episode.whole, scenario.distortion, random);
    episode.kept.has_contexts = episode.whole.has_contexts;
    episode.kept.cpus = episode.whole.cpus;
    episode.kept.events = episode.whole.events; // texts stay with `whole`
    damage(episode.kept, scenario.distortion, random);
    return episode;
}

std::vector<Complaint> run_episode(const Scenario& scenario, const Feed& feed, std::uint64_t seed,
                                   std::uint32_t jobs, Tally& tally)
{
    const Episode episode = make_episode(scenario, seed, jobs);
    run::Pipeline pipeline;
    Shown shown{{}, {}, {}, pipeline.rings(), pipeline.anomalies()};
    Collector collector{shown};
    pipeline.start(collector);
    if (!scenario.kernel_release.empty()) {
        pipeline.on_trace(TraceId{}, {scenario.kernel_release, {}, {}, {}});
    }
    feed.play(episode.world, episode.kept, pipeline);
    pipeline.finish();
    const Truth truth{episode.world, scenario, episode.whole, episode.kept};
    auto complaints = Check{episode.world, scenario, truth, episode.kept, shown}.run(tally);
    std::set<std::string> described; // one of each kind
    for (Complaint& complaint : complaints) {
        if (complaint.job != nobody && described.insert(complaint.kind).second) {
            complaint.words += "\n" + describe(episode.world, episode.kept, complaint.job);
        }
    }
    return complaints;
}

} // namespace lttng_gpu::simulator

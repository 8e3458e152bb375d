// SPDX-License-Identifier: MIT
//
// fire-plan: turns a recipe (tests/firing/*.fire, grammar in recipe.cpp) into the plan that
// gpufire.ko carries out on one kernel, with the layouts of that kernel's BTF, and writes beside it
// (PLAN.json) what compare_with_ftrace.py must find in the LTTng trace.
#include "../driver/gpufire_uapi.h"
#include "objects.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fstream>
#include <iostream>

namespace {

using namespace lttng_gpu::firing;
using nlohmann::json;

class Planner {
public:
    Planner(const Recipe& recipe, KernelGraph& types, std::uint64_t seed, unsigned firings,
            unsigned repeat)
        : recipe_(recipe), types_(types), seed_(seed), firings_per_event_(firings), repeat_(repeat)
    {
        module_ = add_name([&] {
            std::string name = recipe.module;
            std::replace(name.begin(), name.end(), '-', '_');
            return name;
        }());
        no_module_ = add_name("");
        for (std::size_t i = 0; i < recipe.events.size(); ++i) {
            try {
                plan_event(i);
            } catch (const std::exception& error) {
                throw std::runtime_error(
                    fmt::format("{}, in event {}", error.what(), recipe.events[i].tracepoint));
            }
        }
    }

    std::string binary() const
    {
        std::vector<std::uint32_t> symbols;
        std::string names = names_;
        for (const std::string& symbol : symbols_) {
            symbols.push_back(static_cast<std::uint32_t>(names.size()));
            names += symbol + '\0';
        }
        names.resize((names.size() + 7) / 8 * 8);
        gpufire_plan header{};
        header.magic = GPUFIRE_MAGIC;
        header.objects = static_cast<std::uint32_t>(objects_.size());
        header.words = static_cast<std::uint32_t>(words_.size());
        header.links = static_cast<std::uint32_t>(links_.size());
        header.firings = static_cast<std::uint32_t>(firings_.size());
        header.symbols = static_cast<std::uint32_t>(symbols.size());
        header.names = static_cast<std::uint32_t>(names.size());
        std::string body = bytes_of(objects_) + bytes_of(words_) + bytes_of(links_) +
                           bytes_of(firings_) + bytes_of(symbols) + names;
        header.bytes = sizeof(header) + body.size();
        if (header.bytes > GPUFIRE_MAX_BYTES)
            throw std::runtime_error("the plan is too large");
        return std::string(reinterpret_cast<const char*>(&header), sizeof(header)) + body;
    }

    json expectations() const
    {
        return {{"module", recipe_.module},
                {"repeat", repeat_},
                {"events", events_},
                {"firings", expected_},
                {"symbols", symbols_}};
    }

private:
    template <typename Item> static std::string bytes_of(const std::vector<Item>& items)
    {
        return {reinterpret_cast<const char*>(items.data()), items.size() * sizeof(Item)};
    }

    std::uint32_t add_name(const std::string& name)
    {
        const auto at = static_cast<std::uint32_t>(names_.size());
        names_ += name + '\0';
        return at;
    }

    void plan_event(std::size_t number)
    {
        const Event& event = recipe_.events[number];
        const auto tracepoint = types_.find_tracepoint(event.tracepoint);
        json facts = {{"tracepoint", event.tracepoint},
                      {"event", event.recorded_as},
                      {"present", tracepoint.has_value()},
                      {"recreated", event.recreated},
                      {"omit", json::object()},
                      {"renamed", json::object()}};
        for (const Statement& statement : event.statements) {
            if (!applies(statement))
                continue;
            if (statement.kind == Statement::omit)
                facts["omit"][statement.path] = statement.reason;
            if (statement.kind == Statement::renamed)
                facts["renamed"][statement.path] = statement.name;
        }
        events_.push_back(facts);
        if (!tracepoint)
            return;
        const std::uint32_t name = add_name(event.tracepoint);
        for (unsigned i = 0; i < firings_per_event_; ++i)
            plan_firing(number, *tracepoint, name, gpufire_fill(gpufire_fill(seed_, number), i));
    }

    bool applies(const Statement& statement) const
    {
        return statement.condition.empty() ||
               types_.has(statement.condition) != statement.condition_negated;
    }

    // Runs what belongs to a statement, so that errors name its line and '?' has its meaning.
    template <typename Action> void run(const Statement& statement, Action action) const
    {
        if (!applies(statement))
            return;
        try {
            action();
        } catch (const NotInThisKernel& error) {
            if (!statement.optional)
                throw std::runtime_error(fmt::format("line {}: {}", statement.line, error.what()));
        } catch (const std::exception& error) {
            throw std::runtime_error(fmt::format("line {}: {}", statement.line, error.what()));
        }
    }

    void plan_firing(std::size_t number, const Tracepoint& tracepoint, std::uint32_t name,
                     std::uint64_t seed)
    {
        const Event& event = recipe_.events[number];
        Objects objects(types_, symbols_, seed);
        begin(event, tracepoint, objects);
        for (const Statement& statement : event.statements)
            if (statement.kind == Statement::assign || statement.kind == Statement::within)
                run(statement, [&] { objects.run(statement); });
        objects.finish();

        const auto first = static_cast<std::uint32_t>(objects_.size());
        json expected = json::object();
        for (const Statement& statement : event.statements)
            if (statement.kind == Statement::expect)
                run(statement,
                    [&] { expected[statement.path] = objects.expected(statement.value, first); });
        expected_.push_back({{"event", number}, {"expect", expected}});

        gpufire_firing firing{};
        firing.tracepoint = name;
        firing.module = tracepoint.in_module ? module_ : no_module_;
        firing.arguments = static_cast<std::uint32_t>(tracepoint.arguments.size());
        firing.repeat = repeat_;
        firing.first_object = first;
        firing.first_word = static_cast<std::uint32_t>(words_.size());
        firing.first_link = static_cast<std::uint32_t>(links_.size());
        for (const Object& object : objects.all())
            add_object(object, first);
        firing.objects = static_cast<std::uint32_t>(objects_.size()) - first;
        firing.words = static_cast<std::uint32_t>(words_.size()) - firing.first_word;
        firing.links = static_cast<std::uint32_t>(links_.size()) - firing.first_link;
        firings_.push_back(firing);
    }

    static void begin(const Event& event, const Tracepoint& tracepoint, Objects& objects)
    {
        std::vector<std::vector<std::string>> others;
        const std::vector<std::string>* names = nullptr;
        for (const auto& candidate : event.arguments)
            if (candidate.size() == tracepoint.arguments.size())
                names = &candidate;
            else
                others.push_back(candidate);
        if (!names || tracepoint.arguments.size() > GPUFIRE_MAX_ARGUMENTS)
            throw std::runtime_error(
                fmt::format("line {}: this kernel's tracepoint takes {} arguments, for which there "
                            "is no args line",
                            event.line, tracepoint.arguments.size()));
        objects.begin(tracepoint.arguments, *names, others);
    }

    void add_object(const Object& object, std::uint32_t first)
    {
        const auto index = static_cast<std::uint32_t>(objects_.size());
        objects_.push_back({object.seed, static_cast<std::uint32_t>(object.bytes.size()), 0});
        for (std::uint32_t i = 0; i < object.bytes.size() / 8; ++i) {
            std::uint64_t word;
            std::memcpy(&word, &object.bytes[8 * i], 8);
            if (word != gpufire_fill(object.seed, i))
                words_.push_back({index, 8 * i, word});
        }
        for (const auto& [offset, link] : object.links)
            if (link.kind != Link::null)
                links_.push_back(
                    {index, static_cast<std::uint32_t>(offset),
                     link.kind == Link::symbol ? GPUFIRE_LINK_SYMBOL : GPUFIRE_LINK_OBJECT,
                     link.kind == Link::symbol ? link.index : first + link.index, link.addend});
    }

    const Recipe& recipe_;
    KernelGraph& types_;
    std::uint64_t seed_;
    unsigned firings_per_event_;
    unsigned repeat_;
    std::uint32_t module_ = 0;
    std::uint32_t no_module_ = 0;
    std::vector<gpufire_object> objects_;
    std::vector<gpufire_word> words_;
    std::vector<gpufire_link> links_;
    std::vector<gpufire_firing> firings_;
    std::vector<std::string> symbols_;
    std::string names_;
    json events_ = json::array();
    json expected_ = json::array();
};

void write_file(const std::string& path, const std::string& bytes)
{
    std::ofstream file(path, std::ios::binary);
    if (!(file << bytes) || !file.flush())
        throw std::runtime_error(path + ": cannot be written");
}

} // namespace

int main(int argc, char** argv)
{
    CLI::App app{"Turns a recipe into the plan that gpufire.ko carries out on one kernel."};
    std::string kernel;
    std::string module;
    std::string recipe_path;
    std::string output;
    std::uint64_t seed = 1;
    unsigned firings = 3;
    unsigned repeat = 1;
    app.add_option("--kernel", kernel, "vmlinux with BTF")->required();
    app.add_option("--module", module, "the recipe's module, uncompressed (.ko)");
    app.add_option("--seed", seed, "of everything random");
    app.add_option("--firings", firings, "of each event, each with other random values");
    app.add_option("--repeat", repeat, "calls in each firing, for measuring")
        ->check(CLI::PositiveNumber);
    app.add_option("-o,--output", output, "plan to write; expectations go to OUTPUT.json")
        ->required();
    app.add_option("RECIPE", recipe_path, ".fire file")->required();
    CLI11_PARSE(app, argc, argv);
    try {
        std::ifstream text(recipe_path);
        if (!text)
            throw std::runtime_error("cannot be read");
        const Recipe recipe = read_recipe(text);
        KernelGraph types(kernel, module);
        const Planner planner(recipe, types, seed, firings, repeat);
        write_file(output, planner.binary());
        write_file(output + ".json", planner.expectations().dump(1) + "\n");
    } catch (const std::exception& error) {
        std::cerr << "fire-plan: " << recipe_path << ": " << error.what() << '\n';
        return 1;
    }
    return 0;
}

// SPDX-License-Identifier: MIT
//
// bpf-record OBJECT: loads record.bpf.o and does what its input says, a line each:
//   on     attaches every program whose tracepoint there is; prints "on PROGRAMS"
//   off    detaches them and empties the ring buffer; prints "off RECORDS BYTES"
// Linked statically, for guests without libbpf.
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

namespace {

struct Count {
    unsigned long records = 0;
    unsigned long bytes = 0;
};

int add(void* context, void*, std::size_t size)
{
    auto* count = static_cast<Count*>(context);
    count->records++;
    // The header of a record is 8 bytes, and records are aligned to 8.
    count->bytes += (size + 7) / 8 * 8 + 8;
    return 0;
}

[[noreturn]] void fail(const char* what)
{
    std::fprintf(stderr, "bpf-record: %s: %s\n", what, std::strerror(errno));
    std::exit(1);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fputs("usage: bpf-record OBJECT\n", stderr);
        return 2;
    }
    bpf_object* object = bpf_object__open_file(argv[1], nullptr);
    if (!object)
        fail(argv[1]);
    // Older and newer kernels have other scheduler tracepoints, with other types.
    const bool has_queue = std::getenv("BPF_RECORD_HAS_QUEUE") != nullptr;
    bpf_program* program;
    bpf_object__for_each_program(program, object)
    {
        const std::string name = bpf_program__name(program);
        if (name == (has_queue ? "drm_sched_job" : "drm_sched_job_queue"))
            bpf_program__set_autoload(program, false);
    }
    if (bpf_object__load(object))
        fail("load");

    Count count;
    ring_buffer* ring =
        ring_buffer__new(bpf_object__find_map_fd_by_name(object, "records"), add, &count, nullptr);
    if (!ring)
        fail("ring buffer");
    std::vector<bpf_link*> links;
    for (std::string line; std::getline(std::cin, line);) {
        if (line == "on") {
            bpf_object__for_each_program(program, object)
            {
                if (!bpf_program__autoload(program))
                    continue;
                bpf_link* link =
                    bpf_program__attach_raw_tracepoint(program, bpf_program__name(program));
                if (!link)
                    fail(bpf_program__name(program));
                links.push_back(link);
            }
            std::printf("on %zu\n", links.size());
        } else if (line == "off") {
            for (bpf_link* link : links)
                bpf_link__destroy(link);
            links.clear();
            count = {};
            ring_buffer__consume(ring);
            std::printf("off %lu %lu\n", count.records, count.bytes);
        }
        std::fflush(stdout);
    }
    return 0;
}

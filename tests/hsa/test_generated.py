#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is generated for the HSA layer, against the installed headers as a C++ compiler sees them: test_generated.py BUILD.
The layer is loaded with tables of other sizes, and its wrappers are called with arguments of their own. TAP."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from generated import Generated, own_modules, top

own_modules("hsa")
from generate import Unclassified, classify_hsa, read_model  # noqa: E402

build = Path(sys.argv[1]).resolve()
headers = Path("/usr/include/hsa")
model, tables = read_model(headers)
treatments = classify_hsa(model, top / "userspace/preload/hsa/functions.toml")
passed = {name for name, treatment in treatments.items() if treatment.section == "passed"}
# These look at what they are given, whether a session records or not.
LOOKING = {name for name, treatment in treatments.items()
           if treatment.detail in ("create_queue", "create_soft_queue", "destroy_queue", "symbol_info", "set_profiler_enabled")}

PREFIX = f"""
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ext_finalize.h>
#include <hsa/hsa_ext_image.h>
#include <hsa/hsa_api_trace.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <type_traits>
static HsaApiTableContainer real, given;
static bool (*load)(HsaApiTable*, uint64_t, uint64_t, const char* const*);
static void open_layer(const char* path)
{{
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) puts(dlerror());
    else load = (bool (*)(HsaApiTable*, uint64_t, uint64_t, const char* const*))dlsym(library, "OnLoad");
}}
/// As many bits of it as the type has.
template <class Value> static Value make(uint64_t bits)
{{
    Value value = {{}};
    memcpy(&value, &bits, sizeof(value) < 8 ? sizeof(value) : 8);
    return value;
}}
template <class Value> static uint64_t bits_of(const Value& value)
{{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof(value) < 8 ? sizeof(value) : 8);
    return bits;
}}
"""


tap = Generated("hsa", build, PREFIX, ["g++", "-std=c++17", "-w", "-O0", f"-I{build / 'preload/hsa/generated'}"], "cpp")
run_program, library = tap.run_program, tap.library

# That the tables were read rightly, the compiler has checked: symbols.cpp has nothing else.
checks = (build / "preload/hsa/generated/symbols.cpp").read_text()
tap.check("the compiler has checked the place of each function of the tables",
          [name for name in model.entries if f", {name}_fn) ==" not in checks])
tap.check_numbers("the function enumeration has each of them in order", model.entries)
tap.check("only functions that take nanoseconds are handed through untouched",
          [name for name in passed if not re.search("load|store_read_index|status_string|value_pointer|^hsa_init$", name)])

# What the tables do not have.
(tap.work / "more.toml").write_text(tap.table.read_text().replace("[hooks]\n", '[hooks]\nhsa_from_the_past = "create_queue"\n'))
try:
    classify_hsa(model, tap.work / "more.toml")
    error = ""
except Unclassified as problem:
    error = str(problem)
tap.check_that("a function that no table has stops the generator, which names it", "hsa_from_the_past" in error, error)

# Which slots are taken.
FILL = "\n".join(f"    given.{member.rstrip('_')}.{name}_fn = (decltype(given.{member.rstrip('_')}.{name}_fn))(uintptr_t)({number} + "
                 f"0x1000);"
                 for number, (member, name) in enumerate((member, name) for member, _, names in tables for name in names))


def taken(member, names, expected):
    """Prints the functions that are not as expected: a C++ condition of `i`, the function's place."""
    lines = []
    for place, name in enumerate(names):
        wrapped = "false" if name in passed else f"[](int i) {{ return {expected}; }}({place})"
        number = model.entries.index(name) + 0x1000
        lines.append(f"    if (((uintptr_t)given.{member.rstrip('_')}.{name}_fn != {number}) != ({wrapped})) puts(\"{name}\");")
    return "\n".join(lines)


def tables_of(name, setting, **expected):
    body = f"int main(int, char** argv)\n{{\n    open_layer(argv[1]);\n{FILL}\n{setting}\n    if (!load(&given.root, 1, 0, nullptr)) puts(\"refused\");\n"
    body += "\n".join(taken(member, functions, expected.get(member, "true")) for member, _, functions in tables)
    return run_program(name, body + "\n    return 0;\n}\n", library)


tap.check("of its own version's tables each function is wrapped", tables_of("own", ""))
tap.check("and once only, where it is loaded twice", tables_of("twice", "    load(&given.root, 1, 0, nullptr);"))
tap.check("of older, shorter tables the functions that are there",
          tables_of("older", "    given.core.version.minor_id = 16 + 8 * 50;\n    given.amd_ext.version.minor_id = 16 + 8 * 10;",
                    core_="i < 50", amd_ext_="i < 10"))
tap.check("of a longer AMD table those whose place never changed",
          tables_of("newer", "    given.root.version.major_id = 3;\n    given.core.version.major_id = given.amd_ext.version.major_id = 2;\n"
                    "    given.amd_ext.version.minor_id += 8 * 12;", amd_ext_="i < 16"))
tap.check("of tables of an unknown version nothing",
          tables_of("unknown", "    given.core.version.major_id = 9;\n    given.amd_ext.version.major_id = 0;", core_="false",
                    amd_ext_="false"))
tap.check("of a list of tables that ends earlier the tables that are there",
          tables_of("list", "    given.root.version.minor_id = offsetof(HsaApiTable, finalizer_ext_);", finalizer_ext_="false",
                    image_ext_="false"))
tap.check("an empty slot stays empty",
          [line for line in tables_of("empty", "    given.core.hsa_signal_create_fn = nullptr;") if line != "hsa_signal_create"])

# Arguments and results, of every wrapper, with as many bits as their types have.
called = [(member, model.functions[name]) for member, _, functions in tables for name in functions if name not in passed | LOOKING]
body = ["static uint64_t seen[24];", "static int seen_count;"]
for member, function in called:
    body += [f"static {function.result} fake_{function.name}({function.declared})", "{", "    seen_count = 0;",
             *[f"    seen[seen_count++] = bits_of({name});" for name in function.names],
             "}" if function.result == "void" else f"    return make<{function.result}>(0x7a6b5c4d);\n}}"]
body += ["int main(int, char** argv)", "{", "    open_layer(argv[1]);"]
body += [f"    given.{member.rstrip('_')}.{function.name}_fn = fake_{function.name};" for member, function in called]
body += ["    load(&given.root, 1, 0, nullptr);"]
for member, function in called:
    body += ["    {", "        seen_count = -1;"]
    body += [f"        auto take{index} = []({parameter.declaration}) {{ return {parameter.name}; }};\n"
             f"        using type{index} = decltype(take{index}({{}}));" for index, parameter in enumerate(function.parameters)]
    values = [0x1122334455667700 + 0x0101010101010100 * index + 1 for index in range(len(function.parameters))]
    arguments = ", ".join(f"make<type{index}>({value}ull)" for index, value in enumerate(values))
    call = f"given.{member.rstrip('_')}.{function.name}_fn({arguments})"
    if function.result == "void":
        body.append(f"        {call};")
    else:
        body.append(f"        if (bits_of({call}) != bits_of(make<{function.result}>(0x7a6b5c4d))) puts(\"{function.name}: result\");")
    body.append(f"        if (seen_count != {len(values)}) puts(\"{function.name}: not called\");")
    body += [f"        if (seen[{index}] != bits_of(make<type{index}>({value}ull))) puts(\"{function.name}: {function.names[index]}\");"
             for index, value in enumerate(values)]
    body.append("    }")
body += ["    return 0;", "}"]
tap.check(f"{len(called)} wrappers pass on every argument and the result", run_program("arguments", "\n".join(body), library))

tap.check_library("the library exports only the entry points", ["OnLoad", "OnUnload"])
sys.exit(tap.finish())

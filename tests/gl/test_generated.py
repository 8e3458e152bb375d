#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is generated for the OpenGL layer, against the registries: test_generated.py BUILD. Prints TAP. Every wrapper is
called with arguments of its own, which must reach a made-up OpenGL library, and its result must come back."""
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from generated import Generated, own_modules, top

own_modules("gl")
from generate import classify, read_registries  # noqa: E402

registries = Path("/usr/lib/python3/dist-packages/glad/files")
tap = Generated("gl", Path(sys.argv[1]).resolve())
work, layer, table = tap.work, tap.library, tap.table
model = read_registries(registries)
treatments = classify(model, table)

LIBRARY = """
#include "gl_types.hpp"
#include <string.h>
template <class T> static uint64_t number_of(T value) { uint64_t all = 0; memcpy(&all, &value, sizeof(value)); return all; }
static void add(uint64_t value) { extern uint64_t seen; seen = (seen ^ value) * 1099511628211u; }
template <class T> static T made(uint64_t number)
{
    T value;
    number *= 0x9E3779B97F4A7C15;
    memcpy(&value, &number, sizeof(value));
    return value;
}
"""
# Floating-point numbers by value: an arbitrary pattern of bits may be changed on its way.
LIBRARY += "template <> float made<float>(uint64_t number) { return float(number); }\n"
LIBRARY += "template <> double made<double>(uint64_t number) { return double(number); }\n"


def type_of(parameter):
    return re.sub(rf"\b{parameter.name}$", "", parameter.declaration).strip()


def stub(number, function):
    lines = [f'extern "C" {function.result} {function.name}({function.declared})', "{", "    seen = 0;"]
    lines += [f"    add(number_of({name}));" for name in function.names]
    lines += ["    ++calls;"]
    return "\n".join(lines + ([] if function.result == "void" else [f"    return made<{function.result}>({number});"]) + ["}"])


def call(number, function):
    """Through the symbol, then through what dlsym() gives."""
    name, values = function.name, [f"made<{type_of(parameter)}>({number * 16 + at + 1})"
                                   for at, parameter in enumerate(function.parameters)]
    expected = "expected = 0;\n    { uint64_t& seen = expected; auto add = [&](uint64_t value) { seen = (seen ^ value) * 1099511628211u; };\n"
    expected += "".join(f"    add(number_of({value}));\n" for value in values) + "    }\n"
    arguments = ", ".join(values)
    check = ""
    for way in (name, f"reinterpret_cast<decltype(&{name})>(dlsym(library, \"{name}\"))"):
        invoked = f"{way}({arguments})"
        result = "" if function.result == "void" else f" || number_of(result) != number_of(made<{function.result}>({number}))"
        invoked = invoked if function.result == "void" else f"auto result = {invoked}"
        check += f"    {{ calls = 0; {invoked}; if (calls != 1 || seen != expected{result}) puts(\"{name}\"); }}\n"
    wrapped = f"    if (dlsym(library, \"{name}\") == here(library, \"{name}\")) puts(\"{name} is not wrapped by dlsym()\");\n"
    return f"static void call_{name}(void* library)\n{{\n    uint64_t expected;\n    {expected}{check}{wrapped}}}\n"


def handed_on():
    # These read the name that they are given.
    tested = [name for name in treatments if treatments[name].detail != "get_proc_address"]
    functions = [(number, model.functions[name]) for number, name in enumerate(tested)]
    (work / "library.cpp").write_text(LIBRARY + "uint64_t seen;\nint calls;\n" + "\n".join(stub(*row) for row in functions) +
                                      '\nextern "C" int glIsNotWrapped() { return 5; }\n')
    declared = "\n".join(f'extern "C" {function.result} {function.name}({function.declared});' for _, function in functions)
    body = "\n".join(call(*row) for row in functions)
    # What the library itself has, without any dlsym().
    here = """
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
extern uint64_t seen;
extern int calls;
static void* here(void* library, const char* name)
{
    auto* map = static_cast<link_map*>(library);
    const ElfW(Sym)* symbols = nullptr;
    const char* texts = nullptr;
    const uint32_t* hash = nullptr;
    for (ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(entry->d_un.d_ptr);
        if (entry->d_tag == DT_STRTAB) texts = reinterpret_cast<const char*>(entry->d_un.d_ptr);
        if (entry->d_tag == DT_HASH) hash = reinterpret_cast<const uint32_t*>(entry->d_un.d_ptr);
    }
    for (uint32_t i = 0; hash && i < hash[1]; ++i)
        if (!strcmp(texts + symbols[i].st_name, name)) return reinterpret_cast<void*>(map->l_addr + symbols[i].st_value);
    return nullptr;
}
"""
    main = "int main()\n{\n    void* library = dlopen(\"libGL.so.1\", RTLD_NOW);\n" + "".join(
        f"    call_{function.name}(library);\n" for _, function in functions)
    main += '    if (dlsym(library, "glIsNotWrapped") != here(library, "glIsNotWrapped")) puts("another function is changed");\n    puts("end");\n}\n'
    (work / "program.cpp").write_text(LIBRARY + here + declared + "\n" + body + main)
    flags = ["-std=c++17", "-w", "-O0", f"-I{top}/userspace/preload/gl"]
    subprocess.run(["g++", *flags, "-fPIC", "-shared", "-Wl,--hash-style=both", "-Wl,-soname,libGL.so.1", "-o", work / "libGL.so.1",
                    work / "library.cpp"],
                   check=True)
    subprocess.run(["g++", *flags, "-o", work / "program", work / "program.cpp", work / "libGL.so.1", "-ldl"], check=True)
    done = subprocess.run([work / "program"], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "LD_LIBRARY_PATH": str(work), "LD_PRELOAD": str(layer)})
    lines = done.stdout.splitlines()
    tap.check(f"all arguments and results of {len(functions)} functions are handed on, by symbol and by dlsym()",
              [line for line in lines if line != "end"] +
              ([] if done.returncode == 0 and lines[-1:] == ["end"] else [f"{done.returncode}: {done.stderr}"]))


def refused():
    text = table.read_text()
    for what, changed, words in (
            ("a pattern that matches nothing", text.replace("glDispatchComputeIndirect\n", "glDispatchKompute\n"),
             "no command is glDispatchKompute"),
            ("a function in two sections", text.replace("glDispatchComputeIndirect\n", "glDispatchComputeIndirect\nglFinish\n"),
             "has glFinish twice"),
            ("a function that blocks unrecorded", text.replace("[blocks]\nfunctions = '''\n", "[blocks]\nfunctions = '''\nglHint\n"),
             "glHint")):
        done = tap.generate(registries, changed)
        tap.check_that(f"{what} stops the build", done.returncode != 0 and words in done.stderr and changed != text, done.stderr)
    tap.check_that("the table as it is does not", tap.generate(registries, table).returncode == 0)


def whole():
    """The registries are those that are meant, and nothing that ends a frame or waits is forgotten."""
    counts = {prefix: sum(bool(re.match(prefix, name)) for name in model.functions) for prefix in ("gl[A-Z]", "egl", "glX")}
    tap.check_that("the registries are whole", counts["gl[A-Z]"] > 3000 and counts["egl"] > 140 and counts["glX"] > 120, str(counts))
    # Kinds of which a function of a later extension must not be forgotten: how they are named, and what is named so and is something else.
    kinds = {
        "draws": (r"gl\w*Draw(Range)?(Arrays|Element|Mesh|Tex|VkImage|Pixels|Commands|Transform)\w*|glCallLists?|glRect\w+",
                  r"glListDraw\w+"),
        "clears": (r"glClear(Named|Buffer|Tex)?\w*", r"glClear(Color|Depth|Stencil|Index|Accum|PixelLocal)\w*"),
        "dispatches": (r"gl\w*Dispatch\w+", ""),
        "frames": (r"(egl|glX)(Swap|PostSub|Copy|CopySub)Buffers?(?!Sub)\w*", ""),
        "fence_creates": (r"gl(FenceSync|SetFence|ImportSync|CreateSync)\w*|eglCreate\w*Sync(64)?(KHR|NV)?", "eglCreateStreamSyncNV"),
        "fence_waits": (r"(gl|egl)(Client)?WaitSync\w*|glFinishFence\w+", ""),
        "query_results": (r"gl\w*Get\w*Query\w*Object\w*v\w*", ""),
        "uploads": (r"gl\w*Buffer(Sub)?Data(ARB|EXT|NVX?)?|gl\w*Tex\w*Image[1-4]D\w*",
                    r"gl\w*(Get|Copy|Clear|Invalidate|\w+Multisample)\w*"),
        "blits": (r"gl\w*Blit\w*Framebuffer\w*|gl\w*Copy\w*(Image|Buffer|Pixels)\w*", r"glXCopySubBuffer\w+"),
        "calls": (r"(gl|egl)GetSync\w+|gl(TestFence|Finish|GetFence)\w*|glFlush|gl\w*(Wait|Signal)\w*(Semaphore|Fence)\w*|(egl|glX)Wait(?!Sync)\w+|egl\w*(FenceNV|FenceFD|[sS]ignal)\w*",
                  r"glFinishFence\w+"),
        "markers": (r"gl(DebugMessageInsert|InsertEventMarker|StringMarker)\w*", ""),
        "labels": (r"gl(Object\w*Label|LabelObject)\w*", ""),
        "group_pushes": (r"glPush(DebugGroup|GroupMarker)\w*", ""),
        "group_pops": (r"glPop(DebugGroup|GroupMarker)\w*", ""),
        "hooks": (r"(egl|glX)(GetProcAddress|(Create|Import|Destroy|Free|Delete)\w*Context|Make\w*Current)\w*", ""),
    }
    for section, (pattern, others) in kinds.items():
        names = [name for name in model.functions if re.fullmatch(pattern, name) and not re.fullmatch(others, name)]
        tap.check(f"{len(names)} functions are of the kind {section} by their names, and are treated so",
                  [f"{name}: {treatments[name].section if name in treatments else 'not wrapped'}" for name in names
                   if name not in treatments or treatments[name].section != section] + ([] if names else ["there are none"]))


def exported():
    tap.check_library("the library exports the wrapped functions and dlsym(), nothing else", {*treatments, "dlsym"})


for group in (handed_on, refused, whole, exported):
    group()
sys.exit(tap.finish())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is generated for the OpenCL layer, against the installed headers as a C compiler sees them:
test_generated.py BUILD. Prints TAP. Wrappers are called with arguments of their own and must hand them on."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

top = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(top / "tests"), str(top / "userspace/preload/opencl")]
sys.dont_write_bytecode = True
from generate import classify_opencl, read_model  # noqa: E402
from tap import Tap  # noqa: E402

build = Path(sys.argv[1]).resolve()
headers = Path("/usr/include/CL")
generator = top / "userspace/preload/opencl/generate.py"
table = top / "userspace/preload/opencl/functions.toml"
tap = Tap()
work = Path(tempfile.mkdtemp(prefix="lttng-gpu-generated-"))
# Without the provider beside it, so that no session of this machine makes the wrappers look at their arguments.
library = Path(shutil.copy(build / "liblttng-gpu-opencl.so", work))

PREFIX = """
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
"""


def run_program(name, body, *arguments, preload=None):
    source = work / f"{name}.c"
    source.write_text(PREFIX + body)
    subprocess.run(["gcc", "-w", "-O0", "-o", work / name, source, "-ldl"], check=True)
    environment = {**os.environ, "LD_PRELOAD": str(preload)} if preload else None
    done = subprocess.run([work / name, *arguments], capture_output=True, text=True, timeout=60, env=environment)
    return done.stdout.splitlines() + ([f"{name} ended with {done.returncode}: {done.stderr}"] if done.returncode else [])


def generate(headers_folder, table_path):
    return subprocess.run([sys.executable, "-B", generator, headers_folder, table_path, work / "out"], capture_output=True, text=True)


model = read_model(headers)
treatments = classify_opencl(model, table)
passed = [name for name in model.entries if treatments[name].section == "passed"]

# The table's order is the compiler's.
places = run_program("places", "int main(void) {\nprintf(\"%zu\\n\", sizeof(cl_icd_dispatch) / sizeof(void *));\n" +
                     "".join(f"printf(\"{name} %zu\\n\", offsetof(cl_icd_dispatch, {name}) / sizeof(void *));\n" for name in model.entries) +
                     "return 0;\n}\n")
tap.check_that("every entry of the dispatch table was read", int(places[0]) == len(model.entries) == len(set(model.entries)),
               f"{places[0]} entries, {len(model.entries)} read")
tap.check("the order is that of the table", [line for line, name in zip(places[1:], model.entries) if line != f"{name} {model.entries.index(name)}"])
names = dict(re.findall(r'X\("(cl\w+)", (\d+)\)', (build / "preload/opencl/generated/opencl_names.h").read_text()))
tap.check("the function enumeration has each entry in table order, then each extension function",
          [f"{name}: {names.get(name)}" for index, name in enumerate(model.entries + model.extensions) if names.get(name) != str(index)])
tap.check("only entries without a prototype are passed through unchanged", [name for name in passed if not re.search("D3D1[01]|DX9", name)] +
          [name for name in model.functions if name in passed])
tap.check("each function with a queue and an event is recorded as a command",
          [name for name, treatment in treatments.items() if treatment.section == "calls" and model.functions[name].has("command_queue")
           and model.functions[name].has("event") and name.startswith("clEnqueue")])

# What nobody classified stops the build.
text = table.read_text()
(work / "less.toml").write_text(text.replace('clFinish = "finish"\n', ""))
less = generate(headers, work / "less.toml")
tap.check_that("an unclassified entry stops the generator, which names it", less.returncode and "clFinish" in less.stderr, less.stderr)
shutil.copytree(headers, work / "newer")
icd = work / "newer/cl_icd.h"
icd.write_text(icd.read_text().replace("} cl_icd_dispatch;", "  cl_api_clFinish clFromTheFuture;\n} cl_icd_dispatch;"))
newer = generate(work / "newer", table)
tap.check_that("an entry of newer headers does the same", newer.returncode and "clFromTheFuture" in newer.stderr, newer.stderr)

# The doors.
LAYER = """
typedef void *entry;
static cl_icd_dispatch target;
static const cl_icd_dispatch *wrapped;
static cl_uint count;
static pfn_clInitLayer init;
static void open_layer(const char *path) {
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library) { puts(dlerror()); return; }
	init = (pfn_clInitLayer)dlsym(library, "clInitLayer");
}
"""
doors = run_program("doors", LAYER + f"""
int main(int argc, char **argv) {{
	open_layer(argv[1]);
	entry *next = (entry *)&target;
	for (int i = 0; i < {len(model.entries)}; ++i) next[i] = (entry)(uintptr_t)(0x1000 + i);
	next[47] = NULL;
	if (init({len(model.entries) + 7}, &target, &count, &wrapped) != CL_SUCCESS) puts("not taken");
	if (count != {len(model.entries)}) printf("%u entries\\n", count);
	const entry *mine = (const entry *)wrapped;
	static const char passed[] = "{''.join('p' if name in passed else 'w' for name in model.entries)}";
	for (int i = 0; i < (int)count; ++i) {{
		if ((passed[i] == 'p' || !next[i]) != (mine[i] == next[i])) printf("entry %d is %s\\n", i, mine[i] == next[i] ? "not wrapped" : "wrapped");
		for (int j = 0; j < i; ++j) if (mine[i] == mine[j]) printf("entries %d and %d are the same\\n", j, i);
	}}
	const cl_icd_dispatch *unused;
	if (init({len(model.entries)}, wrapped, &count, &unused) == CL_SUCCESS) puts("taken twice");
	if (init({len(model.entries)}, &target, &count, &wrapped) != CL_SUCCESS) puts("not taken by a loader that was opened again");
	return 0;
}}
""", library)
tap.check("as a layer it wraps each entry that the next layer has, passes the others on, and refuses to be loaded twice", doors)
older = run_program("older", LAYER + """
int main(int argc, char **argv) {
	open_layer(argv[1]);
	if (init(100, &target, &count, &wrapped) != CL_SUCCESS || count != 100) printf("%u entries\\n", count);
	return 0;
}
""", library)
tap.check("the shorter table of an older loader is used up to its length", older)

# Arguments and results, of every wrapper, with as many bits as their types have.
SKIPPED = ("clGetExtensionFunctionAddress", "clGetExtensionFunctionAddressForPlatform")  # they read their argument
called = [model.functions[name] for name in model.entries if name not in passed and name not in SKIPPED]


def result_type(function):
    return "void" if function.result == "void" else function.result


body = [LAYER, "static uintptr_t seen[24];", "static int seen_count;"]
for function in called:
    body += [f"static {function.result} fake_{function.name}({function.declared}) {{", "\tseen_count = 0;",
             *[f"\tseen[seen_count++] = (uintptr_t){name};" for name in function.names],
             "}" if function.result == "void" else f"\treturn ({function.result})(intptr_t)0x7a6b5c4d;\n}}"]
body += ["int main(int argc, char **argv) {", "\topen_layer(argv[1]);"]
body += [f"\ttarget.{function.name} = fake_{function.name};" for function in called]
body += [f"\tinit({len(model.entries)}, &target, &count, &wrapped);"]
for function in called:
    values = [(name, parameter.declaration, 0x1122334455667700 + 0x0101010101010100 * index + 1)
              for index, (name, parameter) in enumerate(zip(function.names, function.parameters))]
    types = [f"__typeof__(({{ {declaration}; {name}; }}))" for name, declaration, _ in values]
    arguments = ", ".join(f"({kind})(uintptr_t){value}ull" for kind, (_, _, value) in zip(types, values))
    body += ["\t{", "\t\tseen_count = -1;"]
    call = f"wrapped->{function.name}({arguments})"
    if function.result == "void":
        body.append(f"\t\t{call};")
    else:
        body.append(f"\t\tif ((uintptr_t){call} != (uintptr_t)({function.result})(intptr_t)0x7a6b5c4d) puts(\"{function.name}: result\");")
    body.append(f"\t\tif (seen_count != {len(values)}) puts(\"{function.name}: not called\");")
    body += [f"\t\tif (seen[{index}] != (uintptr_t)({kind})(uintptr_t){value}ull) puts(\"{function.name}: {name}\");"
             for index, (kind, (name, _, value)) in enumerate(zip(types, values))]
    body.append("\t}")
body += ["\treturn 0;", "}"]
tap.check(f"{len(called)} wrappers pass on every argument and the result", run_program("arguments", "\n".join(body), library))

# Preloaded where no library defines OpenCL: a program that looks for a function finds one, which must fail as a driver's would.
MISSING = f"""
int main(void) {{
	static const char *const names[] = {{ {', '.join(f'"{name}"' for name in model.entries if name not in passed)} }};
	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); ++i)
		if (!dlsym(RTLD_DEFAULT, names[i])) printf("%s: not found\\n", names[i]);
	__typeof__(&clFinish) finish = (__typeof__(&clFinish))dlsym(RTLD_DEFAULT, "clFinish");
	__typeof__(&clCreateBuffer) create = (__typeof__(&clCreateBuffer))dlsym(RTLD_DEFAULT, "clCreateBuffer");
	cl_int error = 0;
	if (finish(NULL) != CL_INVALID_OPERATION) puts("clFinish");
	if (create(NULL, 0, 1, NULL, &error) || error != CL_INVALID_OPERATION) puts("clCreateBuffer");
	create(NULL, 0, 1, NULL, NULL);
	return 0;
}}
"""
tap.check("a function that no library defines fails, and the program continues", run_program("missing", MISSING, preload=library))

# What the library shows and needs.
symbols = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True).stdout
exported = {line.split()[-1] for line in symbols.splitlines()}
expected = {name for name in model.entries if name not in passed} | {"clGetLayerInfo", "clInitLayer", "clInitLayerWithProperties", "clDeinitLayer",
                                                                       "lttng_gpu_opencl_give_way"}
tap.check("the library exports only the entry points and the API's symbols", sorted(exported ^ expected))
needed = re.findall(r"NEEDED.*\[(.*)\]", subprocess.run(["readelf", "-d", library], capture_output=True, text=True).stdout)
tap.check("it needs the C library only", [name for name in needed if not re.match(r"lib(c|dl|pthread)\.so|ld-linux", name)])
shutil.rmtree(work)
sys.exit(tap.finish())

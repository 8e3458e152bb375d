#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is generated for the OpenCL layer, against the installed headers as a C compiler sees them:
test_generated.py BUILD. Prints TAP. Wrappers are called with arguments of their own and must hand them on."""
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from generated import Generated, own_modules

own_modules("opencl")
from generate import classify_opencl, read_model  # noqa: E402

build = Path(sys.argv[1]).resolve()
headers = Path("/usr/include/CL")
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


tap = Generated("opencl", build, PREFIX)
run_program, library, work, table = tap.run_program, tap.library, tap.work, tap.table
model = read_model(headers)
treatments = classify_opencl(model, table)
passed = [name for name in model.entries if treatments[name].section == "passed"]

# The table's order is the compiler's.
places = run_program("places", "int main(void) {\nprintf(\"%zu\\n\", sizeof(cl_icd_dispatch) / sizeof(void *));\n" +
                     "".join(f"printf(\"{name} %zu\\n\", offsetof(cl_icd_dispatch, {name}) / sizeof(void *));\n"
                             for name in model.entries) +
                     "return 0;\n}\n")
tap.check_that("every entry of the dispatch table was read", int(places[0]) == len(model.entries) == len(set(model.entries)),
               f"{places[0]} entries, {len(model.entries)} read")
tap.check("the order is that of the table",
          [line for line, name in zip(places[1:], model.entries) if line != f"{name} {model.entries.index(name)}"])
tap.check_numbers("the function enumeration has each entry in table order, then each extension function", model.entries + model.extensions)
tap.check("only entries without a prototype are passed through unchanged",
          [name for name in passed if not re.search("D3D1[01]|DX9", name)] +
          [name for name in model.functions if name in passed])
tap.check("each function with a queue and an event is recorded as a command",
          [name for name, treatment in treatments.items() if treatment.section == "calls" and model.functions[name].has("command_queue")
           and model.functions[name].has("event") and name.startswith("clEnqueue")])

# What nobody classified stops the build.
text = table.read_text()
less = tap.generate(headers, text.replace('clFinish = "finish"\n', ""))
tap.check_refused("an unclassified entry stops the generator, which names it", less, "clFinish")
shutil.copytree(headers, work / "newer")
icd = work / "newer/cl_icd.h"
icd.write_text(icd.read_text().replace("} cl_icd_dispatch;", "  cl_api_clFinish clFromTheFuture;\n} cl_icd_dispatch;"))
newer = tap.generate(work / "newer", table)
tap.check_refused("an entry of newer headers does the same", newer, "clFromTheFuture")

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
tap.check("a function that no library defines fails, and the program continues", run_program("missing", MISSING, LD_PRELOAD=str(library)))

own = {"clGetLayerInfo", "clInitLayer", "clInitLayerWithProperties", "clDeinitLayer", "lttng_gpu_opencl_give_way"}
tap.check_library("the library exports only the entry points and the API's symbols",
                  {name for name in model.entries if name not in passed} | own)
sys.exit(tap.finish())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is generated for the Vulkan layer, against the registry and a made-up next layer: test_generated.py BUILD. Prints
TAP. Every command of vk.xml must be reached through the layer, as are names that no registry has."""
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from generated import Generated, own_modules

own_modules("vulkan")
from generate import classify, counted, numbered, wrapped  # noqa: E402
from read_vulkan import is_of_device, read_model, read_object_types  # noqa: E402

build = Path(sys.argv[1]).resolve()
registry = Path("/usr/share/vulkan/registry/vk.xml")
PREFIX = """
#define VK_ENABLE_BETA_EXTENSIONS
#include <vulkan/vulkan.h>
#include <vulkan/vk_layer.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
"""
tap = Generated("vulkan", build, PREFIX)
table = tap.table

model = read_model(registry)
rows, _ = classify(model, table)
text = registry.read_text()
names = set(re.findall(r"<proto>.*?<name>(vk\w+)</name></proto>", text)) | set(re.findall(r'<command\s+name="(vk\w+)"\s+alias=', text))
tap.check("every command of the registry was read", sorted(names ^ set(model.functions)))
tap.check("no command that is put into a command buffer is wrapped unless it is asked for",
          [name for name in wrapped(rows) if name.startswith("vkCmd")])
tap.check("every draw call and every dispatch of the registry is then",
          sorted(set(counted(rows)) ^ {name for name in names if re.match("vkCmd(Draw|Dispatch)", name)}))
for older, newer in (("vkQueueSubmit2KHR", "vkQueueSubmit2"), ("vkWaitSemaphoresKHR", "vkWaitSemaphores"),
                     ("vkSignalSemaphoreKHR", "vkSignalSemaphore")):
    tap.check_that(f"{older} is treated as {newer}", rows[older] == rows[newer], rows[older])
tap.check_numbers("the function enumeration has each function that is recorded, numbered in order", numbered(rows))


def compiled(name, body, **environment):
    """Without what this session's environment says to the layer."""
    unset = {key: None for key in os.environ if key.startswith("LTTNG_GPU_")}
    return tap.run_program(name, body, tap.library, **(unset | environment))


headers = Path("/usr/include/vulkan/vulkan_core.h").read_text()
typed = [(label, value) for label, value in read_object_types(registry) if f"VK_OBJECT_TYPE_{label} " in headers]
tap.check(f"{len(typed)} types of objects have the headers' numbers", compiled("types", "int main(void) {\n" + "".join(
    f"if (VK_OBJECT_TYPE_{label} != {value}) puts(\"{label}\");\n" for label, value in typed) + "return 0;\n}\n"))

# A next layer that has a function of its own for each name but those of `lacking`, and what the layer calls itself.
LACKING = "vkQueueSubmit2KHR"
FAKE = """
static struct { void *loader_data; } fake_instance = {&fake_instance}, fake_device = {&fake_device}, fake_physical = {&fake_instance};
static const char *const names[] = { %s };
enum { COUNT = sizeof(names) / sizeof(*names) };
static char functions[COUNT + 1];
static int destroyed;
static VkResult create_instance(const VkInstanceCreateInfo *i, const VkAllocationCallbacks *a, VkInstance *out) { *out = (VkInstance)&fake_instance; return VK_SUCCESS; }
static VkResult create_device(VkPhysicalDevice p, const VkDeviceCreateInfo *i, const VkAllocationCallbacks *a, VkDevice *out) { *out = (VkDevice)&fake_device; return VK_SUCCESS; }
static void destroy(void *object, const VkAllocationCallbacks *a) { ++destroyed; }
static void properties(VkPhysicalDevice p, VkPhysicalDeviceProperties *out) { memset(out, 0, sizeof(*out)); }
static PFN_vkVoidFunction next_address(void *object, const char *name)
{
	if (!strcmp(name, "%s")) return NULL;
	if (!strcmp(name, "vkCreateInstance")) return (PFN_vkVoidFunction)create_instance;
	if (!strcmp(name, "vkCreateDevice")) return (PFN_vkVoidFunction)create_device;
	if (!strcmp(name, "vkDestroyInstance") || !strcmp(name, "vkDestroyDevice")) return (PFN_vkVoidFunction)destroy;
	if (!strcmp(name, "vkGetPhysicalDeviceProperties")) return (PFN_vkVoidFunction)properties;
	for (int i = 0; i < COUNT; ++i)
		if (!strcmp(name, names[i])) return (PFN_vkVoidFunction)&functions[i];
	return !strcmp(name, "vkFromTheFuture") ? (PFN_vkVoidFunction)&functions[COUNT] : NULL;
}
static VkNegotiateLayerInterface doors = {LAYER_NEGOTIATE_INTERFACE_STRUCT, NULL, 2};
static VkInstance instance;
static VkDevice device;
static int open_layer(const char *path)
{
	VkResult (*negotiate)(VkNegotiateLayerInterface *) = (void *)dlsym(dlopen(path, RTLD_NOW | RTLD_LOCAL), "vkNegotiateLoaderLayerInterfaceVersion");
	VkNegotiateLayerInterface older = {LAYER_NEGOTIATE_INTERFACE_STRUCT, NULL, 1};
	if (negotiate(&older) == VK_SUCCESS) puts("an older interface is taken");
	if (negotiate(&doors) != VK_SUCCESS || doors.loaderLayerInterfaceVersion != 2) puts("not negotiated");
	VkLayerInstanceLink link = {NULL, (PFN_vkGetInstanceProcAddr)next_address};
	VkLayerInstanceCreateInfo chain = {VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO, NULL, VK_LAYER_LINK_INFO, {&link}};
	VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, &chain};
	if (((PFN_vkCreateInstance)doors.pfnGetInstanceProcAddr(NULL, "vkCreateInstance"))(&info, NULL, &instance)) puts("no instance");
	if (chain.u.pLayerInfo) puts("the chain is not advanced");
	VkLayerDeviceLink device_link = {NULL, (PFN_vkGetInstanceProcAddr)next_address, (PFN_vkGetDeviceProcAddr)next_address};
	VkLayerDeviceCreateInfo device_chain = {VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO, NULL, VK_LAYER_LINK_INFO, {&device_link}};
	VkDeviceCreateInfo device_info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &device_chain};
	if (((PFN_vkCreateDevice)doors.pfnGetInstanceProcAddr(instance, "vkCreateDevice"))((VkPhysicalDevice)&fake_physical, &device_info, NULL, &device)) puts("no device");
	return 0;
}
""" % (", ".join(f'"{name}"' for name in model.functions), LACKING)

own = sorted(set(wrapped(rows)) | {name for name, row in rows.items() if row[0] == "doors"})
of_device = "".join("d" if is_of_device(function) or name == "vkGetDeviceProcAddr" else "i" for name, function in model.functions.items())
for asked in ("", "0", "1"):
    through = sorted({*own, *(counted(rows) if asked == "1" else ())})
    kinds = "".join("w" if name in through else "p" for name in model.functions)
    tap.check(f"LTTNG_GPU_VULKAN_DRAWS={asked}: {len(model.functions)} commands are reached by name, {len(through)} of them through the "
              f"layer, and the others are "
              "the next layer's", compiled("names", FAKE + f"""
int main(int argc, char **argv) {{
	static const char kinds[] = "{kinds}", of_device[] = "{of_device}";
	open_layer(argv[1]);
	for (int i = 0; i < COUNT; ++i) {{
		PFN_vkVoidFunction by_instance = doors.pfnGetInstanceProcAddr(instance, names[i]), by_device = doors.pfnGetDeviceProcAddr(device, names[i]);
		PFN_vkVoidFunction next = next_address(NULL, names[i]);
		if (!next) {{ if (by_instance || by_device) printf("%s: the next layer has it not\\n", names[i]); continue; }}
		if (!by_instance || (of_device[i] == 'd' && !by_device)) printf("%s: not reached\\n", names[i]);
		if ((kinds[i] == 'w') != (by_instance != next)) printf("%s: by instance %s\\n", names[i], by_instance == next ? "not wrapped" : "wrapped");
		if (of_device[i] == 'd' && by_device != by_instance) printf("%s: by device another one\\n", names[i]);
	}}
	return 0;
}}
""", LTTNG_GPU_VULKAN_DRAWS=asked))
tap.check("names that no registry has are the next layer's, and what it has not is not there", compiled("unknown", FAKE + """
int main(int argc, char **argv) {
	open_layer(argv[1]);
	if (doors.pfnGetInstanceProcAddr(instance, "vkFromTheFuture") != (PFN_vkVoidFunction)&functions[COUNT]) puts("by instance");
	if (doors.pfnGetDeviceProcAddr(device, "vkFromTheFuture") != (PFN_vkVoidFunction)&functions[COUNT]) puts("by device");
	if (doors.pfnGetInstanceProcAddr(instance, "vkNowhere") || doors.pfnGetDeviceProcAddr(device, "vkNowhere")) puts("nowhere");
	if (doors.pfnGetInstanceProcAddr(NULL, "vkQueueSubmit")) puts("without an instance");
	((PFN_vkDestroyDevice)doors.pfnGetDeviceProcAddr(device, "vkDestroyDevice"))(device, NULL);
	((PFN_vkDestroyInstance)doors.pfnGetInstanceProcAddr(instance, "vkDestroyInstance"))(instance, NULL);
	if (destroyed != 2) puts("not destroyed");
	if (doors.pfnGetDeviceProcAddr(device, "vkQueueSubmit")) puts("after its end");
	return 0;
}
"""))

# Arguments and results, of every wrapper, with as many bits as their types have.
called = [model.functions[name] for name in [*wrapped(rows), *counted(rows)] if not rows[name][1] or rows[name][0] != "hooks"
          or not rows[name][1].startswith("get_queue")]
called = [function for function in called if function.name != LACKING]
# vkGetDeviceQueue* are left out: the layer reads what they store.
body = [FAKE, "static uintptr_t seen[24];", "static int seen_count;"]
for function in called:
    body += [f"static {function.result} fake_{function.name}({function.declared}) {{", "\tseen_count = 0;",
             *[f"\tseen[seen_count++] = (uintptr_t){name};" for name in function.names],
             "}" if function.result == "void" else f"\treturn ({function.result})0x7a6b5c4d;\n}}"]
body += ["static PFN_vkVoidFunction fake_address(void *object, const char *name) {",
         *[f"\tif (!strcmp(name, \"{function.name}\")) return (PFN_vkVoidFunction)fake_{function.name};" for function in called],
         "\treturn next_address(object, name);", "}", "#define next_address fake_address"]
body[0] = FAKE.replace("static VkNegotiateLayerInterface doors",
                       "static PFN_vkVoidFunction fake_address(void *object, const char *name);\nstatic VkNegotiateLayerInterface "
                       "doors").replace(
    "(PFN_vkGetDeviceProcAddr)next_address", "(PFN_vkGetDeviceProcAddr)fake_address")
body += ["#undef next_address", "int main(int argc, char **argv) {", "\topen_layer(argv[1]);"]
for function in called:
    first = "(uintptr_t)&fake_device"
    values = [first] + [f"{0x1122334455667700 + 0x0101010101010100 * index + 1}ull" for index in range(1, len(function.names))]
    types = [f"__typeof__(({{ {parameter.declaration}; {name}; }}))" for name, parameter in zip(function.names, function.parameters)]
    arguments = ", ".join(f"({kind})(uintptr_t){value}" for kind, value in zip(types, values))
    call = f"((PFN_{function.name})doors.pfnGetDeviceProcAddr(device, \"{function.name}\"))({arguments})"
    body += ["\t{", "\t\tseen_count = -1;"]
    body.append(f"\t\t{call};" if function.result == "void" else
                f"\t\tif ({call} != ({function.result})0x7a6b5c4d) puts(\"{function.name}: result\");")
    body.append(f"\t\tif (seen_count != {len(values)}) puts(\"{function.name}: not called\");")
    body += [f"\t\tif (seen[{index}] != (uintptr_t)({kind})(uintptr_t){value}) puts(\"{function.name}: {name}\");"
             for index, (kind, name, value) in enumerate(zip(types, function.names, values))]
    body.append("\t}")
body += ["\treturn 0;", "}"]
tap.check(f"{len(called)} wrappers pass on every argument and the result",
          compiled("arguments", "\n".join(body), LTTNG_GPU_VULKAN_DRAWS="1"))


unknown = tap.generate(registry, table.read_text().replace("vkQueueBindSparse", "vkQueueBindSparce"))
tap.check_refused("a name that the registry has not stops the generator, which names it", unknown, "vkQueueBindSparce")
stranger = tap.generate(registry,
                        table.read_text().replace("vkResetFences vkGetFenceStatus",
                                                  "vkResetFences vkGetFenceStatus vkEnumeratePhysicalDevices"))
tap.check_refused("so does a function that has no device", stranger, "vkEnumeratePhysicalDevices")
tap.check_library("the library exports only its door", ["vkNegotiateLoaderLayerInterfaceVersion"])
sys.exit(tap.finish())

# SPDX-License-Identifier: MIT
"""Reads Vulkan's registry, vk.xml, into a model: every command with its parameters, and whether its dispatch table is
an instance's or a device's."""
import xml.etree.ElementTree as ElementTree

from api_model import Function, Model, Parameter

# A command of one of these is found through the device's table, all others through the instance's.
DEVICE_HANDLES = ("VkDevice", "VkQueue", "VkCommandBuffer")


def is_vulkan(element):
    """Later registries describe Vulkan SC, too."""
    return "vulkan" in element.get("api", "vulkan").split(",")


def text_of(element):
    """As C has it: the registry marks types and names inside of the text."""
    return " ".join("".join(part for part in without_comments(element)).split())


def without_comments(element):
    yield element.text or ""
    for child in element:
        if child.tag != "comment":
            yield "".join(child.itertext())
        yield child.tail or ""


def read_parameter(element):
    return Parameter(element.find("name").text, text_of(element))


def read_command(element):
    proto = element.find("proto")
    name = proto.find("name").text
    parameters = tuple(read_parameter(parameter) for parameter in element.findall("param") if is_vulkan(parameter))
    return Function(name, text_of(proto).rsplit(name, 1)[0].strip(), parameters)


def read_model(path):
    model = Model()
    aliases = []
    for commands in ElementTree.parse(path).getroot().iter("commands"):
        for element in commands.findall("command"):
            if not is_vulkan(element):
                continue
            if element.get("alias"):
                aliases.append((element.get("name"), element.get("alias")))
                continue
            function = read_command(element)
            model.functions[function.name] = function
    for name, other in aliases:
        known = model.functions[other]
        model.functions[name] = Function(name, known.result, known.parameters)
    model.entries = list(model.functions)
    return model


def is_of_device(function):
    """By the type of its first parameter, as the specification has it."""
    first = function.parameters[0].declaration.split() if function.parameters else [""]
    return first[0] in DEVICE_HANDLES and "*" not in function.parameters[0].declaration


def read_object_types(path):
    """[(label, value)] of VkObjectType, the extensions' own by the registry's rule for their values."""
    root = ElementTree.parse(path).getroot()
    values = {}
    for enums in root.iter("enums"):
        if enums.get("name") == "VkObjectType":
            values |= {element.get("name"): int(element.get("value")) for element in enums.findall("enum") if element.get("value")}
    for owner in [*root.iter("extension"), *root.iter("feature")]:
        for element in owner.iter("enum"):
            if element.get("extends") == "VkObjectType" and element.get("offset"):
                number = int(element.get("extnumber") or owner.get("number"))
                values.setdefault(element.get("name"), 1000000000 + (number - 1) * 1000 + int(element.get("offset")))
    return [(name.removeprefix("VK_OBJECT_TYPE_"), value) for name, value in values.items()]

# SPDX-License-Identifier: MIT
"""Reads commands from Khronos's registries in XML (gl.xml, egl.xml, glx.xml) into a model."""
import re
from xml.etree import ElementTree

from api_model import Function, Model, Parameter


def text_of(element):
    return " ".join("".join(element.itertext()).split())


def read_parameter(element):
    name = element.find("name").text
    return Parameter(name, re.sub(r"\*(?=\w)", "* ", text_of(element)))


def read_command(element):
    proto = element.find("proto")
    name = proto.find("name").text
    result = text_of(proto).removesuffix(name).strip()
    return Function(name, result, tuple(map(read_parameter, element.findall("param"))))


def read_model(paths):
    model = Model()
    for path in paths:
        for element in ElementTree.parse(path).getroot().iterfind("commands/command"):
            function = read_command(element)
            model.functions.setdefault(function.name, function)
    return model

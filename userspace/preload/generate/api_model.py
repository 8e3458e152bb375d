# SPDX-License-Identifier: MIT
"""What the generators know about an API: its functions with their parameters, and how its layer's code differs from others'."""
from dataclasses import dataclass, field
from typing import Callable


@dataclass(frozen=True)
class Parameter:
    name: str
    declaration: str  # with the name, as C wants it


@dataclass(frozen=True)
class Function:
    name: str
    result: str
    parameters: tuple

    @property
    def declared(self):
        return ", ".join(parameter.declaration for parameter in self.parameters)

    @property
    def names(self):
        return [parameter.name for parameter in self.parameters]

    def has(self, name):
        return name in self.names


@dataclass
class Model:
    """What a registry says; made by the reader of that registry."""
    functions: dict = field(default_factory=dict)  # name -> Function
    entries: list = field(default_factory=list)  # names in the dispatch table's order
    constants: dict = field(default_factory=dict)  # name -> value, of the enumerations that events name
    extensions: list = field(default_factory=list)  # functions that only an extension's address gives


@dataclass(frozen=True)
class Api:
    """What the emitters must be told of one API."""
    name: str  # of its folder, its C++ namespace, its provider (lttng_gpu_NAME) and its files
    source: str  # what the code is generated from, for the head of each file
    headers: str  # the file that includes the API's own headers
    calling: str  # the calling convention's macro
    wrapper_headers: tuple  # files that wrappers need
    doors: tuple  # names that the library exports besides the API's own
    enumerations: Callable  # model -> [(name, [(label, number as text)])] besides FUNCTIONS
    watches: Callable  # treatment -> the condition under which there is more to do than to jump
    prologue: Callable  # function -> first lines of what is done then
    body: Callable  # function, treatment -> the rest of it
    works_in_section: Callable  # treatment -> whether a signal handler's call in the middle of the layer's work is not just passed on
    missing: Callable  # function -> what stands for it where no library has it

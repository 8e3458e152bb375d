# SPDX-License-Identifier: MIT
"""What the generators know about an API: functions with their parameters, and the dispatch table's order."""
from dataclasses import dataclass, field


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
    functions: dict = field(default_factory=dict)  # name -> Function, of every header
    entries: list = field(default_factory=list)  # names in the dispatch table's order
    constants: dict = field(default_factory=dict)  # name -> value, of the enumerations that events name
    extensions: list = field(default_factory=list)  # functions that only an extension's address gives

# SPDX-License-Identifier: Apache-2.0
"""Launch arguments: what they are called, what they may be, and what their texts mean."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from legacy_robots_common.launching import LaunchError
from legacy_robots_common.node.parameters import ParameterError, checked, constraint, default_of

__all__ = ["Argument", "node_arguments", "overruling", "simulator_arguments", "switch"]

_LEAST_LIKENESS = 0.5
"""Of two names, from 0 to 1, at which one is proposed for the other."""
LOG_LEVELS = ("debug", "info", "warn", "error", "fatal")
_SWITCH = {"true": True, "1": True, "false": False, "0": False}
_KINDS = {bool: "true or false", int: "a whole number", float: "a number"}


@dataclass(frozen=True)
class Argument:
    """An argument of a launch file, which is given by a text.

    Parameters
    ----------
    default
        Its text where it is not given; None: it has no value then.
    kind
        bool, int, float, str, or list for texts separated by commas.
    choices
        What its value, or each of a list, may be; empty: anything.
    field
        The parameter whose range is its own.
    overrules
        The class of the parameters of which it overrules the one of its name where it is given.

    """

    name: str
    description: str
    default: str | None = None
    kind: type = str
    choices: tuple[str, ...] = ()
    field: dataclasses.Field[Any] | None = None
    overrules: type | None = None

    @property
    def help(self) -> str:
        """The description, with what may be given and what holds otherwise."""
        allowed = " or ".join(self.choices) or ("true or false" if self.kind is bool else "")
        if self.field is not None:
            allowed = allowed or constraint(self.field)
        ending = "" if self.default is not None else ". Not given: as params_file says"
        return f"{self.description}{f' ({allowed})' if allowed else ''}{ending}"

    def read(self, text: str) -> Any:
        """Return the value that ``text`` stands for, None where it is not given.

        An empty text is a value only of an argument that may be any text. Raises LaunchError.
        """
        if not text and (self.kind is not str or self.choices):
            return None
        value = self._converted(text)
        for item in value if self.kind is list else [value]:
            if self.choices and item not in self.choices:
                raise self._wrong(f"one of {', '.join(map(repr, self.choices))}", item)
        if self.field is not None:
            try:
                value = checked(self.field, value)
            except ParameterError as error:
                raise self._wrong(constraint(self.field), text) from error
        return value

    def _converted(self, text: str) -> Any:
        if self.kind is list:
            items = [item.strip() for item in text.split(",")]
            if not all(items):
                raise self._wrong("a list separated by commas", text)
            return items
        if self.kind is bool:
            # The same texts as the conditions of launch.
            if text.strip().lower() not in _SWITCH:
                raise self._wrong(_KINDS[bool], text)
            return _SWITCH[text.strip().lower()]
        try:
            return self.kind(text)
        except ValueError as error:
            raise self._wrong(_KINDS[self.kind], text) from error

    def _wrong(self, wanted: str, text: str) -> LaunchError:
        return LaunchError(f"launch argument '{self.name}' must be {wanted}, not {text!r}")


def check_command_line(file: str, names: Sequence[str], words: Sequence[str]) -> None:
    """Check the launch arguments of a command line, which launch itself takes whatever they are.

    ``words`` are those of the command line. Only what follows the name of the launch file ``file``
    is checked: a file that includes it has arguments of its own. Raises LaunchError.
    """
    after = [n for n, word in enumerate(words, 1) if PurePath(word).name == file]
    for word in words[after[-1] :] if after else ():
        name, separator, _ = word.partition(":=")
        if separator and name not in names:
            near = difflib.get_close_matches(name, names, 1, _LEAST_LIKENESS)
            hint = f"; did you mean '{near[0]}'?" if near else f", only {', '.join(names)}"
            raise LaunchError(f"{file} has no launch argument '{name}'{hint}")


def switch(name: str, description: str, *, default: bool = False) -> Argument:
    """Return an argument that is true or false."""
    return Argument(name, description, "true" if default else "false", bool)


def overruling(parameters_class: type, *names: str) -> Iterable[Argument]:
    """Yield arguments that overrule the parameters of these names where they are given."""
    for name in names:
        argument = like_parameter(name, parameters_class, name)
        yield dataclasses.replace(argument, overrules=parameters_class)


def like_parameter(
    name: str, parameters_class: type, parameter: str, description: str = "", default: str = ""
) -> Argument:
    """Return an argument that may be what a parameter may be; it overrules nothing by itself."""
    (field,) = (f for f in dataclasses.fields(parameters_class) if f.name == parameter)
    return Argument(
        name,
        description or field.metadata["description"],
        default or None,
        kind=type(default_of(field)),
        choices=field.metadata["choices"],
        field=field,
    )


def supervision() -> Iterable[Argument]:
    """Yield the arguments about logs and programs that die."""
    yield Argument("log_level", "Level of the nodes' logs", "info", choices=LOG_LEVELS)
    yield switch(
        "respawn",
        "Start nodes and simulators again when they die, and end bridges that hear nothing",
    )


def node_arguments(params_file: str) -> Iterable[Argument]:
    """Yield the arguments of every launch file of nodes.

    ``params_file`` is the path of the parameters file that is read by default.
    """
    yield Argument("params_file", "YAML file with the nodes' parameters", params_file)
    yield from supervision()


OF_EVERY_SYSTEM = (
    *("namespace", "frame_prefix", "simulate", "rviz", "rqt"),
    *("params_file", "log_level", "respawn"),
)


def passed_on(
    prefix: str, arguments: Iterable[Argument], defaults: Mapping[str, str]
) -> Iterable[Argument]:
    """Yield those that only one system has, for a launch file that includes several.

    ``prefix`` stands before their names there. ``defaults`` are those of that launch file.
    """
    for argument in arguments:
        if argument.name not in OF_EVERY_SYSTEM:
            yield dataclasses.replace(
                argument,
                name=f"{prefix}{argument.name}",
                default=defaults.get(argument.name, argument.default),
                overrules=None,
            )


def simulator_arguments(faults: tuple[str, ...]) -> Iterable[Argument]:
    """Yield the arguments of a system with a simulator that has these ``faults``."""
    yield Argument(
        "fault",
        "Fault of the simulator, which happens once and at each SIGUSR1 to it; of several, "
        "separated by commas, the next one happens at each SIGUSR1",
        "",
        kind=list,
        choices=faults,
    )
    yield switch(
        "simulation_interfaces",
        "Pause, step and change the simulator by the services of simulation_interfaces",
    )

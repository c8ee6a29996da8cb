# SPDX-License-Identifier: Apache-2.0
"""What a launch file works with when it is launched: its arguments, and what they start."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from launch import Action
from legacy_robots_common.launching import LaunchError
from legacy_robots_common.launching.actions import Program, RosNode, installed, written_file
from legacy_robots_common.launching.arguments import Argument
from legacy_robots_common.launching.parameter_files import ParametersFile, Values
from legacy_robots_common.launching.perspectives import adapted_perspective
from legacy_robots_common.launching.views import adapted_view
from legacy_robots_common.node.parameters import ParameterError, checked

__all__ = ["LaunchRun"]


class LaunchFile(Protocol):
    """The module of a launch file that others can include."""

    __name__: str
    ARGUMENTS: tuple[Argument, ...]

    def start(self, launch: LaunchRun) -> Iterable[Action]:
        """Return all that is started. Raises LaunchError."""


class LaunchRun:
    """The values of a launch file's arguments, and what is made with them.

    Parameters
    ----------
    arguments
        Those of the launch file; none has to be among them.
    given
        The texts of those that are given. Raises LaunchError for one that cannot be.
    base_namespace
        A relative namespace is one below it.
    stepped
        Whether nodes of ours and simulators follow a /clock that stands until it is stepped.

    """

    def __init__(
        self,
        arguments: Iterable[Argument],
        given: Mapping[str, str],
        base_namespace: str = "/",
        *,
        stepped: bool = False,
    ) -> None:
        self._arguments = {argument.name: argument for argument in arguments}
        self._texts = dict(given)
        read = {name: self._arguments[name].read(text) for name, text in given.items()}
        self._given = {name: value for name, value in read.items() if value is not None}
        self._base_namespace = base_namespace
        self._stepped = stepped

    def __getitem__(self, name: str) -> Any:
        """Return the value of an argument: the one given, else its default, else None."""
        if name in self._given:
            return self._given[name]
        argument = self._arguments[name]
        return None if argument.default is None else argument.read(argument.default)

    def get(self, name: str) -> Any:
        """Return the value of an argument; None where the launch file has no such argument."""
        return self[name] if name in self._arguments else None

    @property
    def namespace(self) -> str:
        """The absolute namespace."""
        return self.absolute(self.get("namespace") or "")

    def absolute(self, namespace: str) -> str:
        """Return ``namespace``, which may be relative, as an absolute one."""
        if namespace.startswith("/"):
            return namespace
        return f"{self._base_namespace.rstrip('/')}/{namespace}".rstrip("/") or "/"

    def node(
        self,
        *,
        package: str,
        executable: str,
        parameters_class: type | None = None,
        name: str = "",
        namespace: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        defaults: Mapping[str, Any] | None = None,
        **others: Any,
    ) -> RosNode:
        """Return a ``launch_ros.actions.Node``, which ``others`` are arguments of.

        Each of its parameters is the first there is of: ``parameters``, the launch argument that
        overrules it in ``parameters_class``, the parameters file, ``defaults``, the node's own
        default; None is none. With ``parameters_class`` they are checked, and its attribute
        ``values`` has them. Its namespace is absolute, by default that of the launch. The argument
        ``reason`` says what asks for it, such as "rosbridge:=true". Raises LaunchError.
        """
        namespace = self.namespace if namespace is None else namespace
        overruled = {
            argument.name: self[argument.name]
            for argument in self._arguments.values()
            if argument.overrules and argument.overrules is parameters_class
        }
        full_name = f"{namespace.rstrip('/')}/{name or executable}"
        found = {
            **_without_none(defaults),
            **(self._file.values_of(full_name) if self._file else {}),
            **_without_none(overruled),
            **_without_none(parameters),
        }
        return RosNode(
            package,
            executable,
            namespace=namespace,
            name=name,
            parameters=found,
            values=self._typed(parameters_class, found) if parameters_class else None,
            stepped=self._stepped,
            **self._supervision,
            **others,
        )

    def program(
        self, *, package: str, executable: str, arguments: Iterable[Any], name: str = ""
    ) -> Program:
        """Return a program that is no node; ``name`` is what launch calls it in its output."""
        respawn = bool(self.get("respawn"))
        return Program(package, executable, arguments, name=name, respawn=respawn)

    def simulator_options(self, namespace: str | None = None) -> list[str]:
        """Return the options of a simulator that simulator_arguments() stand for."""
        fault = self.get("fault")
        options = ["--fault", ",".join(fault)] if fault else []
        if self.get("simulation_interfaces"):
            options += ["--control", self.control_channel(namespace)]
            options += ["--paused"] if self._stepped else []
        return options

    def control_channel(self, namespace: str | None = None) -> str:
        """Return the name of the control channel of the simulator in a namespace.

        It is of this launch alone: another one may start the same system.
        """
        return f"{os.getpid()}{self.namespace if namespace is None else namespace}"

    def rviz(
        self,
        view: str,
        *,
        namespace: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        frame_prefix: str = "",
        frames: Mapping[str, str] | None = None,
        without: Iterable[str] = (),
    ) -> RosNode:
        """Return rviz2 with ``view``, a file, for other frames. Raises LaunchError.

        They get ``frame_prefix``, but for those that are called differently: ``frames`` has their
        complete names. Displays called as in ``without`` are left out.
        """
        if frame_prefix and not frame_prefix.endswith("/"):
            raise LaunchError(
                f"rviz:=true needs a frame_prefix that ends with '/', not {frame_prefix!r}"
            )
        frames, without = frames or {}, tuple(without)
        if frame_prefix or without or any(own != name for own, name in frames.items()):
            text = adapted_view(view, frame_prefix=frame_prefix, frames=frames, without=without)
            view = written_file(Path(view).name, text)
        return RosNode(
            "rviz2",
            "rviz2",
            namespace=self.namespace if namespace is None else namespace,
            parameters=dict(parameters or {}),
            arguments=["-d", view],
            reason="rviz:=true",
        )

    def rqt(
        self, perspective: str, *, namespace: str | None = None, is_stamped: bool = False
    ) -> Program:
        """Return rqt with a perspective, a file that is called like the namespace in it.

        Its topics and services get ``namespace``; plugins that are not installed are left out;
        the steering panel sends TwistStamped if ``is_stamped``.
        """
        path = Path(perspective)
        namespace = self.namespace if namespace is None else namespace
        text = adapted_perspective(
            path,
            namespaces=(f"/{path.stem}", namespace),
            is_installed=lambda package: installed(package) is not None,
            is_stamped=is_stamped,
        )
        return Program(
            "rqt_gui",
            "rqt_gui",
            ["--perspective-file", written_file(path.name, text)],
            name="rqt",
            reason="rqt:=true",
            # Plugins restore only what they find when the window opens.
            after=f"{namespace.rstrip('/')}/link_state",
        )

    def check_file(self, parameter: str, path: str) -> None:
        """Raise LaunchError where the file or directory that a parameter names is not there."""
        if path and not Path(path).expanduser().exists():
            raise LaunchError(f"parameter '{parameter}': there is no {path!r}")

    def include(
        self,
        file: LaunchFile,
        given: Mapping[str, str],
        *,
        if_declared: Mapping[str, str] | None = None,
        prefix: str = "",
        stepped: bool = False,
    ) -> list[Action]:
        """Return what another launch file starts, with arguments of its own. Raises LaunchError.

        Each of its arguments is the first there is of: the one that is given here with ``prefix``
        before its name (without a prefix: none), that of ``given``, that of ``if_declared``, and
        ``log_level`` and ``respawn`` here. Of the last two kinds it gets those that it has.
        """
        declared = [argument.name for argument in file.ARGUMENTS]
        common = {name: str(self.get(name) or "") for name in ("log_level", "respawn")}
        common |= if_declared or {}
        own = [name for name in self._texts if prefix and name.startswith(prefix)]
        texts = {
            **{name: text for name, text in common.items() if name in declared},
            **given,
            **{name.removeprefix(prefix): self._texts[name] for name in own},
        }
        if unknown := sorted(texts.keys() - set(declared)):
            known = ", ".join(declared)
            raise LaunchError(
                f"{file.__name__} has no launch argument {unknown[0]!r}, only {known}"
            )
        run = LaunchRun(file.ARGUMENTS, texts, self._base_namespace, stepped=stepped)
        return list(file.start(run))

    def composed(self, actions: Iterable[Action]) -> list[Action]:
        """Return ``actions`` with all nodes that can be part of a fleet in one process."""
        actions = list(actions)
        members = [a for a in actions if isinstance(a, RosNode) and a.fleet_entry]
        if not members:
            return actions
        fleet = RosNode(
            "legacy_robots_common",
            "fleet",
            parameters={"nodes": [member.fleet_entry for member in members]},
            members=members,
            **self._supervision,
        )
        return [fleet, *(action for action in actions if action not in members)]

    @property
    def _supervision(self) -> dict[str, Any]:
        level = self.get("log_level")
        return {
            "ros_arguments": ["--log-level", level] if level else [],
            "respawn": bool(self.get("respawn")),
        }

    @cached_property
    def _file(self) -> ParametersFile | None:
        path = self.get("params_file")
        return ParametersFile(path) if path else None

    def _typed(self, parameters_class: type, found: Values) -> Any:
        """Return the parameters as the node will read them. Raises LaunchError."""
        fields = [f for f in dataclasses.fields(parameters_class) if f.name in found]
        try:
            return parameters_class(**{f.name: checked(f, found[f.name]) for f in fields})
        except ParameterError as error:
            raise LaunchError(f"params_file {self.get('params_file')!r}: {error}") from error


def _without_none(values: Mapping[str, Any] | None) -> Values:
    return {name: value for name, value in (values or {}).items() if value is not None}

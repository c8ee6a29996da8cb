# SPDX-License-Identifier: Apache-2.0
"""How one system is launched: declared once, for its launch file, demonstrations and fleets.

Example::

    LAUNCH = SystemLaunch(
        "nao",
        "nao_goal_bridge",
        (
            *common_arguments("nao", Parameters, ...),
            *overruling(Parameters, "host", "port"),
        ),
        _parts,
    )

    def _parts(settings: Settings) -> Iterator[Part]:
        bridge = settings.node("bridge", Parameters)
        yield bridge
        yield from settings.simulator("--port", str(bridge.values.port))
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from ament_index_python.packages import (
    PackageNotFoundError,
    get_package_prefix,
    get_package_share_directory,
)

from legacy_robots_common.launching.arguments import Argument
from legacy_robots_common.launching.errors import LaunchError
from legacy_robots_common.launching.parameter_files import (
    ParametersFile,
    Values,
    node_of,
    value_of,
)
from legacy_robots_common.launching.parts import NodePart, Part, TypedNodePart, WrittenFile
from legacy_robots_common.launching.perspectives import adapted_perspective
from legacy_robots_common.launching.views import adapted_view
from legacy_robots_common.parameters import ParameterError, checked

T = TypeVar("T")


def shared_file(*parts: str, package: str = "legacy_robots_bringup") -> str:
    """Return the path of an installed file of a package, such as config, nao.yaml."""
    return str(Path(get_package_share_directory(package), *parts))


@dataclass(frozen=True)
class SystemLaunch:
    """What a launch file starts, and the arguments that decide it.

    Parameters
    ----------
    name
        Name of the system.
    package
        The package of its nodes and its simulator.
    arguments
        Its launch arguments.
    parts
        Returns what is started.
    system
        The system in the registry whose nodes these are; empty for none.

    """

    name: str
    package: str
    arguments: tuple[Argument, ...]
    parts: Callable[[Settings], Iterable[Part]]
    system: str = ""


class Settings:
    """The values of the launch arguments, and what is made with them.

    An argument overrules the parameters file where it is given, and only there.
    """

    def __init__(
        self, launch: SystemLaunch, given: Mapping[str, str], base_namespace: str = "/"
    ) -> None:
        """Check the texts of the arguments that are ``given``. Raises LaunchError.

        A relative namespace is one below ``base_namespace``.
        """
        self._launch = launch
        self._base_namespace = base_namespace
        self._arguments = {argument.name: argument for argument in launch.arguments}
        unknown = sorted(given.keys() - self._arguments.keys())
        if unknown:
            known = ", ".join(self._arguments)
            raise LaunchError(f"{launch.name} has no launch argument {unknown[0]!r}, only {known}")
        self._texts = dict(given)
        read = {name: self._arguments[name].read(text) for name, text in given.items()}
        self._given = {name: value for name, value in read.items() if value is not None}
        self.asked: set[str] = set()
        """The arguments whose values were asked for."""

    def __getitem__(self, name: str) -> Any:
        """Return the value of an argument: the one given, else its default."""
        self.asked.add(name)
        if name in self._given:
            return self._given[name]
        argument = self._arguments[name]
        return None if argument.default is None else argument.read(argument.default)

    def of(self, launch: SystemLaunch, given: Mapping[str, str], prefix: str = "") -> Settings:
        """Return the settings of another launch that is part of this one.

        Its arguments are those that are given here with ``prefix`` before their names (without
        one: none), else ``given``, and how logs and dead programs are treated here. Raises
        LaunchError.
        """
        names = [name for name in self._arguments if prefix and name.startswith(prefix)]
        self.asked.update(names)
        passed_on = {name: self._texts[name] for name in names if name in self._texts}
        return Settings(
            launch,
            {
                "log_level": self["log_level"],
                "respawn": str(self["respawn"]),
                **given,
                **{name.removeprefix(prefix): text for name, text in passed_on.items()},
            },
            self._base_namespace,
        )

    def parts(self) -> list[Part]:
        """Return all that is started. Raises LaunchError."""
        return list(self._launch.parts(self))

    @property
    def namespace(self) -> str:
        """The absolute namespace."""
        return self.absolute(self["namespace"])

    def absolute(self, namespace: str) -> str:
        """Return ``namespace``, which may be relative, as an absolute one."""
        if namespace.startswith("/"):
            return namespace
        return f"{self._base_namespace.rstrip('/')}/{namespace}".rstrip("/") or "/"

    @cached_property
    def _file(self) -> ParametersFile:
        return ParametersFile(self["params_file"])

    def node(
        self,
        executable: str,
        parameters: type[T],
        *,
        name: str = "",
        namespace: str | None = None,
        defaults: Mapping[str, Any] | None = None,
        overrides: Mapping[str, Any] | None = None,
    ) -> TypedNodePart[T]:
        """Return a node of the system's package with its parameters.

        Each parameter is the first there is of: ``overrides``, the argument that overrules it,
        the parameters file, ``defaults``, the node's own default; None is none. Raises
        LaunchError.
        """
        overruled = {
            argument.name: self[argument.name]
            for argument in self._arguments.values()
            if argument.overrules is parameters
        }
        node = self.companion(
            executable,
            name=name,
            namespace=namespace,
            defaults=defaults,
            overrides={**overruled, **(overrides or {})},
        )
        return TypedNodePart(**vars(node), values=self._typed(parameters, node.parameters))

    def companion(
        self,
        executable: str,
        *,
        name: str = "",
        namespace: str | None = None,
        defaults: Mapping[str, Any] | None = None,
        overrides: Mapping[str, Any] | None = None,
    ) -> NodePart:
        """Return a node of which no parameter has to be known here; see :meth:`node`."""
        namespace = self.namespace if namespace is None else namespace
        node = NodePart(
            self._launch.package,
            executable,
            namespace=namespace,
            name=name,
            system=self._launch.system,
        )
        return dataclasses.replace(
            node,
            parameters={
                **_nodes(defaults),
                **self._file.values_of(node.full_name),
                **_nodes(overrides),
            },
            log_level=self["log_level"],
            respawn=self["respawn"],
        )

    def _typed(self, parameters: type[T], values: Values) -> T:
        """Return the parameters as the node will read them. Raises LaunchError."""
        fields = [f for f in dataclasses.fields(parameters) if f.name in values]  # type: ignore[arg-type]
        try:
            return parameters(**{f.name: checked(f, value_of(values[f.name])) for f in fields})
        except ParameterError as error:
            raise LaunchError(f"params_file {self['params_file']!r}: {error}") from error

    def check_file(self, parameter: str, path: str) -> None:
        """Raise LaunchError where the file or directory that a parameter names is not there."""
        if path and not Path(path).expanduser().exists():
            raise LaunchError(f"parameter '{parameter}': there is no {path!r}")

    def simulator(
        self, *arguments: str, label: str = "simulator", namespace: str | None = None
    ) -> list[Part]:
        """Return the simulator, a plain program, if the argument ``simulate`` is true.

        With ``simulation_interfaces`` also the node that controls it, in ``namespace``.
        """
        fault = self["fault"]
        if not self["simulate"]:
            return []
        faults = ("--fault", ",".join(fault)) if fault else ()
        namespace = self.namespace if namespace is None else namespace
        parts: list[Part] = []
        control: tuple[str, ...] = ()
        if self["simulation_interfaces"]:
            # A name of this launch's own: another one may start the same system.
            name = f"{os.getpid()}{namespace}"
            control = ("--control", name)
            node = NodePart(
                "legacy_robots_common",
                "simulation",
                namespace=namespace,
                parameters=_nodes({"control": name}),
                log_level=self["log_level"],
                respawn=self["respawn"],
            )
            parts.append(node)
        simulator = Part(
            self._launch.package,
            "simulator",
            (*arguments, *faults, *control),
            label=label,
            respawn=self["respawn"],
        )
        return [simulator, *parts]

    def rviz(
        self,
        view: str,
        *,
        namespace: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        frame_prefix: str = "",
        frames: Mapping[str, str] | None = None,
        without: Iterable[str] = (),
    ) -> list[Part]:
        """Return rviz2 with the view ``rviz/VIEW.rviz``, if the argument ``rviz`` is true.

        The frames of the view get ``frame_prefix``, but for those that are called differently:
        ``frames`` has their complete names. Displays called as in ``without`` are left out.
        Raises LaunchError.
        """
        if not self["rviz"]:
            return []
        if frame_prefix and not frame_prefix.endswith("/"):
            raise LaunchError(
                f"rviz:=true needs a frame_prefix that ends with '/', not {frame_prefix!r}"
            )
        path = shared_file("rviz", f"{view}.rviz")
        others = {own: name for own, name in (frames or {}).items() if name != own}
        without = tuple(without)
        adapted = None
        if frame_prefix or others or without:
            text = adapted_view(
                path, frame_prefix=frame_prefix, frames=frames or {}, without=without
            )
            adapted = WrittenFile(f"{view}.rviz", text)
        return [
            NodePart(
                "rviz2",
                "rviz2",
                ("-d",) if adapted else ("-d", path),
                namespace=self.namespace if namespace is None else namespace,
                parameters=_nodes(parameters),
                reason="rviz:=true",
                file=adapted,
            )
        ]

    def places(self, systems: Iterable[str]) -> NodePart:
        """Return the node that tells where ``systems`` stand in the demonstration."""
        return NodePart(
            "legacy_robots_common",
            "places",
            parameters=_nodes({"systems": list(systems)}),
            log_level=self["log_level"],
            respawn=self["respawn"],
        )

    def rqt(
        self, perspective: str, *, namespace: str | None = None, is_stamped: bool = False
    ) -> list[Part]:
        """Return rqt with ``config/rqt/PERSPECTIVE.perspective``, if the argument ``rqt`` is true.

        Its topics and services are those of the namespace; plugins that are not installed are
        left out; the steering panel sends TwistStamped if ``is_stamped``.
        """
        if not self["rqt"]:
            return []
        namespace = self.namespace if namespace is None else namespace
        text = adapted_perspective(
            shared_file("config", "rqt", f"{perspective}.perspective"),
            namespaces=(f"/{perspective}", namespace),
            is_installed=_is_installed,
            is_stamped=is_stamped,
        )
        return [
            Part(
                "rqt_gui",
                "rqt_gui",
                ("--perspective-file",),
                label="rqt",
                reason="rqt:=true",
                file=WrittenFile(f"{perspective}.perspective", text),
                # Plugins restore only what they find when the window opens.
                after=f"{namespace.rstrip('/')}/link_state",
            )
        ]


def _is_installed(package: str) -> bool:
    try:
        get_package_prefix(package)
    except PackageNotFoundError:
        return False
    return True


def _nodes(values: Mapping[str, Any] | None) -> Values:
    return {n: node_of(value) for n, value in (values or {}).items() if value is not None}

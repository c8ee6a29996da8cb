# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Views of rviz for other frames and perspectives of rqt for other names than in their files.

rviz and rqt get their namespace from launch, but have no option for frames and topics in a file.
"""

import ast
import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml
from ament_index_python.packages import get_packages_with_prefixes
from launch.logging import get_logger
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.substitutions import SubstitutionFailure

from launch import LaunchContext, Substitution
from legacy_robots_launch.parameters import absolute_namespace, perform
from legacy_robots_launch.temporary_files import written_file

__all__ = ["AdaptedPerspective", "AdaptedView"]
_FRAMES = ("Fixed Frame", "Target Frame", "Reference Frame")
IMPORT_TIMEOUT_S = 20.0
REPEATED = ("Robot", "What it knows")
"""Displays of one robot that are repeated for others."""
_NONE: Mapping[str, Any] = MappingProxyType({})


class AdaptedView(Substitution):
    """The path of a view for rviz2, adapted as by adapted_view if that changes anything.

    ``options`` are those of adapted_view; ``without`` is a text, names separated by commas, and
    ``others`` one of NAMESPACE:FRAME_PREFIX, separated by commas.
    """

    def __init__(
        self,
        path: SomeSubstitutionsType,
        *,
        frames: Mapping[str, SomeSubstitutionsType] = _NONE,
        **options: SomeSubstitutionsType,
    ) -> None:
        super().__init__()
        self._path, self._frames, self._options = path, dict(frames), options

    def perform(self, context: LaunchContext) -> str:
        """Return the path. Raises SubstitutionFailure for a prefix that rviz cannot use."""
        path = perform(context, self._path)
        frames = {own: perform(context, name) for own, name in self._frames.items()}
        options = {name: perform(context, value) for name, value in self._options.items()}
        prefix, without = options.get("frame_prefix", ""), options.get("without", "")
        others = dict(o.split(":") for o in options.get("others", "").split(",") if o)
        if prefix and not prefix.endswith("/"):
            raise SubstitutionFailure(
                f"rviz:=true needs a frame_prefix that ends with '/', not {prefix!r}"
            )
        changes = prefix or without or others
        if not changes and all(own == name for own, name in frames.items()):
            return path
        view = adapted_view(
            path,
            frame_prefix=prefix,
            frames=frames,
            without=without.split(","),
            others=others,
            repeated=options.get("repeated", ""),
        )
        return written_file(Path(path).name, view)


def adapted_view(
    path: str | Path,
    *,
    frame_prefix: str = "",
    frames: Mapping[str, str] = _NONE,
    without: Collection[str] = (),
    others: Mapping[str, str] = _NONE,
    repeated: str = "",
) -> str:
    """Return the text of a view, a ``.rviz`` file, with other frames.

    ``frame_prefix``, which ends with a slash or is empty, is put before every frame but those that
    ``frames`` has complete names for. Displays, groups and viewpoints called as in ``without`` are
    left out. Displays called as in REPEATED, or with ``repeated`` in their names, are there
    again for ``others``, robots by their namespaces, with the prefix of the frames of each.
    """

    def adapted(value: Any) -> Any:
        if isinstance(value, list):
            named = [e for e in value if not (isinstance(e, dict) and e.get("Name") in without)]
            return [adapted(entry) for entry in named]
        if not isinstance(value, dict):
            return value
        changed = {key: adapted(entry) for key, entry in value.items()}
        for key in changed.keys() & _FRAMES:
            name = changed[key]
            changed[key] = name if name[0] == "<" else frames.get(name, frame_prefix + name)
        if "TF Prefix" in changed:
            # rviz puts the slash between prefix and frame itself.
            changed["TF Prefix"] = frame_prefix.rstrip("/") or changed["TF Prefix"]
        return changed

    view = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    view = adapted(view)
    displays = view["Visualization Manager"]["Displays"]
    own = [d for d in displays if d["Name"] in REPEATED or (repeated and repeated in d["Name"])]
    for namespace, prefix in others.items():
        displays += [_of_another(display, namespace, prefix, repeated) for display in own]
    return yaml.safe_dump(view, sort_keys=False)


def _of_another(
    display: Mapping[str, Any], namespace: str, prefix: str, own: str
) -> dict[str, Any]:
    name = display["Name"]
    changed = {
        **display,
        "Name": name.replace(own, namespace) if own else f"{name}, {namespace}",
    }
    for key in {"Topic", "Description Topic"} & display.keys():
        topic = display[key]["Value"].rpartition("/")[2] if own else display[key]["Value"]
        changed[key] = {**display[key], "Value": f"{namespace}/{topic}"}
    if "TF Prefix" in display:
        changed["TF Prefix"] = prefix.rstrip("/")
    return changed


class AdaptedPerspective(Substitution):
    """The path of an adapted perspective, a file that is called like the namespace in it.

    Its topics and services get ``namespace``; ``stamped`` is true or false, see is_stamped.
    """

    def __init__(
        self,
        path: SomeSubstitutionsType,
        *,
        namespace: SomeSubstitutionsType,
        stamped: SomeSubstitutionsType = "false",
    ) -> None:
        super().__init__()
        self._path, self._namespace, self._stamped = path, namespace, stamped

    def perform(self, context: LaunchContext) -> str:
        """Return the path."""
        path = Path(perform(context, self._path))
        text = adapted_perspective(
            path,
            namespaces=(f"/{path.stem}", absolute_namespace(context, self._namespace)),
            why_unusable=_why_unusable,
            is_stamped=perform(context, self._stamped).lower() in ("true", "1"),
        )
        return written_file(path.name, text)


def _why_unusable(plugin: str) -> str:
    """Return why a plugin of rqt, such as rqt_plot/Plot, cannot be used; empty where it can.

    One in Python is imported by another process, as it may lack what it imports itself.
    """
    package = plugin.split("/")[0]
    prefix = get_packages_with_prefixes().get(package)
    if prefix is None:
        return f"the package {package} is not installed"
    modules = []
    for file in Path(prefix, "share", package).glob("plugin*.xml"):
        for element in ElementTree.parse(file).iter("class"):
            if "rqt_gui_py" in element.get("base_class_type", ""):
                modules.append(element.get("type", "").rpartition(".")[0])
    script = "import importlib, sys; [importlib.import_module(m) for m in sys.argv[1:]]"
    command = [sys.executable, "-c", script, *modules]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=IMPORT_TIMEOUT_S
        )
    except subprocess.TimeoutExpired:
        return f"its import takes more than {IMPORT_TIMEOUT_S:g} s"
    lines = done.stderr.strip().splitlines() or [f"its import ends with {done.returncode}"]
    return lines[-1] if done.returncode else ""


def adapted_perspective(
    path: str | Path,
    *,
    namespaces: tuple[str, str],
    why_unusable: Callable[[str], str],
    is_stamped: bool = False,
) -> str:
    """Return the text of a perspective, a ``.perspective`` file, as rqt imports it.

    Of ``namespaces``, such as ``/aibo`` and ``/dogs/one``, the second takes the place of the
    first. Plugins for which ``why_unusable`` has a reason are left out with a warning: where one
    fails, rqt restores neither layout nor settings of any. The steering panel sends TwistStamped
    if ``is_stamped``.
    """
    own, other = (name.rstrip("/") + "/" for name in namespaces)
    text = Path(path).read_text(encoding="utf-8").replace(f"'{own}", f"'{other}")
    perspective = json.loads(text)
    manager = perspective["groups"]["pluginmanager"]
    running = ast.literal_eval(manager["keys"]["running-plugins"]["repr"])
    reasons = {plugin: why_unusable(plugin) for plugin in running}
    found = {plugin: numbers for plugin, numbers in running.items() if not reasons[plugin]}
    for plugin in running.keys() - found.keys():
        get_logger("launch").warning("rqt opens without %s: %s", plugin, reasons[plugin])
    manager["keys"]["running-plugins"]["repr"] = repr(found)
    for plugin, numbers in running.items():
        for name in (f"plugin__{plugin.replace('/', '__')}__{number}" for number in numbers):
            if plugin not in found:
                manager["groups"].pop(name, None)
            elif plugin == "rqt_robot_steering/RobotSteering":
                keys = manager["groups"][name]["groups"]["plugin"]["keys"]
                keys["stamped"] = {"repr": repr(str(is_stamped).lower()), "type": "repr"}
    return json.dumps(perspective, indent=2) + "\n"

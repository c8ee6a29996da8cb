# SPDX-License-Identifier: Apache-2.0
"""A perspective of rqt for another namespace, and without the plugins that are not installed.

rqt restores nothing of a perspective that has a plugin which it does not find: it waits for it.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

_STEERING = "rqt_robot_steering/RobotSteering"


def adapted_perspective(
    path: str | Path,
    *,
    namespaces: tuple[str, str],
    is_installed: Callable[[str], bool],
    is_stamped: bool = False,
) -> str:
    """Return the text of a perspective, a ``.perspective`` file, as rqt imports it.

    Of ``namespaces``, such as ``/aibo`` and ``/dogs/one``, the first is that of the file, and the
    second takes its place. Plugins whose package ``is_installed`` refuses are left out. The
    steering panel sends TwistStamped if ``is_stamped``.
    """
    own, other = (name.rstrip("/") + "/" for name in namespaces)

    def renamed(value: Any) -> Any:
        if isinstance(value, str):
            return other + value.removeprefix(own) if value.startswith(own) else value
        return [renamed(entry) for entry in value] if isinstance(value, list) else value

    perspective = json.loads(Path(path).read_text(encoding="utf-8"))
    manager = perspective["groups"]["pluginmanager"]
    running = _value(manager["keys"]["running-plugins"])
    found = {p: numbers for p, numbers in running.items() if is_installed(p.split("/")[0])}
    manager["keys"]["running-plugins"] = _entry(found)
    for plugin, numbers in running.items():
        for number in numbers:
            name = f"plugin__{plugin.replace('/', '__')}__{number}"
            if plugin not in found:
                manager["groups"].pop(name, None)
                continue
            keys = manager["groups"][name]["groups"]["plugin"]["keys"]
            for key, entry in keys.items():
                keys[key] = _entry(renamed(_value(entry)))
            if plugin == _STEERING:
                keys["stamped"] = _entry(str(is_stamped).lower())
    return json.dumps(perspective, indent=2) + "\n"


def _value(entry: dict[str, str]) -> Any:
    return ast.literal_eval(entry["repr"])


def _entry(value: Any) -> dict[str, str]:
    return {"repr": repr(value), "type": "repr"}

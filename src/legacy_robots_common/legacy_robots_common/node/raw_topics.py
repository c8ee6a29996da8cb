# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Topics of any type as they come over the wire: their classes, definitions and QoS."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from ament_index_python.packages import get_package_share_directory
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

_PRIMITIVES = re.compile(r"bool|byte|char|w?string.*|float(32|64)|u?int(8|16|32|64)")


def interface_class(type_name: str) -> Any:
    """Return the class of a type such as nav_msgs/msg/Odometry or std_srvs/srv/Trigger.

    Raises ImportError or AttributeError where it is not installed.
    """
    package, kind, name = type_name.split("/")
    return getattr(importlib.import_module(f"{package}.{kind}"), name)


def definition(type_name: str) -> str:
    """Return the text of a message's definition and of all that it is made of ("ros2msg").

    Raises LookupError or OSError where there is none.
    """
    package, kind, name = type_name.split("/")
    return with_parts(_read(package, kind, name), package, {f"{package}/{name}"})


def service_definitions(type_name: str) -> tuple[str, str]:
    """Return the definitions of a service's request and response, as ``definition``."""
    package, kind, name = type_name.split("/")
    request, _, response = _read(package, kind, name).partition("---")
    return with_parts(request, package, set()), with_parts(response, package, set())


def with_parts(text: str, package: str, known: set[str]) -> str:
    """Return a definition of ``package`` followed by all that it is made of, but ``known``."""
    known = set(known)
    result = text
    waiting = [(package, text)]
    while waiting:
        package, part = waiting.pop()
        for line in part.splitlines():
            kind = re.match(r"\s*([\w/]+)\S*\s+\w", line)
            if kind is None or _PRIMITIVES.fullmatch(kind[1]):
                continue
            owner, _, name = kind[1].rpartition("/")
            owner = owner or package
            if f"{owner}/{name}" not in known:
                known.add(f"{owner}/{name}")
                found = _read(owner, "msg", name)
                result += f"\n{'=' * 80}\nMSG: {owner}/{name}\n{found}"
                waiting.append((owner, found))
    return result


def _read(package: str, kind: str, name: str) -> str:
    path = Path(get_package_share_directory(package), kind, f"{name}.{kind}")
    return path.read_text(encoding="utf-8")


def offered(node: Node, topic: str, depth: int = 100) -> QoSProfile:
    """Return a profile that loses nothing of what the publishers of ``topic`` offer."""
    return _weakest([o.qos_profile for o in node.get_publishers_info_by_topic(topic)], depth)


def _weakest(offers: Sequence[QoSProfile], depth: int) -> QoSProfile:
    reliable = all(o.reliability is ReliabilityPolicy.RELIABLE for o in offers)
    latched = all(o.durability is DurabilityPolicy.TRANSIENT_LOCAL for o in offers)
    return QoSProfile(
        depth=depth,
        reliability=ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE,
    )


OFFERED = "offered_qos_profiles"
"""The name under which rosbag2 keeps the profiles of a recorded topic's publishers."""


def offered_text(node: Node, topic: str) -> str:
    """Return the profiles of a topic's publishers as rosbag2 writes them, in YAML."""
    names = ("history", "reliability", "durability", "liveliness")
    times = ("deadline", "lifespan", "liveliness_lease_duration")
    profiles = []
    for offer in (info.qos_profile for info in node.get_publishers_info_by_topic(topic)):
        profile: dict[str, Any] = {name: getattr(offer, name).short_key for name in names}
        for name in times:
            seconds, rest = divmod(getattr(offer, name).nanoseconds, 1_000_000_000)
            profile[name] = {"sec": seconds, "nsec": rest}
        profile["depth"] = offer.depth
        profile["avoid_ros_namespace_conventions"] = offer.avoid_ros_namespace_conventions
        profiles.append(profile)
    return yaml.safe_dump(profiles, sort_keys=False)


def offered_in(text: str, depth: int = 100) -> QoSProfile:
    """Return a profile that is like those of ``offered_text``, reliable where there are none.

    Policies are short keys, or numbers as rosbag2 wrote them before Iron. Raises ValueError.
    """
    try:
        offers = [
            QoSProfile(
                depth=depth,
                reliability=_policy(ReliabilityPolicy, entry["reliability"]),
                durability=_policy(DurabilityPolicy, entry["durability"]),
            )
            for entry in yaml.safe_load(text) or []
        ]
    except (KeyError, TypeError, ValueError, yaml.YAMLError) as error:
        raise ValueError(f"no QoS profiles: {text!r}") from error
    return _weakest(offers, depth) if offers else QoSProfile(depth=depth)


def _policy(kind: Any, value: str | int) -> Any:
    return kind(value) if isinstance(value, int) else kind.get_from_short_key(value)
